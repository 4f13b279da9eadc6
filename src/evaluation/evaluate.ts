/**
 * Scores a stream of predictions against a stream of gold trees, one pair at a time. What is kept
 * of a sentence is four numbers, which significance tests need.
 */

import { describePlace, InputError } from "../errors.js";
import { readAhead } from "../streams/read-ahead.js";
import { isMissing, type LocatedTree, type TreebankEntry } from "../trees/penn-reader.js";
import { WordMismatch } from "./align.js";
import { EvalbSummaries } from "./evalb.js";
import { orderLabels } from "./label-order.js";
import { LabelledEvaluation } from "./labelled.js";
import type { LabelledProtocolName } from "./protocols.js";
import {
  choosePunctuation,
  PENN,
  type Punctuation,
  TagCounts,
  TOKENS_TO_TELL,
} from "./punctuation.js";
import type { Counts, Totals } from "./score.js";
import { Scorer, type SentenceResult } from "./scorer.js";
import { type LengthBucket, Tally } from "./tally.js";

/** How many gold phrases of a label were found. */
export interface LabelRecall {
  /** The label. */
  readonly label: string;
  /** The number of gold phrases with this label. */
  readonly gold: number;
  /** How many of them were found. */
  readonly found: number;
  /** found / gold. */
  readonly recall: number;
}

/** What is scored besides spans. */
export interface EvaluationOptions {
  /** Also compare labels. The protocol `evalb` always does. */
  readonly labelled?: boolean | undefined;
  /** With `labelled`: also count one-word phrases. The protocol `evalb` always does. */
  readonly oneWord?: boolean | undefined;
  /**
   * What is punctuation in gold: `auto` (default), the name of a tag set (`penn`, `universal`, `ctb`, `icon`,
   * `keyaki`, `greynir`), `characters`, or a list of tags.
   */
  readonly punctuation?: string | undefined;
}

/** The scores of one system under a protocol, collected sentence by sentence. */
export class Evaluation {
  /** The name of the protocol. */
  readonly protocol: LabelledProtocolName;
  /** What is punctuation. */
  readonly punctuation: Punctuation;
  /** Sentences with fewer than two words (under `evalb`: without words), which are not scored. */
  skipped = 0;
  /** Sentences that some system gave other words, which `evalb` leaves out. */
  mismatched = 0;
  /** Sentences without a gold tree or without a predicted one, which are left out. */
  missing = 0;
  /** Sentences whose gold tree has two phrases over all words. */
  unaryRoots = 0;
  /** The scores with labels, if they are compared. */
  readonly labelled: LabelledEvaluation | undefined;
  /** EVALB's summary under the protocol `evalb`. */
  readonly evalb: EvalbSummaries | undefined;
  readonly #tally = new Tally();
  readonly #labels = new Map<string, { gold: number; found: number }>();

  constructor(
    protocol: LabelledProtocolName,
    options: Omit<EvaluationOptions, "punctuation"> = {},
    punctuation: Punctuation = PENN,
  ) {
    this.protocol = protocol;
    this.punctuation = punctuation;
    const isEvalb = protocol === "evalb";
    if (isEvalb) this.evalb = new EvalbSummaries();
    if (isEvalb || options.labelled) {
      this.labelled = new LabelledEvaluation({ oneWord: isEvalb || options.oneWord === true });
    }
  }

  /** The totals of all sentences: of spans, and under `evalb` of labelled phrases. */
  get totals(): Totals {
    return this.#tally.totals;
  }

  /** The counts of each scored sentence, in order. */
  get sentences(): readonly Counts[] {
    return this.#tally.sentences;
  }

  /** Adds one sentence. */
  add(score: SentenceResult | undefined): void {
    if (!score) {
      this.skipped += 1;
      return;
    }
    this.#tally.add(score, score.words);
    if (score.hasUnaryRoot) this.unaryRoots += 1;
    for (const { label, found } of score.labels) {
      const count = this.#labels.get(label) ?? { gold: 0, found: 0 };
      count.gold += 1;
      if (found) count.found += 1;
      this.#labels.set(label, count);
    }
    if (!score.labelled) return;
    this.labelled?.add(score.labelled, score.words);
    this.evalb?.add(score.labelled);
  }

  /** Recall per label, labels not compared: the paper's six first, then from the most frequent. */
  get labels(): LabelRecall[] {
    const frequency = (label: string) => this.#labels.get(label)?.gold ?? 0;
    return orderLabels(this.#labels.keys(), frequency).flatMap((label) => {
      const count = this.#labels.get(label);
      return count ? [{ label, ...count, recall: count.found / count.gold }] : [];
    });
  }

  /** The totals by sentence length. */
  get lengths(): LengthBucket[] {
    return this.#tally.lengths(this.evalb ? 1 : 2);
  }
}

