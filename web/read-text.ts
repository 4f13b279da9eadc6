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
  const language = await languageOf(text);
  const sentences = sentencesFromText(text, { language: await rulesFor(language, [model]) });
  const facts = languageFacts(language, [model]);
  return { inputs: sentences.map((each) => ({ ...each, ...facts })), language };
}

/** One sentence whose words are known: they stand between blanks. */
export async function readWords(text: string, model: ModelChoice): Promise<ReadText> {
  const language = await languageOf(text);
  const words = [...text.matchAll(/\S+/g)];
  if (words.length === 0) return { inputs: [], language };
  const input: SentenceInput = {
    leaves: words.map(([word]) => ({ word })),
    text,
    begin: 0,
    offsets: words.map(({ 0: word, index }) => [index, index + word.length] as const),
    ...languageFacts(language, [model]),
  };
  return { inputs: [input], language };
}

/** Without the detector, which is a download of its own, the text is parsed all the same. */
function languageOf(text: string): Promise<string | undefined> {
  return tellLanguage(text).catch(() => undefined);
}
