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
import { answeredProbabilities, answerValue, Chart, type SpanAnswers } from "../chart/index.js";
import { spanIndex } from "../chart/matrix.js";
import type { Random } from "../random.js";
import { cross, type Span } from "../trees/tree.js";

/** A sentence that can be asked about. */
export interface AskableSentence {
  readonly id: string;
  readonly tokens: readonly string[];
}

/** The scores of a model for the spans of a sentence. */
export interface SentenceScores {
  readonly scores: Float32Array;
  /** Whether they have phrase log-odds. */
  readonly hasPhrases: boolean;
}

/** What is known about a span: whether it is a phrase, or only that it was asked about. */
export interface KnownSpan {
  readonly span: Span;
  readonly isPhrase: boolean | undefined;
}

/** A question that could be asked. */
export interface Candidate {
  readonly sentence: AskableSentence;
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

/** A sentence of the pool. */
interface Entry {
  readonly sentence: AskableSentence;
  /** Without them, nothing is asked about the sentence. */
  scored: SentenceScores | undefined;
  known: readonly KnownSpan[];
  /** Computed when they are needed. */
  possible: readonly Possible[] | undefined;
  candidates: readonly Candidate[] | undefined;
  /** The patterns of its candidates before anything was known; undefined until they are counted. */
  counted: readonly string[] | undefined;
}

const UNKNOWN = { possible: undefined, candidates: undefined } as const;

export class QuestionPool {
  readonly #entries = new Map<string, Entry>();
  readonly #frequent: ReadonlySet<string>;
  readonly #chart = new Chart();
  /** How many candidates of the pool have a pattern, and how many spans with it were asked about. */
  readonly #patterns = new Map<string, { count: number; asked: number }>();

  constructor(sentences: readonly AskableSentence[]) {
    const long = sentences.filter(({ tokens }) => tokens.length > 2);
    this.#frequent = frequentWords(long);
    for (const sentence of long) {
      const nothing = { scored: undefined, counted: undefined, ...UNKNOWN };
      this.#entries.set(sentence.id, { sentence, known: [], ...nothing });
    }
  }

  /** Gives a sentence its scores, in place of those that it had. */
  score(id: string, scored: SentenceScores): void {
    const entry = this.#entries.get(id);
    if (!entry) return;
    for (const pattern of entry.counted ?? []) this.#count(pattern, { count: -1 });
    Object.assign(entry, { scored, counted: undefined, ...UNKNOWN });
  }

  /** Computes what the questions about a sentence are worth, so that `best` need not: it takes some milliseconds. */
  prepare(id: string): void {
    const entry = this.#entries.get(id);
    if (entry) this.#candidatesOf(entry);
  }

  /** How many sentences have scores, and how many there are. */
  get ready(): { readonly scored: number; readonly sentences: number } {
    const entries = [...this.#entries.values()];
    return { scored: entries.filter(({ scored }) => scored).length, sentences: entries.length };
  }

  /** Tells what is known about a sentence, in place of what was known before. */
  know(id: string, known: readonly KnownSpan[]): void {
    const entry = this.#entries.get(id);
    if (!entry) return;
    const { tokens } = entry.sentence;
    for (const { span } of entry.known) this.#count(this.#patternOf(tokens, span), { asked: -1 });
    for (const { span } of known) this.#count(this.#patternOf(tokens, span), { asked: 1 });
    Object.assign(entry, { known, ...UNKNOWN });
  }

  /** Tells what is known about one more span. */
  learn(id: string, span: Span, isPhrase?: boolean): void {
    this.know(id, [...(this.#entries.get(id)?.known ?? []), { span, isPhrase }]);
  }

  /** The question that is expected to teach most; undefined if there is none left. */
  best(isFree: (candidate: Candidate) => boolean = () => true): Candidate | undefined {
    let best: { candidate: Candidate; worth: number } | undefined;
    // All first: what a candidate is worth depends on how many others have its pattern.
    const candidates = [...this.#entries.values()].flatMap((entry) => this.#candidatesOf(entry));
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
    const entries = [...this.#entries.values()];
    if (entries.length === 0) return undefined;
    // Sentences may have no candidate left; after so many tries the pool is as good as empty.
    for (let attempt = 0; attempt < 20 + 20 * entries.length; attempt++) {
      const entry = entries[random.below(entries.length)] as Entry;
      const possible = this.#possible(entry);
      if (possible.length === 0) continue;
      const { span, probability } = possible[random.below(possible.length)] as Possible;
      const pattern = this.#patternOf(entry.sentence.tokens, span);
      const candidate = { sentence: entry.sentence, span, probability, pattern, value: 0 };
      if (isFree(candidate)) return candidate;
    }
    return undefined;
  }

  #worth({ value, pattern }: Candidate): number {
    const { count, asked } = this.#patterns.get(pattern) ?? { count: 1, asked: 0 };
    return value * Math.log2(1 + Math.max(1, count)) * REPEATED ** asked;
  }

  #count(pattern: string, { count = 0, asked = 0 }: { count?: number; asked?: number }): void {
    const before = this.#patterns.get(pattern) ?? { count: 0, asked: 0 };
    this.#patterns.set(pattern, { count: before.count + count, asked: before.asked + asked });
  }

  #candidatesOf(entry: Entry): readonly Candidate[] {
    const { sentence, scored } = entry;
    if (!scored) return [];
    if (entry.candidates) return entry.candidates;
    const doubtful = [...this.#possible(entry)]
      .sort((a, b) => Math.abs(a.probability - 0.5) - Math.abs(b.probability - 0.5))
      .slice(0, MOST_CANDIDATES);
    const known = answersOf(entry);
    const candidates = doubtful.map(({ span, probability }): Candidate => {
      const { tokens } = sentence;
      const value = answerValue(scored.scores, tokens.length, span, known, scored, this.#chart);
      return { sentence, span, probability, pattern: this.#patternOf(tokens, span), value };
    });
    if (!entry.counted) {
      entry.counted = candidates.map(({ pattern }) => pattern);
      for (const pattern of entry.counted) this.#count(pattern, { count: 1 });
    }
    entry.candidates = candidates;
    return candidates;
  }

  /** Spans that were not asked about and may be phrases or not. */
  #possible(entry: Entry): readonly Possible[] {
    entry.possible ??= this.#computePossible(entry);
    return entry.possible;
  }

  #computePossible(entry: Entry): Possible[] {
    const { scored, known, sentence } = entry;
    if (!scored) return [];
    const size = sentence.tokens.length;
    const probabilities = answeredProbabilities(
      scored.scores,
      size,
      answersOf(entry),
      scored,
      this.#chart,
    );
    const asked = new Set(known.map(({ span }) => keyOf(span)));
    return [...askableSpans(sentence.tokens)].flatMap((span) => {
      const probability = probabilities[spanIndex(size, span.begin, span.end)] as number;
      const isPossible = probability >= LEAST_PROBABILITY && probability <= 1 - LEAST_PROBABILITY;
      return isPossible && !asked.has(keyOf(span)) ? [{ span, probability }] : [];
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

/** Whoever said yes to both of two crossing spans was wrong once: no tree has both, and the first one counts. */
function answersOf({ known }: Entry): SpanAnswers {
  const phrases: Span[] = [];
  for (const { span, isPhrase } of known) {
    if (isPhrase && !phrases.some((other) => cross(other, span))) phrases.push(span);
  }
  return { phrases, fragments: known.filter((each) => each.isPhrase === false).map(spanOf) };
}

function spanOf({ span }: KnownSpan): Span {
  return span;
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

function frequentWords(sentences: readonly AskableSentence[]): Set<string> {
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
