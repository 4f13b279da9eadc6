/**
 * Which spans to ask people about. An answer is worth what it is expected to add to the expected F1 of its sentence's
 * tree (`answerValue`). What is learnt from it also serves similar spans elsewhere, so a span counts more if many spans
 * of the corpus have its pattern, and less the more of them were asked about before: questions are spread over the
 * corpus and are not all of one kind.
 *
 * The pattern of a span is its first and last word and the words beside it, as far as they are frequent: most of what
 * can be doubted about a phrase is doubted because of these.
 */

import { isBalanced, isEdgePunctuation } from "../brackets/clean.js";
import { answeredProbabilities, answerValue, Chart } from "../chart/index.js";
import { spanIndex } from "../chart/matrix.js";
import type { Random } from "../random.js";
import { cross, type Span } from "../trees/tree.js";

/** A sentence that can be asked about, with the scores of a model. */
export interface PoolSentence {
  readonly id: string;
  readonly tokens: readonly string[];
  readonly scores: Float32Array;
}

/** A question that could be asked. */
export interface Candidate {
  readonly sentence: PoolSentence;
  readonly span: Span;
  /** How probable "yes" is. */
  readonly probability: number;
  readonly pattern: string;
  /** What the answer is expected to add to the expected F1 of the sentence's tree. */
  readonly value: number;
}

/** A span is asked about only if both answers are possible. */
const LEAST_PROBABILITY = 0.05;

/** Candidates per sentence whose value is computed: those about which the model is least sure. */
const MOST_CANDIDATES = 6;

/** So many words of the corpus are part of patterns. */
const FREQUENT_WORDS = 100;

/** The weight of a pattern each time it was asked about. */
const REPEATED = 0.5;

export class QuestionPool {
  readonly #sentences: readonly PoolSentence[];
  readonly #hasPhrases: boolean;
  readonly #frequent: ReadonlySet<string>;
  readonly #chart = new Chart();
  readonly #known = new Map<string, { phrases: Span[]; fragments: Span[]; asked: Set<string> }>();
  /** By sentence; computed when it is needed. */
  readonly #candidates = new Map<string, readonly Candidate[]>();
  /** Sentences whose candidates were counted. */
  readonly #counted = new Set<string>();
  /** How many candidates of the pool have a pattern, and how many were asked. */
  readonly #patterns = new Map<string, { count: number; asked: number }>();

  /** @param hasPhrases whether the model has phrase probabilities. */
  constructor(sentences: readonly PoolSentence[], hasPhrases: boolean) {
    this.#sentences = sentences.filter(({ tokens }) => tokens.length > 2);
    this.#hasPhrases = hasPhrases;
    this.#frequent = frequentWords(this.#sentences);
  }

  /** Tells that a span was asked about, with the answer if there was one. */
  know({ id, tokens }: Pick<PoolSentence, "id" | "tokens">, span: Span, isPhrase?: boolean): void {
    const known = this.#knownOf(id);
    // Whoever said yes to both of two crossing spans was wrong once: no tree has both.
    if (isPhrase === true && !known.phrases.some((other) => cross(other, span))) {
      known.phrases.push(span);
    }
    if (isPhrase === false) known.fragments.push(span);
    known.asked.add(keyOf(span));
    const pattern = this.#patternOf(tokens, span);
    const counts = this.#patterns.get(pattern) ?? { count: 1, asked: 0 };
    this.#patterns.set(pattern, { ...counts, asked: counts.asked + 1 });
    this.#candidates.delete(id);
  }

  /** Computes all candidates; between sentences the caller may do other work. */
  *prepare(): Generator<void> {
    for (const sentence of this.#sentences) {
      this.#candidatesOf(sentence);
      yield;
    }
  }

  /** The question that is expected to teach most; undefined if there is none left. */
  best(isFree: (candidate: Candidate) => boolean = () => true): Candidate | undefined {
    let best: { candidate: Candidate; worth: number } | undefined;
    // All first: what a candidate is worth depends on how many others have its pattern.
    const candidates = this.#sentences.flatMap((sentence) => this.#candidatesOf(sentence));
    for (const candidate of candidates) {
      const worth = this.#worth(candidate);
      if (worth > (best?.worth ?? 0) && isFree(candidate)) best = { candidate, worth };
    }
    return best?.candidate;
  }

