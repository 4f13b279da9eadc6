/**
 * A sentence's brackets while they are being collected: each span with the people who gave it, so
 * that the same judgement found in two files counts once and weights are numbers of people.
 */

import type { Bracketing } from "./record.js";

export interface RawBracket {
  readonly begin: number;
  readonly end: number;
  readonly kind: string;
  /** Who gave it, by names that are unique within a source. */
  readonly annotators: readonly string[];
  /** What a link points to. */
  readonly target?: string | undefined;
}

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

/** The union of brackets over the same tokens: one entry a span and kind, its annotators united. */
export function mergeBrackets(brackets: Iterable<RawBracket>): RawBracket[] {
  const united = new Map<string, { bracket: RawBracket; annotators: Set<string> }>();
  for (const bracket of brackets) {
    const key = `${bracket.begin},${bracket.end},${bracket.kind}`;
    const known = united.get(key);
    if (known) for (const annotator of bracket.annotators) known.annotators.add(annotator);
    else united.set(key, { bracket, annotators: new Set(bracket.annotators) });
  }
  return [...united.values()].map(({ bracket, annotators }) => ({
    ...bracket,
    annotators: [...annotators],
  }));
}

export function toBracketing(gathered: RawSentence): Bracketing {
  const brackets = mergeBrackets(gathered.brackets).sort(
    (a, b) => a.begin - b.begin || b.end - a.end || (a.kind < b.kind ? -1 : 1),
  );
  const { tokens, source, id, text, offsets, page } = gathered;
  const hasTargets = brackets.some(({ target }) => target !== undefined);
  return {
    tokens,
    brackets: brackets.map(({ begin, end }) => [begin, end]),
    source,
    id,
    weights: brackets.map(({ annotators }) => Math.max(1, annotators.length)),
    kinds: brackets.map(({ kind }) => kind),
    ...(hasTargets ? { targets: brackets.map(({ target }) => target ?? "") } : {}),
    ...(page === undefined ? {} : { page }),
    ...(text === undefined ? {} : { text }),
    ...(offsets === undefined ? {} : { offsets }),
  };
}
