/**
 * Files in which people name the labels of a model. Induced categories (`C1`, `C2`, …) mean nothing by themselves; a
 * person who has seen their typical phrases can say what they are. Kept apart from the configuration, since parsing does
 * not read such files.
 */

import { InputError } from "../errors.js";
import { NO_PHRASE } from "../trees/labels.js";
import { isName, type LabelConfig, type LabelNames } from "./config.js";

/**
 * The names in a file with lines like `C1 NP`. What follows `#` is a comment. A class without a name keeps its own.
 *
 * @throws InputError that names the line of an unknown or repeated class, or of what is no name.
 */
export async function readNames(
  lines: AsyncIterable<{ readonly text: string; readonly line: number }>,
  file: string,
  { classes }: Pick<LabelConfig, "classes">,
): Promise<LabelNames> {
  const known = classes.filter((name) => name !== NO_PHRASE);
  const places = new Map<string, number>();
  const names: Record<string, string> = {};
  for await (const { text, line } of lines) {
    const [name, label, ...more] = (text.split("#")[0] as string).split(/\s+/).filter(Boolean);
    if (name === undefined) continue;
    const wrong = (problem: string, remedy: string) =>
      new InputError(problem, { file, line }, remedy);
    if (!known.includes(name)) {
      throw wrong(`the model has no label "${name}"`, `its labels are ${known.join(", ")}`);
    }
    const earlier = places.get(name);
    if (earlier !== undefined)
      throw wrong(`${name} is in line ${earlier} already`, "keep one of the two");
    places.set(name, line);
    if (label === undefined) continue;
    if (more.length > 0) throw wrong("more than a label and its name", EXPECTED);
    if (!isName(label)) throw wrong(`"${label}" cannot be the name of a phrase`, EXPECTED);
    names[name] = label;
  }
  if (Object.keys(names).length > 0) return names;
  throw new InputError(
    "no line has a name",
    { file },
    `${EXPECTED}; ${known[0]} ${known[0]} removes a name`,
  );
}

const EXPECTED = "a line has a label and its name, without blanks or round brackets: C1 NP";
