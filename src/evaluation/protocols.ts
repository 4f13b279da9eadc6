/**
 * The three conventions under which unlabelled bracketing F1 is reported. They differ in what is
 * punctuation, what is trivial, and what an empty set is worth, and a number means nothing without
 * its convention's name.
 *
 * - `kim`: that of the compound-PCFG code, the usual one for unsupervised parsing. Leaves other
 *   than Penn's 36 word tags go; of the spans of two or more words in post-order the last one, the
 *   root, is dropped, and only it: over a unary root the whole-sentence span stays in the gold set.
 * - `kim-nofull`: the same with every whole-sentence span dropped, as papers describe it.
 * - `nob`: that of the code released with "Learning Syntax from Naturally-Occurring Bracketings".
 *   Punctuation stays; it is trimmed from the edges of each span, and the longest span is dropped.
 *
 * A prediction's unary chains count once. They are also looked for after punctuation is gone, so
 * that a tree scores the same whether it was built with punctuation or without.
 */

import type { Constituent, Span } from "../trees/tree.js";

/** What a protocol needs to know of a gold sentence. */
export interface Sentence {
  readonly length: number;
  /** For each position how many tokens before it are words to the protocol. */
  readonly wordsBefore: readonly number[];
}

/** A scoring convention: which spans of a sentence count, and what empty sets are worth. */
export interface Protocol {
  readonly name: ProtocolName;
  readonly summary: string;
  /** Whether a token with this tag is a word, as opposed to punctuation. */
  isWord(tag: string): boolean;
  /** Whether phrases of nothing but punctuation count. */
  readonly countsPunctuation: boolean;
  /** A span over tokens as the protocol sees it; undefined where it has fewer than two tokens. */
  project(span: Span, sentence: Sentence): Span | undefined;
  /** The gold spans that count, and the labelled phrases that recall per label counts. */
  gold(phrases: readonly Constituent[], sentence: Sentence): GoldSpans;
  /** The predicted spans that count. */
  predicted(phrases: readonly Span[], sentence: Sentence): SpanSet;
  /** Sentence F1 from the sizes of the gold set, the predicted set and their intersection. */
  f1(gold: number, predicted: number, matched: number): number;
}

/** The gold spans of a sentence under a protocol. */
export interface GoldSpans {
  readonly spans: SpanSet;
  readonly labelled: readonly Constituent[];
}

export function describeSentence(tags: readonly string[], protocol: Protocol): Sentence {
  const wordsBefore = [0];
  for (const tag of tags) {
    wordsBefore.push((wordsBefore.at(-1) as number) + (protocol.isWord(tag) ? 1 : 0));
  }
  return { length: tags.length, wordsBefore };
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

  /** Takes the span out of the set. */
  delete(span: Span): void {
    this.#spans.delete(key(span));
  }

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

const WORD_TAGS = new Set(
  `CC CD DT EX FW IN JJ JJR JJS LS MD NN NNS NNP NNPS PDT POS PRP PRP$ RB RBR RBS RP SYM TO UH
   VB VBD VBG VBN VBP VBZ WDT WP WP$ WRB`.split(/\s+/),
);

const NOB_PUNCTUATION = new Set([".", ",", ":", "-LRB-", "-RRB-", "''", "``", "#", "$"]);

const kim: Protocol = {
  name: "kim",
  summary: "words only, the root span dropped (compound-PCFG code)",
  isWord: (tag) => WORD_TAGS.has(tag),
  countsPunctuation: false,
  project: ({ begin, end }, { wordsBefore }) =>
    unlessTrivial({ begin: wordsBefore[begin] as number, end: wordsBefore[end] as number }),
  gold: (phrases, sentence) => {
    const labelled = projectAll(kim, phrases, sentence).slice(0, -1);
    return { spans: new SpanSet(labelled), labelled };
  },
  predicted: (phrases, sentence) => withoutFull(projectAll(kim, phrases, sentence), sentence),
  f1: (gold, predicted, matched) => {
    if (gold === 0) return predicted === 0 ? 1 : 0;
    return (2 * matched) / (gold + predicted);
  },
};

const kimNofull: Protocol = {
  ...kim,
  name: "kim-nofull",
  summary: "as kim, every whole-sentence span dropped",
  gold: (phrases, sentence) => {
    const projected = projectAll(kim, phrases, sentence);
    const spans = withoutFull(projected, sentence);
    return { spans, labelled: projected.filter((phrase) => spans.has(phrase)) };
  },
};

const nob: Protocol = {
  name: "nob",
  summary: "punctuation trimmed from edges, the longest span dropped (the paper's code)",
  isWord: (tag) => !NOB_PUNCTUATION.has(tag),
  countsPunctuation: true,
  project: (span, sentence) => unlessTrivial(trim(span, sentence)),
  gold: (phrases, sentence) => {
    const projected = projectAll(nob, phrases, sentence);
    const spans = withoutLongest(projected, sentence);
    return { spans, labelled: projected.filter((phrase) => spans.has(phrase)) };
  },
  predicted: (phrases, sentence) => withoutLongest(projectAll(nob, phrases, sentence), sentence),
  f1: (gold, predicted, matched) => {
    const precision = predicted === 0 ? 1 : matched / predicted;
    const recall = gold === 0 ? 1 : matched / gold;
    return precision === 0 || recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
  },
};

/** The protocols by name. */
export const PROTOCOLS = { kim, "kim-nofull": kimNofull, nob } as const;

/** The name of a protocol. */
export type ProtocolName = "kim" | "kim-nofull" | "nob";

function unlessTrivial(span: Span): Span | undefined {
  return span.end - span.begin >= 2 ? span : undefined;
}

/** The phrases as the protocol sees them, trivial ones left out, order kept. */
function projectAll<P extends Span>(
  protocol: Protocol,
  phrases: readonly P[],
  sentence: Sentence,
): P[] {
  return phrases.flatMap((phrase) => {
    const span = protocol.project(phrase, sentence);
    return span ? [{ ...phrase, ...span }] : [];
  });
}

function withoutFull(spans: readonly Span[], { wordsBefore }: Sentence): SpanSet {
  const set = new SpanSet(spans);
  set.delete({ begin: 0, end: wordsBefore.at(-1) as number });
  return set;
}

/** The span without punctuation at its edges; punctuation throughout is left as it is. */
function trim({ begin, end }: Span, sentence: Sentence): Span {
  if (countWords({ begin, end }, sentence) === 0) return { begin, end };
  const { wordsBefore } = sentence;
  let [first, last] = [begin, end];
  while (wordsBefore[first + 1] === wordsBefore[begin]) first += 1;
  while (wordsBefore[last - 1] === wordsBefore[end]) last -= 1;
  return { begin: first, end: last };
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
