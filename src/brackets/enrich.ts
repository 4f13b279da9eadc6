/**
 * Adds what the brackets of a sentence imply together, by the grammar of its language: phrases that nobody was
 * asked about (parts.ts), and spans that are no phrases (flat.ts).
 */

import type { Grammar } from "../languages/grammar.js";
import type { Particles } from "../languages/language.js";
import { cross, type Span } from "../trees/tree.js";
import { amountsOf } from "./amounts.js";
import type { RawBracket } from "./bracket-fields.js";
import { mayEndAt } from "./clause-end.js";
import {
  adverbFragments,
  auxiliaryFragments,
  coordinatorFragments,
  frontedClause,
  isChunk,
  isPartOfChunk,
  isRunOfAnswers,
  listFragments,
  modifiedFragments,
  particleFragments,
  possessionFragments,
  possessorFragments,
  predicateFragments,
  predicationFragments,
  prefixFragments,
} from "./flat.js";
import { isJoinedInside, joinedFragments, joinedPredicates } from "./joined.js";
import { particlePhrasesOf } from "./particle-phrases.js";
import { PART, partsOf, possessorOf } from "./parts.js";
import { CHUNK, FRAGMENT } from "./record.js";
import { isVerb, type RuleSentence } from "./rule-sentence.js";
import { unmodifiedFragments } from "./unmodified.js";
import { verbPhrasesOf } from "./verb-groups.js";
import { wordPhrasesOf } from "./word-phrases.js";

/** Which entries are added. */
export interface EnrichOptions {
  /** Add phrases that must be inside brackets. */
  readonly addParts?: boolean | undefined;
  /** Mark spans that are no phrases, although a binary tree may need them. */
  readonly markFlat?: boolean | undefined;
}

/** A bracket with what is known of it. */
export interface Entry extends RawBracket {
  readonly weight: number;
}

/** @param words single words that people marked, verbs among them */
export function enrich(
  given: readonly Entry[],
  words: readonly Entry[],
  tokens: readonly string[],
  grammar: Grammar,
  { addParts, markFlat }: EnrichOptions,
): readonly Entry[] {
  const predicates = given.filter(isPredicate);
  const verbs = new Set([...predicates, ...words.filter(isPredicate)].map(({ begin }) => begin));
  const sentence = { tokens, verbs, predicates, grammar };
  const isJoined = (entry: Entry) => isClause(entry) && isJoinedInside(entry, sentence);
  const whole = markFlat ? given.filter((entry) => !isJoined(entry)) : given;
  const phrases = markFlat ? withoutParts(whole, sentence) : given;
  const all = addParts ? [...phrases, ...newParts(phrases, sentence)] : phrases;
  if (!markFlat) return all;
  return [...all, ...chunks(all, sentence), ...fragments(all, given.filter(isJoined), sentence)];
}

/** Adds what the particles show. Where they contradict a bracket that people gave, the bracket stays. */
export function enrichByParticles(
  given: readonly Entry[],
  tokens: readonly string[],
  particles: Particles,
  { addParts, markFlat }: EnrichOptions,
): readonly Entry[] {
  const shown = particlePhrasesOf(tokens, particles);
  const known = new Set(given.map(keyOf));
  const unknown = ({ begin, end }: Span) =>
    !known.has(keyOf({ begin, end })) && !given.some((each) => cross(each, { begin, end }));
  const phrases = shown.phrases.filter(unknown);
  const chunks = shown.chunks.filter((chunk) => !given.some((each) => isInside(each, chunk)));
  return [
    ...given,
    ...(addParts ? marks(phrases, PART) : []),
    ...(markFlat ? marks(chunks, CHUNK) : []),
    ...(markFlat ? marks(shown.fragments.filter(unknown), FRAGMENT) : []),
  ];
}

/** Whether it is a part of the chunk, or crosses it. */
function isInside(entry: Span, chunk: Span): boolean {
  const overlaps = entry.begin < chunk.end && chunk.begin < entry.end;
  return overlaps && (entry.begin > chunk.begin || entry.end < chunk.end);
}

/** Without brackets that are a part of a phrase, and those that begin with a coordinator. */
function withoutParts(entries: readonly Entry[], sentence: RuleSentence): readonly Entry[] {
  const { tokens, grammar } = sentence;
  const chunked = entries.filter((entry) => isChunk(entry, sentence));
  const answers = entries.filter(isAnswer);
  const possessors = entries.map((entry) => possessorOf(entry, sentence));
  return entries.filter(
    (entry) =>
      !isShortened(entry, entries) &&
      !(isPredicate(entry) && mayGoOn(entry, sentence)) &&
      !chunked.some((chunk) => isPartOfChunk(entry, chunk, sentence)) &&
      !possessors.some((each) => each && lacksMark(entry, each)) &&
      !isRunOfAnswers(entry, answers, sentence) &&
      !(entry.begin > 0 && grammar.coordinators.has(tokens[entry.begin])),
  );
}

/** Whether the verb's phrase may be longer: neither it nor, before another verb, its clause ends. */
function mayGoOn({ end }: Entry, sentence: RuleSentence): boolean {
  return !mayEndAt(end, sentence.tokens, sentence.grammar) && !isVerb(end, sentence);
}

