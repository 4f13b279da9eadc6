/**
 * The conventions under which bracketing F1 is reported. They differ in what is punctuation, what is
 * trivial, and what an empty set is worth, and a number means nothing without its convention's name.
 *
 * - `kim`: that of the compound-PCFG code, the usual one for unsupervised parsing. Leaves other
 *   than Penn's 36 word tags go; of the spans of two or more words in post-order the last one, the
 *   root, is dropped, and only it: over a unary root the whole-sentence span stays in the gold set.
 * - `kim-nofull`: the same with every whole-sentence span dropped, as papers describe it.
 * - `nob`: that of the code released with "Learning Syntax from Naturally-Occurring Bracketings".
 *   Punctuation stays; it is trimmed from the edges of each span, and the longest span is dropped.
 *
 * - `evalb`: that of Sekine and Collins's EVALB with its parameter file COLLINS.prm, the usual one for
 *   supervised parsing. It always compares labels, keeps the root, and counts one-word phrases.
 *
 * What is said here of punctuation is for Penn's tags. In a treebank with other tags all protocols have the same
 * words: all tokens but its punctuation; see punctuation.ts.
 *
 * Without labels a prediction's unary chains count once. They are also looked for after punctuation is gone, so
 * that a tree scores the same whether it was built with punctuation or without.
 */

import { category } from "../trees/labels.js";
import { isWrapper } from "../trees/transform.js";
import type { Constituent, Leaf, Span } from "../trees/tree.js";
import { isNobWord, isPennWord, PENN, type Punctuation, type WordRule } from "./punctuation.js";
import { EVALB_PUNCTUATION } from "./tag-sets.js";

/** What a protocol needs to know about a gold sentence. */
export interface Sentence {
  /** The number of tokens. */
  readonly length: number;
  /** For each position, how many tokens before it are words under the protocol. */
  readonly wordsBefore: readonly number[];
  /** The positions of the words. */
  readonly words: readonly number[];
}

/** A scoring convention that compares labels. */
export interface LabelledProtocol {
  /** Its name. */
  readonly name: LabelledProtocolName;
  /** A description in one line. */
  readonly summary: string;
  /** Sentences with fewer words are skipped. */
  readonly minWords: number;
  /** What is punctuation; Penn's unless `withPunctuation` has set another. */
  readonly punctuation: Punctuation;
  /** Whether a token is a word and not punctuation. */
  readonly isWord: WordRule;
  /** The label as it is compared: without function tags and indices. */
  category(label: string): string;
  /**
   * The phrases that count, with their spans as the protocol sees them. Unary chains are not collapsed. One-word
   * phrases count only with `oneWord`.
   */
  counted(
    phrases: readonly Constituent[],
    sentence: Sentence,
    options: { readonly oneWord: boolean },
  ): Constituent[];
  /** Sentence F1 from the sizes of the gold set, the predicted set and their intersection. */
  f1(gold: number, predicted: number, matched: number): number;
}

/** A scoring convention that compares sets of spans, and labels on request. */
export interface Protocol extends LabelledProtocol {
  /** Its name. */
  readonly name: ProtocolName;
  /** Whether phrases of punctuation only count. */
  readonly countsPunctuation: boolean;
  /** A span over tokens as the protocol sees it; undefined if it has fewer than two tokens. */
  project(span: Span, sentence: Sentence): Span | undefined;
  /** The predicted spans that count; gold ones are those of the counted phrases. */
  predicted(phrases: readonly Span[], sentence: Sentence): SpanSet;
}

/**
 * The protocol for a treebank with this punctuation.
 *
 * @example
 * ```ts
 * import { choosePunctuation, PROTOCOLS, TagCounts, withPunctuation } from "bracken/evaluation";
 * import { parsePenn } from "bracken/trees";
 *
 * const counts = new TagCounts();
 * for (const tree of parsePenn("(NP (NN 书) (PU 。))")) counts.add(tree);
 * const protocol = withPunctuation(PROTOCOLS.nob, choosePunctuation("auto", counts));
 * console.log(protocol.punctuation.name); // ctb
 * ```
 */
