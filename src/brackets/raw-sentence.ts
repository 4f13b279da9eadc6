/**
 * A sentence's brackets while they are being collected: each with the people who gave it, so that
 * the same judgement found in two files counts once.
 */

import { type RawBracket, toLists, uniteBrackets } from "./bracket-fields.js";
import type { Bracketing } from "./record.js";

export type { RawBracket } from "./bracket-fields.js";

/** What a source has found out about one sentence in one place. */
export interface RawSentence {
  readonly tokens: readonly string[];
  readonly source: string;
  readonly id: string;
  readonly text?: string | undefined;
  readonly offsets?: Bracketing["offsets"] | undefined;
  readonly brackets: readonly RawBracket[];
  readonly page?: Bracketing["page"] | undefined;
}

/** The union of brackets over the same tokens: one for each span and kind. */
export function mergeBrackets(brackets: Iterable<RawBracket>): RawBracket[] {
  const groups = new Map<string, [RawBracket, ...RawBracket[]]>();
  for (const bracket of brackets) {
    const key = `${bracket.begin},${bracket.end},${bracket.kind}`;
    const group = groups.get(key);
    if (group) group.push(bracket);
    else groups.set(key, [bracket]);
  }
  return [...groups.values()].map(uniteBrackets);
}

/** What a record keeps of a raw sentence. */
export interface RecordOptions {
  /** Write who gave each bracket. */
  readonly keepAnnotators?: boolean | undefined;
}

export function toBracketing(
  sentence: RawSentence,
  { keepAnnotators = false }: RecordOptions = {},
): Bracketing {
  const brackets = mergeBrackets(sentence.brackets).sort(
    (a, b) => a.begin - b.begin || b.end - a.end || (a.kind < b.kind ? -1 : 1),
  );
  const { tokens, source, id, text, offsets, page } = sentence;
  const lists = toLists(brackets, ({ written, key }) => {
    if (written === "on request") return keepAnnotators;
    return written === "always" || brackets.some((bracket) => bracket[key] !== undefined);
  });
  return {
    tokens,
    brackets: brackets.map(({ begin, end }) => [begin, end]),
    source,
    id,
    ...lists,
    ...(page === undefined ? {} : { page }),
    ...(text === undefined ? {} : { text }),
    ...(offsets === undefined ? {} : { offsets }),
  };
}
