/** The counts of one sentence under a protocol, and the totals of many sentences. */

import { InputError } from "../errors.js";
import { tableLabel } from "../trees/labels.js";
import type { LocatedTree } from "../trees/penn-reader.js";
import { unwrapRoot } from "../trees/transform.js";
import { type Constituent, constituents, type Leaf, leaves, type Span } from "../trees/tree.js";
import { alignPrediction } from "./align.js";
import {
  countWords,
  describeSentence,
  type LabelledProtocol,
  type Protocol,
  type Sentence,
  SpanSet,
} from "./protocols.js";

/** The counts of a sentence, from which all measures are made. */
export interface Counts {
  /** Phrases in gold. */
  readonly gold: number;
  /** Phrases in the prediction. */
  readonly predicted: number;
  /** Phrases in both. */
  readonly matched: number;
  /** F1 of the sentence under the protocol. */
  readonly f1: number;
}

/** The counts of one sentence. */
export interface SentenceScore extends Counts {
  /** The number of words, without punctuation. */
  readonly words: number;
  /** The label of each gold phrase that counts, and whether it was found. */
  readonly labels: readonly {
    /** The label. */
    readonly label: string;
    /** Whether the phrase was found. */
    readonly found: boolean;
  }[];
  /** Whether the gold tree has two phrases over all words, that is, without punctuation a unary root. */
  readonly hasUnaryRoot: boolean;
}

/** A gold sentence under a protocol. */
export interface GoldSentence {
  /** The tree without wrappers, and its place. */
  readonly located: LocatedTree;
  /** What the protocol needs to know about the sentence. */
  readonly sentence: Sentence;
  /** The number of words, without punctuation. */
  readonly words: number;
  /** All phrases of the tree, in post-order. */
  readonly phrases: readonly Constituent[];
  /** Whether the tree has two phrases over all words, that is, without punctuation a unary root. */
  readonly hasUnaryRoot: boolean;
}

/** A gold tree that is prepared for scoring any number of predictions. */
export interface PreparedGold extends GoldSentence {
  /** The spans that predictions should have. */
  readonly spans: SpanSet;
  /** The phrases that recall per label counts. */
  readonly labelled: readonly Constituent[];
}

/** Undefined where the protocol skips the sentence: it has too few words. */
export function readGold(gold: LocatedTree, protocol: LabelledProtocol): GoldSentence | undefined {
  const located = { ...gold, tree: unwrapRoot(gold.tree) };
  const tokens = leaves(located.tree);
  if (protocol.punctuation.needsTags) checkTags(tokens, gold);
  const sentence = describeSentence(tokens, protocol);
  const words = sentence.wordsBefore.at(-1) as number;
  if (words < protocol.minWords) return undefined;
  const phrases = constituents(located.tree);
  const whole = phrases.filter((phrase) => countWords(phrase, sentence) === words);
  return { located, sentence, words, phrases, hasUnaryRoot: whole.length > 1 };
}

function checkTags(tokens: readonly Leaf[], { file, line }: LocatedTree): void {
  const untagged = tokens.find(({ tag }) => tag === undefined);
  if (!untagged) return;
  throw new InputError(
    `the gold word "${untagged.word}" has no part-of-speech tag`,
    { file, line },
    "punctuation is recognised by its tag: write gold words as (TAG word), or use --punctuation characters",
  );
}

/** Undefined where the protocol skips the sentence: it has no more than one word. */
export function prepareGold(gold: LocatedTree, protocol: Protocol): PreparedGold | undefined {
  const read = readGold(gold, protocol);
  if (!read) return undefined;
  const labelled = protocol.counted(read.phrases, read.sentence, { oneWord: false });
  return { ...read, spans: new SpanSet(labelled), labelled };
}

/**
 * Scores one predicted tree against prepared gold.
 * @throws InputError if its words are not those of the gold tree.
 */
export function scorePrediction(
  gold: PreparedGold,
  prediction: LocatedTree,
  protocol: Protocol,
): SentenceScore {
  const phrases = alignPrediction(gold.located, prediction, protocol.punctuation);
  return scoreSpans(gold, phrases, protocol);
}

/** Scores phrases that already are over the gold tokens. */
export function scoreSpans(
  gold: PreparedGold,
  phrases: readonly Span[],
  protocol: Protocol,
): SentenceScore {
  const predicted = protocol.predicted(phrases, gold.sentence);
  const matched = gold.spans.countShared(predicted);
  return {
    words: gold.words,
    gold: gold.spans.size,
    predicted: predicted.size,
    matched,
    f1: protocol.f1(gold.spans.size, predicted.size, matched),
    hasUnaryRoot: gold.hasUnaryRoot,
    labels: gold.labelled.map((phrase) => ({
      label: tableLabel(phrase.label),
      found: predicted.has(phrase),
    })),
  };
}

/** Counts over many sentences, and the measures made from them. */
export class Totals {
  /** The number of sentences. */
  sentences = 0;
  /** Phrases in gold. */
  gold = 0;
  /** Phrases in the predictions. */
  predicted = 0;
  /** Phrases in both. */
  matched = 0;
  #f1 = 0;

  /** Adds the counts of a sentence. */
  add(score: Counts): void {
    this.sentences += 1;
    this.gold += score.gold;
    this.predicted += score.predicted;
    this.matched += score.matched;
    this.#f1 += score.f1;
  }

  /** The mean of the F1 of all sentences. */
  get sentenceF1(): number {
    return this.#f1 / this.sentences;
  }

  /** matched / predicted; 1 if nothing was predicted. */
  get precision(): number {
    return this.predicted === 0 ? 1 : this.matched / this.predicted;
  }

  /** matched / gold; 1 if gold has nothing. */
  get recall(): number {
    return this.gold === 0 ? 1 : this.matched / this.gold;
  }

  /** F1 of the counts of all sentences together. */
  get corpusF1(): number {
    return corpusF1(this.gold, this.predicted, this.matched);
  }
}

/** F1 of the counts of many sentences together. */
export function corpusF1(gold: number, predicted: number, matched: number): number {
  return gold + predicted === 0 ? 1 : (2 * matched) / (gold + predicted);
}