  /** A question about any span that both answers are possible for. */
  random(
    random: Random,
    isFree: (candidate: Candidate) => boolean = () => true,
  ): Candidate | undefined {
    // Sentences may have no candidate left; after so many tries the pool is as good as empty.
    for (let attempt = 0; attempt < 20 + 20 * this.#sentences.length; attempt++) {
      const sentence = this.#sentences[random.below(this.#sentences.length)] as PoolSentence;
      const possible = this.#possible(sentence);
      if (possible.length === 0) continue;
      const { span, probability } = possible[random.below(possible.length)] as Possible;
      const pattern = this.#patternOf(sentence.tokens, span);
      const candidate = { sentence, span, probability, pattern, value: 0 };
      if (isFree(candidate)) return candidate;
    }
    return undefined;
  }

  #worth({ value, pattern }: Candidate): number {
    const { count, asked } = this.#patterns.get(pattern) ?? { count: 1, asked: 0 };
    return value * Math.log2(1 + count) * REPEATED ** asked;
  }

  #knownOf(id: string) {
    const known = this.#known.get(id) ?? { phrases: [], fragments: [], asked: new Set<string>() };
    this.#known.set(id, known);
    return known;
  }

  #candidatesOf(sentence: PoolSentence): readonly Candidate[] {
    const found = this.#candidates.get(sentence.id);
    if (found) return found;
    const { tokens, scores, id } = sentence;
    const doubtful = this.#possible(sentence)
      .sort((a, b) => Math.abs(a.probability - 0.5) - Math.abs(b.probability - 0.5))
      .slice(0, MOST_CANDIDATES);
    const options = { hasPhrases: this.#hasPhrases };
    const isFirst = !this.#counted.has(id);
    const candidates = doubtful.map(({ span, probability }): Candidate => {
      const known = this.#knownOf(id);
      const value = answerValue(scores, tokens.length, span, known, options, this.#chart);
      const pattern = this.#patternOf(tokens, span);
      if (isFirst) this.#count(pattern);
      return { sentence, span, probability, pattern, value };
    });
    this.#counted.add(id);
    this.#candidates.set(id, candidates);
    return candidates;
  }

  #count(pattern: string): void {
    const counts = this.#patterns.get(pattern) ?? { count: 0, asked: 0 };
    this.#patterns.set(pattern, { ...counts, count: counts.count + 1 });
  }

  /** Spans that were not asked about and may be phrases or not. */
  #possible({ id, tokens, scores }: PoolSentence): Possible[] {
    const known = this.#knownOf(id);
    const size = tokens.length;
    const options = { hasPhrases: this.#hasPhrases };
    const probabilities = answeredProbabilities(scores, size, known, options, this.#chart);
    return [...askableSpans(tokens)].flatMap((span) => {
      const probability = probabilities[spanIndex(size, span.begin, span.end)] as number;
      const isPossible = probability >= LEAST_PROBABILITY && probability <= 1 - LEAST_PROBABILITY;
      return isPossible && !known.asked.has(keyOf(span)) ? [{ span, probability }] : [];
    });
  }

  #patternOf(tokens: readonly string[], { begin, end }: Span): string {
    const word = (at: number) => {
      const token = tokens[at]?.toLowerCase();
      if (token === undefined) return "";
      return this.#frequent.has(token) ? token : "*";
    };
    return [begin - 1, begin, end - 1, end].map(word).join(" ");
  }
}

interface Possible {
  readonly span: Span;
  readonly probability: number;
}

/** Spans of two or more words, not the whole sentence, without punctuation at the ends. */
export function* askableSpans(tokens: readonly string[]): Generator<Span> {
  const isEdge = tokens.map(isEdgePunctuation);
  const first = isEdge.indexOf(false);
  const last = isEdge.lastIndexOf(false);
  for (let begin = first; begin >= 0 && begin < last; begin++) {
    if (isEdge[begin]) continue;
    for (let end = begin + 2; end <= last + 1; end++) {
      if (isEdge[end - 1] || (begin === first && end === last + 1)) continue;
      if (isBalanced(tokens.slice(begin, end))) yield { begin, end };
    }
  }
}

function frequentWords(sentences: readonly PoolSentence[]): Set<string> {
  const counts = new Map<string, number>();
  for (const token of sentences.flatMap(({ tokens }) => tokens)) {
    const word = token.toLowerCase();
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const ranked = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return new Set(ranked.slice(0, FREQUENT_WORDS).map(([word]) => word));
}

function keyOf({ begin, end }: Span): string {
  return `${begin},${end}`;
}
