/**
 * What people call the labels of a model. A label scorer has classes; induced ones (`C1`, `C2`, …) mean nothing by
 * themselves, so people can name them. Classes with the same name are one label, whose probability is their sum. The
 * names are in the manifest: it is replaced as a whole, so a model never has half of its names, and no other file
 * changes.
 */

import { InputError } from "../errors.js";
import { isLabel, NO_PHRASE } from "../trees/labels.js";
import type { LabelConfig, ModelConfig } from "./config.js";
import { broken } from "./source.js";

/** The name of each class that has one. */
export type LabelNames = Readonly<Record<string, string>>;

/** The labels of a model, as trees have them. */
export interface LabelTable {
  /** `-`, then each label once. */
  readonly labels: readonly string[];
  /** The index of the label of each class. */
  readonly indexOf: Uint16Array;
}

export function labelTable({ classes, names = {} }: LabelConfig): LabelTable {
  const ofClasses = classes.map((name) => names[name] ?? name);
  const labels = [...new Set(ofClasses)];
  return { labels, indexOf: Uint16Array.from(ofClasses, (label) => labels.indexOf(label)) };
}

/** A configuration with the names of a manifest, if it has any. */
export function withNames(config: ModelConfig, names: unknown, manifest: string): ModelConfig {
  if (names === undefined) return config;
  const { labels } = config;
  const isNames = typeof names === "object" && names !== null && !Array.isArray(names);
  const isNamed = ([name, label]: [string, unknown]) =>
    labels?.classes.includes(name) &&
    name !== NO_PHRASE &&
    typeof label === "string" &&
    isName(label);
  if (!labels || !isNames || !Object.entries(names).every(isNamed)) {
    throw broken(manifest, '"names" must have names for labels of the model');
  }
  return { ...config, labels: { ...labels, names: names as LabelNames } };
}

function isName(text: string): boolean {
  return isLabel(text) && text !== NO_PHRASE;
}

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
    `${EXPECTED}; ${known[0]} ${known[0]} takes a name back`,
  );
}

const EXPECTED = "a line has a label and its name, without blanks or round brackets: C1 NP";
