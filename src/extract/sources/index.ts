/** The table of sources, and how the source of a file is recognised. */

import { InputError } from "../../errors.js";
import type { TextInput } from "../../files/text-input.js";
import { annotations } from "./annotations.js";
import { bio } from "./bio.js";
import { cnxml } from "./cnxml.js";
import { facqa } from "./facqa.js";
import { fairytaleqa } from "./fairytaleqa.js";
import { html } from "./html.js";
import { jsonl } from "./jsonl.js";
import { markdown } from "./markdown.js";
import { multispanqa } from "./multispanqa.js";
import { oie } from "./oie.js";
import { prosody } from "./prosody.js";
import { qadiscourse } from "./qadiscourse.js";
import { qamr } from "./qamr.js";
import { qasrl } from "./qasrl.js";
import { qasrlGs } from "./qasrl-gs.js";
import { qasrlV1 } from "./qasrl-v1.js";
import { qed } from "./qed.js";
import type { Source } from "./source.js";
import { spans } from "./spans.js";
import { squad } from "./squad.js";
import { text } from "./text.js";
import { trees } from "./trees.js";
import { wikipedia } from "./wikipedia.js";
import { wikitext } from "./wikitext.js";

/** All sources, in the order in which a file of unknown origin is compared with them. */
export const SOURCES: readonly Source[] = [
  qasrl,
  qasrlGs,
  qasrlV1,
  oie,
  qamr,
  multispanqa,
  squad,
  qed,
  fairytaleqa,
  facqa,
  qadiscourse,
  bio,
  prosody,
  spans,
  annotations,
  jsonl,
  wikipedia,
  html,
  cnxml,
  markdown,
  wikitext,
  text,
  trees,
];

/**
 * Groups the inputs by the source that recognises them, in the order of the inputs. What somebody named
 * must be recognised; what was found in a folder or an archive may be something else, and is counted.
 */
export async function recogniseSources(
  inputs: readonly TextInput[],
  isNamed: (input: TextInput) => boolean,
): Promise<{ groups: { source: Source; inputs: TextInput[] }[]; unknown: number }> {
  const groups = new Map<Source, TextInput[]>();
  const unknown: TextInput[] = [];
  for (const input of inputs) {
    const head = await input.head();
    const source = SOURCES.find((each) => each.recognises(head));
    if (source) groups.set(source, [...(groups.get(source) ?? []), input]);
    else if (isNamed(input)) throw notKnown(input);
    else unknown.push(input);
  }
  if (groups.size === 0 && unknown[0]) throw notKnown(unknown[0]);
  return {
    groups: [...groups].map(([source, members]) => ({ source, inputs: members })),
    unknown: unknown.length,
  };
}

function notKnown({ name: file }: TextInput): InputError {
  const names = SOURCES.map(({ name }) => name);
  return new InputError(
    "the source of this file is not recognised",
    { file },
    `name the source: ${names.join(", ")}`,
  );
}
