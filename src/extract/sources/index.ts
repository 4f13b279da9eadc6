/** The table of sources, and how the source of a file is recognised. */

import { InputError } from "../../errors.js";
import type { TextInput } from "../../files/input.js";
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
  jsonl,
  wikipedia,
  html,
  cnxml,
  markdown,
  wikitext,
  text,
  trees,
];

/** Groups the inputs by the source that recognises them, in the order of the inputs. */
export async function recogniseSources(
  inputs: readonly TextInput[],
): Promise<{ source: Source; inputs: TextInput[] }[]> {
  const groups = new Map<Source, TextInput[]>();
  for (const input of inputs) {
    const head = await input.head();
    const source = SOURCES.find((each) => each.recognises(head));
    if (!source) {
      throw new InputError(
        "its source is not known",
        { file: input.name },
        `specify the source: ${SOURCES.map(({ name }) => name).join(", ")}`,
      );
    }
    groups.set(source, [...(groups.get(source) ?? []), input]);
  }
  return [...groups].map(([source, members]) => ({ source, inputs: members }));
}