/** Whether it is the possessor but for its mark, and perhaps its determiner. */
function lacksMark({ begin, end }: Entry, possessor: Span): boolean {
  return end === possessor.end - 1 && begin - possessor.begin <= 1 && begin >= possessor.begin;
}

function isAnswer({ kind }: Entry): boolean {
  return kind === "answer";
}

function isClause({ kind }: Entry): boolean {
  return kind === "clause";
}

const WITH_SUBJECT = new Set(["clause", "predication"]);

export function isPredicate({ kind }: Entry): boolean {
  return kind === "predicate";
}

/** Whether a longer one of the kind begins at the same word: a verb has one predicate. */
function isShortened(entry: Entry, entries: readonly Entry[]): boolean {
  const { kind, begin, end } = entry;
  if (!WITH_SUBJECT.has(kind) && !isPredicate(entry)) return false;
  return entries.some((each) => each.kind === kind && each.begin === begin && each.end > end);
}

/**
 * Parts that are not brackets already, weighted by the brackets that have them. Several phrases may
 * end with a predicate, so it has a part only where a bracket follows the preposition. A clause has
 * none: its last preposition may be in its subject.
 */
function newParts(entries: readonly Entry[], sentence: RuleSentence): Entry[] {
  const known = new Set(entries.map(keyOf));
  const parts = new Map<string, Entry>();
  for (const entry of entries) {
    if (WITH_SUBJECT.has(entry.kind)) continue;
    for (const part of partsOf(entry, sentence)) {
      const key = keyOf(part);
      const isSure = !isPredicate(entry) || known.has(keyOf({ ...part, begin: part.begin + 1 }));
      if (known.has(key) || !isSure) continue;
      const weight = (parts.get(key)?.weight ?? 0) + entry.weight;
      parts.set(key, { ...part, weight, kind: PART });
    }
  }
  const shownByWords = [
    ...amountsOf(sentence).phrases,
    ...wordPhrasesOf(sentence).phrases,
    ...verbPhrasesOf(sentence),
    ...joinedPredicates(sentence),
  ];
  for (const shown of shownByWords) {
    const key = keyOf(shown);
    if (!known.has(key) && !parts.has(key)) parts.set(key, { ...shown, weight: 1, kind: PART });
  }
  return [...parts.values()];
}

function chunks(entries: readonly Entry[], sentence: RuleSentence): Entry[] {
  return marks(
    entries.filter((entry) => isChunk(entry, sentence)),
    CHUNK,
  );
}

/**
 * A bracket is no fragment, unless it is a clause that something precedes.
 *
 * @param joined clauses that end where something is joined to their verb phrase
 */
function fragments(
  entries: readonly Entry[],
  joined: readonly Entry[],
  sentence: RuleSentence,
): Entry[] {
  const known = new Set(entries.filter((entry) => !isClause(entry)).map(keyOf));
  const unknown = fragmentsOf(entries, sentence).filter((span) => !known.has(keyOf(span)));
  const clauses = entries.filter(isClause);
  const fronts = entries.filter(({ begin }) => begin === 0);
  const fronted = frontedClause(clauses, fronts, sentence);
  return marks([...unknown, ...joined, ...(fronted ? [fronted] : [])], FRAGMENT);
}

function fragmentsOf(entries: readonly Entry[], sentence: RuleSentence): Span[] {
  const answers = entries.filter(isAnswer);
  const predicates = entries.filter(isPredicate);
  const fromWords = [
    ...amountsOf(sentence).fragments,
    ...wordPhrasesOf(sentence).fragments,
    ...auxiliaryFragments(sentence),
    ...unmodifiedFragments(sentence),
    ...joinedFragments(sentence),
  ];
  const fromBrackets = entries.flatMap((entry) => {
    const possessor = possessorOf(entry, sentence);
    const verb = predicates.find(({ begin, end }) => entry.begin < begin && end === entry.end);
    return [
      ...(possessor ? possessionFragments(entry, possessor, sentence) : []),
      ...(possessor ? possessorFragments(possessor) : []),
      ...(isPredicate(entry) ? predicateFragments(entry, answers) : []),
      ...(isPredicate(entry) ? particleFragments(entry, sentence) : []),
      ...(isPredicate(entry) ? adverbFragments(entry, sentence) : []),
      ...modifiedFragments(entry, sentence),
      ...(hasPrefixes(entry, sentence) ? prefixFragments(entry, sentence) : []),
      ...listFragments(entry, sentence),
      ...(entry.kind === "predication" && verb
        ? predicationFragments(entry, verb.begin, sentence)
        : []),
      ...coordinatorFragments(entry, sentence),
    ];
  });
  return [...fromWords, ...fromBrackets];
}

/** Whether its head is known to be its first word, or the noun of a noun phrase that it begins with. */
function hasPrefixes(entry: Entry, { tokens, grammar, verbs }: RuleSentence): boolean {
  if (entry.kind === "clause") return false;
  const isVerbal = verbs.has(entry.begin) || grammar.auxiliaries.has(tokens[entry.begin]);
  return isVerbal || grammar.determiners.has(tokens[entry.begin]);
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
