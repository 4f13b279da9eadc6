/**
 * Read speech with its breaks, in the format of the Helsinki Prosody Corpus: one word per line with its
 * prominence and the strength of the break after it, 0 to 2; punctuation has `NA`.
 *
 * A break is no bracket, and most breaks within a clause are not the end of a phrase either: speakers
 * pause between a verb and its object, or before "of". What follows a strong break usually begins a
 * phrase, since the words on its two sides are rarely close. Where that phrase ends, the voice alone does
 * not tell. So a stretch between two strong breaks counts only if writing agrees on its end: if
 * punctuation or the end of the sentence stands there.
 */

import type { RawSentence } from "../../brackets/raw-sentence.js";
import { InputError, type Place } from "../../errors.js";
import type { TextInput } from "../../files/text-input.js";
import { bracketPassage, type PassageMark } from "./passage.js";
import type { AnswerSource, SourceContext } from "./source.js";

export const prosody: AnswerSource = {
  name: "prosody",
  summary: "read speech with prosodic breaks (Helsinki Prosody Corpus), .txt",
  extensions: [".txt"],
  recognises: (head) => /^<file>\t\S+\r?\n[^\t\n]+\t(?:[0-2]|NA)\t(?:[0-2]|NA)\t/.test(head),
  read: async function* (inputs, context) {
    for (const input of inputs) {
      for await (const utterance of readUtterances(input, context)) {
        yield* bracketUtterance(utterance, context);
      }
    }
  },
};

interface Word {
  readonly word: string;
  /** The strength of the break after it; 0 if it is not known. */
  readonly strength: number;
}

interface Utterance {
  readonly id: string;
  readonly words: Word[];
}

async function* readUtterances(
  input: TextInput,
  context: SourceContext,
): AsyncGenerator<Utterance> {
  let utterance: Utterance | undefined;
  for await (const { text, line } of input.lines()) {
    if (text.trim() === "") continue;
    const name = /^<file>\t(.+)$/.exec(text)?.[1];
    if (name !== undefined) {
      if (utterance) yield utterance;
      utterance = { id: name.replace(/\.txt$/, ""), words: [] };
      continue;
    }
    const word = context.attempt(() => readWord(text, { file: input.name, line }));
    if (word) utterance?.words.push(word);
  }
  if (utterance) yield utterance;
}

function readWord(text: string, place: Place): Word {
  const [word, , strength = ""] = text.split("\t");
  if (word && /^(?:[0-2]|NA)$/.test(strength)) return { word, strength: Number(strength) || 0 };
  throw new InputError(
    "expected a word, its prominence and the break after it, separated by tabs",
    place,
    "breaks are 0, 1, 2 or NA; or skip such lines with --skip-bad",
  );
}

/** The strength from which on a break counts: the highest of the corpus. */
const STRONG = 2;

function bracketUtterance({ id, words }: Utterance, context: SourceContext): RawSentence[] {
  const marks: PassageMark[] = [];
  let text = "";
  let begin: number | undefined;
  let breaks = 0;
  for (const [index, { word, strength }] of words.entries()) {
    const isWord = !isPunctuation(word);
    if (isWord && text !== "") text += " ";
    if (isWord) begin ??= text.length;
    text += word;
    const next = words[index + 1]?.word;
    const isWritten = next === undefined || isPunctuation(next);
    if (!isWord || begin === undefined || (strength < STRONG && next !== undefined)) continue;
    const mark = { begin, end: text.length, kind: "prosody", annotators: ["speaker"] };
    if (isWritten) marks.push(mark);
    else context.drop("stretches of speech that end without punctuation");
    begin = undefined;
    breaks += 1;
  }
  // One stretch is the utterance as a whole, which says nothing.
  return bracketPassage({ id, source: "prosody", text, marks: breaks > 1 ? marks : [] }, context);
}

function isPunctuation(word: string): boolean {
  return !/[\p{L}\p{N}]/u.test(word);
}