export function withPunctuation<P extends LabelledProtocol>(
  protocol: P,
  punctuation: Punctuation,
): P {
  if (punctuation.name === PENN.name) return { ...protocol, punctuation };
  return { ...protocol, punctuation, isWord: punctuation.wordRules[0] as WordRule };
}

export function describeSentence(
  leaves: readonly Leaf[],
  protocol: Pick<LabelledProtocol, "isWord">,
): Sentence {
  const wordsBefore = [0];
  const words: number[] = [];
  for (const [position, leaf] of leaves.entries()) {
    if (protocol.isWord(leaf)) words.push(position);
    wordsBefore.push(words.length);
  }
  return { length: leaves.length, wordsBefore, words };
}

/** How many of the span's tokens are words. */
export function countWords({ begin, end }: Span, { wordsBefore }: Sentence): number {
  return (wordsBefore[end] as number) - (wordsBefore[begin] as number);
}

/** Spans as a set. */
export class SpanSet {
  readonly #spans = new Map<string, Span>();

  constructor(spans: Iterable<Span> = []) {
    for (const span of spans) this.#spans.set(key(span), { begin: span.begin, end: span.end });
  }

  /** Whether the span is in the set. */
  has(span: Span): boolean {
    return this.#spans.has(key(span));
  }

  /** Removes the span. */
  delete(span: Span): void {
    this.#spans.delete(key(span));
  }

  /** The number of spans. */
  get size(): number {
    return this.#spans.size;
  }

  /** The spans, each once. */
  [Symbol.iterator](): Iterator<Span> {
    return this.#spans.values();
  }

  /** How many spans both sets have. */
  countShared(other: SpanSet): number {
    let shared = 0;
    for (const span of this) if (other.has(span)) shared += 1;
    return shared;
  }
}

function key({ begin, end }: Span): string {
  return `${begin},${end}`;
}

const kim: Protocol = {
  name: "kim",
  summary: "words only, without the root span (compound-PCFG code)",
  minWords: 2,
  punctuation: PENN,
  isWord: isPennWord,
  category,
  countsPunctuation: false,
  project: (span, sentence) => longEnough(overWords(span, sentence), 2),
  counted: (phrases, sentence, { oneWord }) => {
    const seen = (span: Span) => longEnough(overWords(span, sentence), oneWord ? 1 : 2);
    return projectAll(phrases, seen).slice(0, -1);
  },
  predicted: (phrases, sentence) => {
    const set = new SpanSet(projectAll(phrases, (span) => kim.project(span, sentence)));
    set.delete(wholeSentence(sentence));
    return set;
  },
  f1: (gold, predicted, matched) => {
    if (gold === 0) return predicted === 0 ? 1 : 0;
    return (2 * matched) / (gold + predicted);
  },
};

const kimNofull: Protocol = {
  ...kim,
  name: "kim-nofull",
  summary: "as kim, but without any span over the whole sentence",
  counted: (phrases, sentence, { oneWord }) => {
    const seen = (span: Span) => longEnough(overWords(span, sentence), oneWord ? 1 : 2);
    const whole = wholeSentence(sentence);
    return projectAll(phrases, seen).filter((span) => key(span) !== key(whole));
  },
};

const nob: Protocol = {
  name: "nob",
  summary:
    "punctuation trimmed from both ends of spans, without the longest span (the paper's code)",
  minWords: 2,
  punctuation: PENN,
  isWord: isNobWord,
  category,
  countsPunctuation: true,
  project: (span, sentence) => longEnough(trim(span, sentence), 2),
  counted: (phrases, sentence, { oneWord }) => {
    const seen = (span: Span) => {
      const isWord = oneWord && countWords(span, sentence) > 0;
      return longEnough(trim(span, sentence), isWord ? 1 : 2);
    };
    const projected = projectAll(phrases, seen);
    const spans = withoutLongest(projected, sentence);
    return projected.filter((phrase) => spans.has(phrase));
  },
  predicted: (phrases, sentence) =>
    withoutLongest(
      projectAll(phrases, (span) => nob.project(span, sentence)),
      sentence,
    ),
  f1: (gold, predicted, matched) => {
    const precision = predicted === 0 ? 1 : matched / predicted;
    const recall = gold === 0 ? 1 : matched / gold;
    return precision === 0 || recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
  },
};