/**
 * Scores the predictions of several systems against the same gold trees. A sentence without one of its trees is
 * left out for all systems, so that they stay comparable.
 *
 * @param gold the gold trees, for example from `readTreebank`.
 * @param predictions the trees of each system, for the same sentences in the same order.
 * @returns one evaluation per system.
 * @throws InputError if they are not trees of the same sentences, or if labels are compared and a system's trees
 * have none.
 * @example
 * ```ts no-run
 * import { compareSystems, evaluateStreams } from "bracken/evaluation";
 * import { readTreebank } from "bracken/treebanks";
 *
 * const systems = ["ours.txt", "theirs.txt"].map((file) => readTreebank(file));
 * const [ours, theirs] = await evaluateStreams(readTreebank("wsj/"), systems, "nob");
 * console.log(ours?.totals.sentenceF1, ours?.labels);
 * if (ours && theirs) console.log(compareSystems(ours.sentences, theirs.sentences));
 * ```
 */
export async function evaluateStreams(
  gold: AsyncIterable<TreebankEntry>,
  predictions: readonly AsyncIterable<TreebankEntry>[],
  protocolName: LabelledProtocolName,
  options: EvaluationOptions = {},
): Promise<Evaluation[]> {
  const { punctuation, trees } = await tellPunctuation(gold, options.punctuation);
  const scorer = new Scorer(protocolName, options, punctuation);
  const evaluations = predictions.map(() => new Evaluation(protocolName, options, punctuation));
  const streams = predictions.map((stream) => withoutStray(stream));
  let read = 0;
  const mismatches: WordMismatch[] = [];
  for await (const goldEntry of withoutStray(trees)) {
    read += 1;
    const entries = await nextOfEach(streams);
    if (!entries) throw tooFew(goldEntry, read);
    const predicted = entries.filter(isTree);
    if (!isTree(goldEntry) || predicted.length < entries.length) {
      for (const evaluation of evaluations) evaluation.missing += 1;
      continue;
    }
    try {
      const scores = scorer.score(goldEntry, predicted);
      for (const [index, evaluation] of evaluations.entries()) evaluation.add(scores?.[index]);
    } catch (error) {
      if (!(error instanceof WordMismatch && protocolName === "evalb")) throw error;
      if (mismatches.push(error) > EVALB_MAX_ERRORS) throw error;
      for (const evaluation of evaluations) evaluation.mismatched += 1;
    }
  }
  for (const stream of streams) {
    const { value: extra } = await stream.next();
    if (extra) throw tooMany(extra, read);
  }
  for (const [index, { totals, labelled, missing }] of evaluations.entries()) {
    if (totals.sentences === 0) throw mismatches[0] ?? nothingToScore(read, missing);
    if (labelled?.isNameless) throw nameless(index, evaluations.length);
  }
  return evaluations;
}

/**
 * What is punctuation in a treebank, told by its first trees.
 * @returns also the stream of its trees, from the first one on.
 */
export async function tellPunctuation<Entry extends TreebankEntry>(
  entries: AsyncIterable<Entry>,
  request = "auto",
): Promise<{ punctuation: Punctuation; trees: AsyncGenerator<Entry> }> {
  const counts = new TagCounts();
  const trees = await readAhead(entries, (entry) => {
    if (isTree(entry)) counts.add(entry.tree);
    return counts.tokens >= TOKENS_TO_TELL;
  });
  return { punctuation: choosePunctuation(request, counts), trees };
}

/** The next entry of each stream; undefined if one has ended. */
async function nextOfEach(
  streams: readonly AsyncGenerator<TreebankEntry>[],
): Promise<TreebankEntry[] | undefined> {
  const entries: TreebankEntry[] = [];
  for (const stream of streams) {
    const { value, done } = await stream.next();
    if (done) return undefined;
    entries.push(value);
  }
  return entries;
}

async function* withoutStray(entries: AsyncIterable<TreebankEntry>): AsyncGenerator<TreebankEntry> {
  for await (const entry of entries) if (isTree(entry) || entry.reason !== "stray") yield entry;
}

function isTree(entry: TreebankEntry): entry is LocatedTree {
  return !isMissing(entry);
}

/** EVALB leaves out sentences with other words, and gives up when there are more than these. */
const EVALB_MAX_ERRORS = 10;

const SAME_SENTENCES = "both must hold the same sentences in the same order";

function tooFew(gold: TreebankEntry, read: number): InputError {
  return new InputError(
    `the prediction ends after ${read - 1} trees; the gold tree at ${describePlace(gold)} has no prediction`,
    {},
    SAME_SENTENCES,
  );
}

function tooMany({ file, line }: TreebankEntry, read: number): InputError {
  return new InputError(
    `more predictions than gold trees: this is tree ${read + 1}, gold has ${read}`,
    { file, line },
    SAME_SENTENCES,
  );
}

export function nothingToScore(read: number, missing = 0): InputError {
  const left = missing > 0 ? `${missing} of ${read} sentences have no tree, and ` : "";
  return new InputError(
    `${left}none of the ${read - missing} gold trees has two words to bracket`,
    {},
    "check that this is the treebank you meant, and what counts as punctuation (--punctuation)",
  );
}

function nameless(index: number, systems: number): InputError {
  const whose = systems === 1 ? "" : ["first ", "second "][index];
  return new InputError(
    `the ${whose}predicted trees have no labels to compare: every phrase is called X or nothing`,
    {},
    "use a model or trees with labels, or score spans alone: a protocol other than evalb, without --labelled",
  );
}
