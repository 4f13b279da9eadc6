/**
 * A sentence whose brackets are being collected. Each bracket has its annotators, so that the same judgement in
 * two files counts once.
 */

import { type RawBracket, toLists, uniteBrackets } from "./bracket-fields.js";
import type { Bracketing } from "./record.js";

export type { RawBracket } from "./bracket-fields.js";

/** A sentence as a source gives it, before merging. */
export interface RawSentence {
  /** The words and punctuation of the sentence. */
  readonly tokens: readonly string[];
  /** The name of the source. */
  readonly source: string;
  /** The id of the sentence within its source. */
  readonly id: string;
  /** The sentence as it was written. */
  readonly text?: string | undefined;
  /** The half-open place of each token in `text`. */
  readonly offsets?: Bracketing["offsets"] | undefined;
  /** The marked spans. */
  readonly brackets: readonly RawBracket[];
  /** The page that the sentence is from. */
  readonly page?: Bracketing["page"] | undefined;
  /** Whether the brackets are all phrases of a gold tree. */
  readonly complete?: boolean | undefined;
  /** The code of its language, if the source knows it. */
  readonly language?: string | undefined;
}

/** Merges brackets over the same tokens: one for each span and kind, in the order of a record. */
export function mergeBrackets(brackets: readonly RawBracket[]): RawBracket[] {
  const groups: [RawBracket, ...RawBracket[]][] = [];
  for (const bracket of inOrder(brackets)) {
    const last = groups.at(-1);
    if (last && compareBrackets(last[0], bracket) === 0) last.push(bracket);
    else groups.push([bracket]);
  }
  return groups.map(uniteBrackets);
}

/** Sorted, unless they are already: most brackets were merged before. */
function inOrder(brackets: readonly RawBracket[]): readonly RawBracket[] {
  const isOrdered = brackets.every((bracket, index) => {
    const before = brackets[index - 1];
    return before === undefined || compareBrackets(before, bracket) <= 0;
  });
  return isOrdered ? brackets : [...brackets].sort(compareBrackets);
}

function compareBrackets(a: RawBracket, b: RawBracket): number {
  return a.begin - b.begin || b.end - a.end || (a.kind < b.kind ? -1 : a.kind > b.kind ? 1 : 0);
}

/** What is written for each sentence. */
export interface RecordOptions {
  /** Write the annotators of each bracket. */
  readonly keepAnnotators?: boolean | undefined;
  /** Write the questions that each bracket answers. */
  readonly keepQuestions?: boolean | undefined;
}

export function toBracketing(sentence: RawSentence, options: RecordOptions = {}): Bracketing {
  const brackets = mergeBrackets(sentence.brackets);
  const { tokens, source, id, text, offsets, page, complete, language } = sentence;
  const lists = toLists(brackets, ({ written, key }) => {
    if (written === "always") return true;
    if (written !== "if known") return options[written] === true;
    return brackets.some((bracket) => bracket[key] !== undefined);
  });
  return {
    tokens,
    brackets: brackets.map(({ begin, end }) => [begin, end]),
    source,
    id,
    ...lists,
    ...(complete ? { complete } : {}),
    ...(language === undefined ? {} : { language }),
    ...(page === undefined ? {} : { page }),
    ...(text === undefined ? {} : { text }),
    ...(offsets === undefined ? {} : { offsets }),
  };
}