const evalb: LabelledProtocol = {
  name: "evalb",
  summary: "with labels, the root and one-word phrases (EVALB with COLLINS.prm)",
  minWords: 1,
  punctuation: PENN,
  isWord: ({ tag = "" }) => !EVALB_PUNCTUATION.has(tag),
  category: (label) => (category(label) === "PRT" ? "ADVP" : category(label)),
  counted: (phrases, sentence) => {
    const whole = key(wholeSentence(sentence));
    return projectAll(phrases, (span) => longEnough(overWords(span, sentence), 1)).filter(
      (phrase) => !(isWrapper(phrase.label) && key(phrase) === whole),
    );
  },
  f1: kim.f1,
};

/** The protocols that compare spans, and labels on request, by name. */
export const PROTOCOLS: {
  /** The compound-PCFG code (Kim et al. 2019). */
  readonly kim: Protocol;
  /** `kim` without any span over the whole sentence. */
  readonly "kim-nofull": Protocol;
  /** The code released with Shi et al. 2021. */
  readonly nob: Protocol;
} = { kim, "kim-nofull": kimNofull, nob };

/** The name of a protocol that compares spans, and labels on request. */
export type ProtocolName = "kim" | "kim-nofull" | "nob";

/** All protocols by name. Each can compare labels, `evalb` always does. */
export const LABELLED_PROTOCOLS: typeof PROTOCOLS & {
  /** Sekine and Collins's EVALB with its parameter file COLLINS.prm. */
  readonly evalb: LabelledProtocol;
} = { ...PROTOCOLS, evalb };

/** The name of any protocol. */
export type LabelledProtocolName = ProtocolName | "evalb";

function longEnough(span: Span, least: number): Span | undefined {
  return span.end - span.begin >= least ? span : undefined;
}

/** The span counted in words: what is left of it without punctuation. */
function overWords({ begin, end }: Span, { wordsBefore }: Sentence): Span {
  return { begin: wordsBefore[begin] as number, end: wordsBefore[end] as number };
}

function wholeSentence({ wordsBefore }: Sentence): Span {
  return { begin: 0, end: wordsBefore.at(-1) as number };
}

/** The phrases with the spans that `project` gives them, those without one left out, order kept. */
function projectAll<P extends Span>(
  phrases: readonly P[],
  project: (span: Span) => Span | undefined,
): P[] {
  return phrases.flatMap((phrase) => {
    const span = project(phrase);
    return span ? [{ ...phrase, ...span }] : [];
  });
}

/** The span without punctuation at its edges; punctuation throughout is left as it is. */
function trim({ begin, end }: Span, sentence: Sentence): Span {
  if (countWords({ begin, end }, sentence) === 0) return { begin, end };
  const { wordsBefore, words } = sentence;
  const first = words[wordsBefore[begin] as number] as number;
  const last = words[(wordsBefore[end] as number) - 1] as number;
  return { begin: first, end: last + 1 };
}

/** The rule takes out the longest span: the whole sentence, or a longer run of punctuation. */
function withoutLongest(spans: readonly Span[], sentence: Sentence): SpanSet {
  const set = new SpanSet(spans);
  let longest: Span | undefined;
  for (const span of set) if (!longest || outranks(span, longest, sentence)) longest = span;
  if (longest) set.delete(longest);
  return set;
}

/** Whether `a` is the longer span; of equally long ones that with words is, then the leftmost. */
export function outranks(a: Span, b: Span, sentence: Sentence): boolean {
  const [lengthA, lengthB] = [a.end - a.begin, b.end - b.begin];
  if (lengthA !== lengthB) return lengthA > lengthB;
  const [wordsA, wordsB] = [countWords(a, sentence) > 0, countWords(b, sentence) > 0];
  return wordsA === wordsB ? a.begin < b.begin : wordsA;
}
