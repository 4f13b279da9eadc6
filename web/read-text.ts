/** What people type, as sentences for the parser, by the rules of its language. */

import {
  languageFacts,
  rulesFor,
  sentencesFromText,
  tellLanguage,
} from "../src/parser/from-text.js";
import type { SentenceInput } from "../src/parser/sentence.js";
import type { ModelChoice } from "./engine/engine.js";

export interface ReadText {
  readonly inputs: readonly SentenceInput[];
  /** The code of the language, if it is sure. */
  readonly language: string | undefined;
}

export async function readText(text: string, model: ModelChoice): Promise<ReadText> {
  // Without the detector, which is a download of its own, the text is parsed all the same.
  const language = await tellLanguage(text).catch(() => undefined);
  const sentences = sentencesFromText(text, { language: await rulesFor(language, [model]) });
  const facts = languageFacts(language, [model]);
  return { inputs: sentences.map((each) => ({ ...each, ...facts })), language };
}
