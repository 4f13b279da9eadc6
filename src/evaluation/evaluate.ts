/**
 * Scores a stream of predictions against a stream of gold trees, one pair at a time. What is kept
 * of a sentence is four numbers, which significance tests need.
 */

import { describePlace, InputError } from "../errors.js";
import { TABLE_LABELS } from "../trees/labels.js";
import type { LocatedTree } from "../trees/penn-reader.js";
import { PROTOCOLS, type ProtocolName } from "./protocols.js";
import { prepareGold, type SentenceScore, scorePrediction, Totals } from "./score.js";

/** How many gold phrases of a label were found. */
export interface LabelRecall {
  readonly label: string;
  readonly gold: number;
  readonly found: number;
  readonly recall: number;
}

/** The scores of sentences of similar length. */
export interface LengthBucket {
  /** Sentences of `from` to `to` words, both included. */
  readonly from: number;
  readonly to: number;
  readonly totals: Totals;
}

const BUCKET_WIDTH = 10;

/** The scores of one system under a protocol, gathered sentence by sentence. */
export class Evaluation {
  readonly protocol: ProtocolName;
  readonly totals = new Totals();
  /** Sentences without two words, which no protocol scores. */
  skipped = 0;
  /** Sentences whose gold tree has two phrases over all words. */
  unaryRoots = 0;
  /** The counts of each scored sentence, in order. */
  readonly sentences: Pick<SentenceScore, "gold" | "predicted" | "matched" | "f1">[] = [];
  readonly #labels = new Map<string, { gold: number; found: number }>();
  readonly #buckets = new Map<number, Totals>();

  constructor(protocol: ProtocolName) {
    this.protocol = protocol;
  }

  /** Adds one sentence. */
  add(score: SentenceScore | undefined): void {
    if (!score) {
      this.skipped += 1;
      return;
    }
    const { gold, predicted, matched, f1 } = score;
    this.totals.add(score);
    if (score.hasUnaryRoot) this.unaryRoots += 1;
    this.sentences.push({ gold, predicted, matched, f1 });
    for (const { label, found } of score.labels) {
      const count = this.#labels.get(label) ?? { gold: 0, found: 0 };
      count.gold += 1;
      if (found) count.found += 1;
      this.#labels.set(label, count);
    }
    const bucket = Math.ceil(score.words / BUCKET_WIDTH) - 1;
    if (!this.#buckets.has(bucket)) this.#buckets.set(bucket, new Totals());
    this.#buckets.get(bucket)?.add(score);
  }

  /** Recall per label: the paper's six first, then the others from the most frequent. */
  get labels(): LabelRecall[] {
    const others = [...this.#labels.keys()]
      .filter((label) => !TABLE_LABELS.includes(label))
      .sort((a, b) => this.#goldCount(b) - this.#goldCount(a) || (a < b ? -1 : 1));
    return [...TABLE_LABELS, ...others].flatMap((label) => {
      const count = this.#labels.get(label);
      return count ? [{ label, ...count, recall: count.found / count.gold }] : [];
    });
  }

  #goldCount(label: string): number {
    return this.#labels.get(label)?.gold ?? 0;
  }

  get lengths(): LengthBucket[] {
    return [...this.#buckets]
      .sort(([a], [b]) => a - b)
      .map(([bucket, totals]) => ({
        from: Math.max(2, bucket * BUCKET_WIDTH + 1),
        to: (bucket + 1) * BUCKET_WIDTH,
        totals,
      }));
  }
}

/** Scores several systems' predictions against the same gold trees; one evaluation each. */
export async function evaluateStreams(
  gold: AsyncIterable<LocatedTree>,
  predictions: readonly AsyncIterable<LocatedTree>[],
  protocolName: ProtocolName,
): Promise<Evaluation[]> {
  const protocol = PROTOCOLS[protocolName];
  const evaluations = predictions.map(() => new Evaluation(protocolName));
  const streams = predictions.map((stream) => stream[Symbol.asyncIterator]());
  let read = 0;
  for await (const goldTree of gold) {
    read += 1;
    const prepared = prepareGold(goldTree, protocol);
    for (const [index, stream] of streams.entries()) {
      const { value: predicted } = await stream.next();
      if (!predicted) throw tooFew(goldTree, read);
      evaluations[index]?.add(prepared && scorePrediction(prepared, predicted, protocol));
    }
  }
  for (const stream of streams) {
    const { value: extra } = await stream.next();
    if (extra) throw tooMany(extra, read);
  }
  for (const { totals } of evaluations) {
    if (totals.sentences === 0) throw nothingToScore(read);
  }
  return evaluations;
}

const SAME_SENTENCES = "both must hold the same sentences in the same order";

function tooFew(gold: LocatedTree, read: number): InputError {
  return new InputError(
    `the prediction ends after ${read - 1} trees; the gold tree at ${describePlace(gold)} has no partner`,
    {},
    SAME_SENTENCES,
  );
}

function tooMany({ file, line }: LocatedTree, read: number): InputError {
  return new InputError(
    `more predictions than gold trees: this is tree ${read + 1}, gold has ${read}`,
    { file, line },
    SAME_SENTENCES,
  );
}

export function nothingToScore(read: number): InputError {
  return new InputError(
    `none of the ${read} gold trees has two words to bracket`,
    {},
    "check that this is the treebank you meant, and that its tags are Penn's",
  );
}
