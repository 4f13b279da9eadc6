/**
 * What all brackets of a sentence together tell beyond themselves, for English: phrases that nobody
 * was asked for (parts.ts), and spans that are no phrases (flat.ts), as entries beside the brackets.
 */

import type { Span } from "../trees/tree.js";
import type { RawBracket } from "./bracket-fields.js";
import { COORDINATORS, isIn } from "./english.js";
import {
  isChunk,
  isSomeOfChunk,
  joinedFragments,
  openedClause,
  possessionFragments,
  predicateFragments,
  predicationFragments,
} from "./flat.js";
import { PART, partsOf, possessorOf } from "./parts.js";
import { CHUNK, FRAGMENT } from "./record.js";

export interface EnrichOptions {
  /** Add phrases that brackets are known to have inside. */
  readonly addParts?: boolean | undefined;
  /** Mark what is no phrase though a binary tree may have it. */
  readonly markFlat?: boolean | undefined;
}

/** A bracket with what is known of it. */
export interface Entry extends RawBracket {
  readonly weight: number;
}

export function enrich(
  given: readonly Entry[],
  tokens: readonly string[],
  { addParts, markFlat }: EnrichOptions,
): readonly Entry[] {
  const verbs = new Set(given.filter(isPredicate).map(({ begin }) => begin));
  const whole = markFlat ? withoutSome(given, tokens, verbs) : given;
  const all = addParts ? [...whole, ...newParts(whole, tokens, verbs)] : whole;
  return markFlat ? [...all, ...chunks(all, tokens, verbs), ...fragments(all, tokens, verbs)] : all;
}

/** Without brackets that are some of a phrase, and those that begin with what joins them to another. */
function withoutSome(
  entries: readonly Entry[],
  tokens: readonly string[],
  verbs: ReadonlySet<number>,
): readonly Entry[] {
  const chunked = entries.filter((entry) => isChunk(entry, tokens, verbs));
  return entries.filter(
    (entry) =>
      !isShortened(entry, entries) &&
      !chunked.some((chunk) => isSomeOfChunk(entry, chunk, tokens)) &&
      !(entry.begin > 0 && isIn(COORDINATORS, tokens[entry.begin])),
  );
}

const WITH_SUBJECT = new Set(["clause", "predication"]);

function isPredicate({ kind }: Entry): boolean {
  return kind === "predicate";
}

/** Whether another of the kind begins at the same word and goes on: a verb has one predicate. */
function isShortened(entry: Entry, entries: readonly Entry[]): boolean {
  const { kind, begin, end } = entry;
  if (!WITH_SUBJECT.has(kind) && !isPredicate(entry)) return false;
  return entries.some((each) => each.kind === kind && each.begin === begin && each.end > end);
}

/**
 * Parts that are no brackets already, weighed by the brackets that have them. Where a predicate ends,
 * several phrases may: it has a part only where a bracket follows the preposition. A clause's last
 * preposition may even stand in its subject.
 */
function newParts(
  entries: readonly Entry[],
  tokens: readonly string[],
  verbs: ReadonlySet<number>,
): Entry[] {
  const known = new Set(entries.map(keyOf));
  const parts = new Map<string, Entry>();
  for (const entry of entries) {
    if (WITH_SUBJECT.has(entry.kind)) continue;
    for (const part of partsOf(entry, tokens, verbs)) {
      const key = keyOf(part);
      const isSure = !isPredicate(entry) || known.has(keyOf({ ...part, begin: part.begin + 1 }));
      if (known.has(key) || !isSure) continue;
      const weight = (parts.get(key)?.weight ?? 0) + entry.weight;
      parts.set(key, { ...part, weight, kind: PART });
    }
  }
  return [...parts.values()];
}

function chunks(
  entries: readonly Entry[],
  tokens: readonly string[],
  verbs: ReadonlySet<number>,
): Entry[] {
  return marks(
    entries.filter((entry) => isChunk(entry, tokens, verbs)),
    CHUNK,
  );
}

/** What is a bracket is no fragment, but for a clause with something before it. */
function fragments(
  entries: readonly Entry[],
  tokens: readonly string[],
  verbs: ReadonlySet<number>,
): Entry[] {
  const known = new Set(entries.map(keyOf));
  const unknown = fragmentsOf(entries, tokens, verbs).filter((span) => !known.has(keyOf(span)));
  const clauses = entries.filter(({ kind }) => kind === "clause");
  const fronts = entries.filter(({ begin }) => begin === 0);
  const opened = openedClause(clauses, fronts, tokens);
  return marks(opened ? [...unknown, opened] : unknown, FRAGMENT);
}

function fragmentsOf(
  entries: readonly Entry[],
  tokens: readonly string[],
  verbs: ReadonlySet<number>,
): Span[] {
  const answers = entries.filter(({ kind }) => kind === "answer");
  const predicates = entries.filter(isPredicate);
  return entries.flatMap((entry) => {
    const possessor = possessorOf(entry, tokens, verbs);
    const verb = predicates.find(({ begin, end }) => entry.begin < begin && end === entry.end);
    return [
      ...(possessor ? possessionFragments(entry, possessor, tokens, verbs) : []),
      ...(isPredicate(entry) ? predicateFragments(entry, answers) : []),
      ...(entry.kind === "predication" && verb
        ? predicationFragments(entry, verb.begin, tokens)
        : []),
      ...joinedFragments(entry, tokens),
    ];
  });
}

/** Entries of a kind for the spans, each once. */
function marks(spans: readonly Span[], kind: string): Entry[] {
  const distinct = new Map(spans.map((span) => [keyOf(span), span]));
  return [...distinct.values()].map(({ begin, end }) => {
    return { begin, end, kind, weight: 1 };
  });
}

function keyOf({ begin, end }: Span): string {
  return `${begin},${end}`;
}
