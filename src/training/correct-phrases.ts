/**
 * Corrects teachers by what is known of a language's phrases; their student learns from the corrected probabilities.
 *
 * - A prepositional phrase has an object that is a phrase, so it is no likelier than its object. Of "(moved it) to a
 *   house near Rome" a model may find "to a house" and the whole likely, and "a house near Rome" unlikely; it then joins
 *   two phrases that are sisters.
 * - A verb or preposition heads one phrase, in which all that belongs to it are sisters (Bies et al. 1995). So of the
 *   phrases that begin with it and end at different words only one is right, unless a coordinator joins two.
 */

import { type SpanMatrix, spanIndex } from "../chart/index.js";
import type { Grammar } from "../languages/grammar.js";
import type { LabelVotes } from "../languages/labels.js";
import type { HeadRule } from "../languages/language.js";

/** The probabilities of the spans of a sentence. */
export interface PhraseBeliefs {
  readonly tokens: readonly string[];
  /** The probability that a tree has the span. */
  readonly marginals: SpanMatrix;
  /** The probability that the span is a phrase if a tree has it. Corrections change it. */
  readonly phrases: SpanMatrix;
  /** Whether people marked the span as a phrase; such spans keep their probability. */
  isPhrase(begin: number, end: number): boolean;
}

/** Lowers the phrase probabilities of spans that begin with a preposition, so that none is likelier than its object. */
export function limitToObjects(beliefs: PhraseBeliefs, grammar: Grammar): void {
  const { tokens, marginals, phrases } = beliefs;
  const size = tokens.length;
  const valueAt = (matrix: SpanMatrix, at: number) => matrix[at] as number;
  // From the right, so that an object which is a prepositional phrase itself is limited first.
  for (let begin = size - 3; begin >= 0; begin--) {
    if (!hasObjectAfter(begin, tokens, grammar)) continue;
    for (let end = begin + 3; end <= size; end++) {
      const at = spanIndex(size, begin, end);
      const marginal = valueAt(marginals, at);
      if (marginal === 0 || beliefs.isPhrase(begin, end)) continue;
      const inner = spanIndex(size, begin + 1, end);
      const most = (valueAt(marginals, inner) * valueAt(phrases, inner)) / marginal;
      if (valueAt(phrases, at) > most) phrases[at] = most;
    }
  }
}

/** Not in "because of Rome", whose first word has no object by itself, and not in "in which he lived", which is a clause. */
function hasObjectAfter(at: number, tokens: readonly string[], grammar: Grammar): boolean {
  const isPair = grammar.twoWordPrepositions.has(tokens.slice(at, at + 2).join(" "));
  return grammar.prepositions.has(tokens[at]) && !isPair && !grammar.whPronouns.has(tokens[at + 1]);
}

/** What decides which phrases begin with their head. */
export interface HeadKnowledge {
  readonly grammar: Grammar;
  /** How the head of a phrase is found, by label. */
  readonly heads: Readonly<Record<string, HeadRule>>;
  /** The probability of each label of a span. */
  labelsOf(begin: number, end: number): LabelVotes;
}

/** A span that may be the phrase of its first word. */
interface Candidate {
  readonly at: number;
  /** The probability that its label is of the kind. */
  readonly share: number;
  /** The probability that it is a phrase of the kind. */
  readonly weight: number;
  readonly isSure: boolean;
}

/** Spans below this probability hardly count, and are not named. */
const LEAST = 0.02;

/** Lowers the probabilities of phrases with the same head at their beginning, so that they sum to at most 1. */
export function limitToOnePhrase(beliefs: PhraseBeliefs, knowledge: HeadKnowledge): void {
  for (let begin = 0; begin + 2 < beliefs.tokens.length; begin++) {
    const kinds = candidatesFrom(begin, beliefs, knowledge);
    for (const candidates of kinds.values()) lowerToOne(candidates, beliefs.phrases);
  }
}

/** The spans from a word to before the first coordinator, by the kind of phrase that its word may head. */
function candidatesFrom(
  begin: number,
  { tokens, marginals, phrases, isPhrase }: PhraseBeliefs,
  { grammar, heads, labelsOf }: HeadKnowledge,
): Map<string, Candidate[]> {
  const kinds = new Map<string, Candidate[]>();
  for (let end = begin + 2; end <= tokens.length; end++) {
    if (grammar.coordinators.has(tokens[end - 1])) break;
    const at = spanIndex(tokens.length, begin, end);
    const total = (marginals[at] as number) * (phrases[at] as number);
    if (total < LEAST) continue;
    for (const [kind, probability] of headedKinds(labelsOf(begin, end), heads)) {
      const isSure = isPhrase(begin, end);
      const candidate = { at, share: probability, weight: total * probability, isSure };
      kinds.set(kind, [...(kinds.get(kind) ?? []), candidate]);
    }
  }
  return kinds;
}

/** The probabilities of phrases that begin with their head: a verb phrase may have a clause above it (`S+VP`). */
function headedKinds(
  labels: LabelVotes,
  heads: Readonly<Record<string, HeadRule>>,
): Map<string, number> {
  const kinds = new Map<string, number>();
  for (const [label, probability] of Object.entries(labels)) {
    const innermost = label.slice(label.lastIndexOf("+") + 1);
    if (heads[innermost]?.word !== "first") continue;
    kinds.set(innermost, (kinds.get(innermost) ?? 0) + probability);
  }
  return kinds;
}

/** Lowers those that are not sure, in proportion, if all together are more than one phrase. */
function lowerToOne(candidates: readonly Candidate[], phrases: SpanMatrix): void {
  const sum = (some: readonly Candidate[]) => some.reduce((total, { weight }) => total + weight, 0);
  const open = candidates.filter(({ isSure }) => !isSure);
  const left = Math.max(0, 1 - sum(candidates.filter(({ isSure }) => isSure)));
  const mass = sum(open);
  if (mass <= left) return;
  for (const { at, share: probability } of open) {
    phrases[at] = (phrases[at] as number) * (1 - probability * (1 - left / mass));
  }
}
