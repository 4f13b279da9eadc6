/**
 * Categories of phrases, induced from brackets alone: spans whose first and last words have similar vectors in their
 * context are in one category. They are found in a sample; any span then belongs to the category with the nearest
 * centre. The two words are what the label scorer sees of a span, so it can learn the categories.
 */

import { InputError } from "../errors.js";
import type { SpanModel } from "../model/span-model.js";
import { Random } from "../random.js";
import { NO_PHRASE } from "../trees/labels.js";
import type { Span } from "../trees/tree.js";
import {
  assignPoints,
  type Clustering,
  type ClusterOptions,
  clusterPoints,
  type Points,
  unitVector,
} from "./clusters.js";
import type { LabelledSpan } from "./examples.js";

/** A sentence and its brackets. */
export interface SpannedSentence {
  readonly words: readonly string[];
  readonly spans: readonly Span[];
}

/** A category as people see it. */
export interface CategoryDescription {
  /** `C1`, `C2`, … */
  readonly name: string;
  /** Its share of the brackets. */
  readonly share: number;
  /** Its most typical phrases, the most typical first. */
  readonly phrases: readonly string[];
}

/** With more brackets the centres hardly move; these take 60 MB with vectors of size 384. */
export const SAMPLED_SPANS = 20_000;

/** Perhaps a word without a bracket is a phrase, and nobody was asked about it. */
const NO_PHRASE_VOTE = 0.5;

/** @throws InputError if there are fewer brackets than categories. */
export function checkCategories(categories: number, brackets: number): void {
  if (brackets >= categories) return;
  const found = brackets === 1 ? "1 bracket is" : `${brackets} brackets are`;
  throw new InputError(
    `${found} too few for ${categories} categories`,
    {},
    "ask for fewer categories, or give more data",
  );
}

/** The names of so many categories. */
export function categoryNames(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `C${index + 1}`);
}

interface DrawnSentence {
  readonly key: number;
  readonly index: number;
  readonly sentence: SpannedSentence;
}

/** A random sample of sentences with about a given number of brackets, from a stream of any length. */
export class SentenceSample {
  readonly #random: Random;
  readonly #limit: number;
  #chosen: DrawnSentence[] = [];
  #spans = 0;
  #count = 0;

  constructor(seed: number, limit = SAMPLED_SPANS) {
    this.#random = new Random(seed);
    this.#limit = limit;
  }

  add(sentence: SpannedSentence): void {
    if (sentence.spans.length === 0) return;
    this.#chosen.push({ key: this.#random.uint32(), index: this.#count++, sentence });
    this.#spans += sentence.spans.length;
    if (this.#spans > 2 * this.#limit) this.#cut();
  }

  /** The sample, in the order of the stream. */
  get sentences(): SpannedSentence[] {
    this.#cut();
    return [...this.#chosen].sort((a, b) => a.index - b.index).map(({ sentence }) => sentence);
  }

  /** Keeps the sentences with the lowest keys: a later sentence has the same chance as an earlier one. */
  #cut(): void {
    const kept: DrawnSentence[] = [];
    let spans = 0;
    for (const each of this.#chosen.sort((a, b) => a.key - b.key || a.index - b.index)) {
      if (spans >= this.#limit) break;
      kept.push(each);
      spans += each.sentence.spans.length;
    }
    [this.#chosen, this.#spans] = [kept, spans];
  }
}

/** Categories that were found, and the spans that belong to them. */
export class Categories {
  readonly #mean: Float32Array;
  readonly #centres: Float32Array;
  readonly #names: readonly string[];
  /** The categories, the most frequent first. */
  readonly descriptions: readonly CategoryDescription[];

  private constructor(
    mean: Float32Array,
    centres: Float32Array,
    descriptions: readonly CategoryDescription[],
  ) {
    this.#mean = mean;
    this.#centres = centres;
    this.#names = descriptions.map(({ name }) => name);
    this.descriptions = descriptions;
  }

  /**
   * Finds categories in a sample of sentences.
   *
   * @param model must give the vectors of words.
   */
  static async induce(
    model: SpanModel,
    sample: readonly SpannedSentence[],
    count: number,
    { seed, onRound }: Pick<ClusterOptions, "seed" | "onRound">,
  ): Promise<Categories> {
    const width = 2 * model.config.bert.hiddenSize;
    const total = sample.reduce((sum, { spans }) => sum + spans.length, 0);
    const data = new Float32Array(total * width);
    let at = 0;
    for (const vectors of await spanVectors(model, sample)) {
      data.set(vectors, at);
      at += vectors.length;
    }
    const mean = meanRow({ data, width });
    const points = centred({ data, width }, mean);
    const found = bySize(await clusterPoints(points, count, { seed, onRound }), width);
    return new Categories(mean, found.centres, describe(found, sample, count));
  }

  /** Votes for the category of each bracket and of the whole sentence, and against other words as phrases. */
  async label(model: SpanModel, sentences: readonly SpannedSentence[]): Promise<LabelledSpan[][]> {
    const wanted = sentences.map(({ words, spans }) => {
      return { words, spans: [...spans, { begin: 0, end: words.length }] };
    });
    const all = await spanVectors(model, wanted);
    return wanted.map(({ words, spans }, index) => {
      const points = { data: all[index] as Float32Array, width: this.#mean.length };
      const { clusters } = assignPoints(centred(points, this.#mean), this.#centres);
      const named = spans.map(({ begin, end }, at): LabelledSpan => {
        return { begin, end, votes: { [this.#names[clusters[at] as number] as string]: 1 } };
      });
      return [...named, ...otherWords(words.length, spans)];
    });
  }
}

/** Words that no bracket marks by themselves. */
function otherWords(size: number, spans: readonly Span[]): LabelledSpan[] {
  const marked = new Set(spans.flatMap(({ begin, end }) => (end - begin === 1 ? [begin] : [])));
  return Array.from({ length: size }, (_, begin) => begin)
    .filter((begin) => !marked.has(begin))
    .map((begin) => ({ begin, end: begin + 1, votes: { [NO_PHRASE]: NO_PHRASE_VOTE } }));
}

/** The vectors of each sentence's spans: of the first word, then of the last. */
async function spanVectors(
  model: SpanModel,
  sentences: readonly SpannedSentence[],
): Promise<Float32Array[]> {
  const width = model.config.bert.hiddenSize;
  const found = new Array<Float32Array>(sentences.length);
  for await (const { index, vectors } of model.scores(sentences.map(({ words }) => words))) {
    const { spans } = sentences[index] as SpannedSentence;
    const rows = new Float32Array(spans.length * 2 * width);
    const row = (word: number) =>
      (vectors as Float32Array).subarray(word * width, (word + 1) * width);
    for (const [at, { begin, end }] of spans.entries()) {
      rows.set(row(begin), 2 * at * width);
      rows.set(row(end - 1), (2 * at + 1) * width);
    }
    found[index] = rows;
  }
  return found;
}

function meanRow({ data, width }: Points): Float32Array {
  const sums = new Float64Array(width);
  for (let at = 0; at < data.length; at++) {
    sums[at % width] = (sums[at % width] as number) + (data[at] as number);
  }
  return Float32Array.from(sums, (sum) => (sum * width) / data.length);
}

/** All vectors of an encoder lie in one direction; what tells them apart is how they differ from their mean. */
function centred({ data, width }: Points, mean: Float32Array): Points {
  const points = new Float32Array(data.length);
  for (let place = 0; place < data.length; place += width) {
    const gap = data.slice(place, place + width);
    for (let d = 0; d < width; d++) gap[d] = (gap[d] as number) - (mean[d] as number);
    points.set(unitVector(gap) ?? gap, place);
  }
  return { data: points, width };
}

/** The same clusters, the largest first. */
function bySize({ centres, clusters, ...found }: Clustering, width: number): Clustering {
  const sizes = new Uint32Array(centres.length / width);
  for (const cluster of clusters) sizes[cluster] = (sizes[cluster] as number) + 1;
  const order = [...sizes.keys()].sort(
    (a, b) => (sizes[b] as number) - (sizes[a] as number) || a - b,
  );
  const sorted = new Float32Array(centres.length);
  for (const [place, cluster] of order.entries()) {
    sorted.set(centres.subarray(cluster * width, (cluster + 1) * width), place * width);
  }
  return { ...found, centres: sorted, clusters: clusters.map((cluster) => order.indexOf(cluster)) };
}

function describe(
  { clusters, cosines }: Clustering,
  sample: readonly SpannedSentence[],
  count: number,
): CategoryDescription[] {
  const phrases = sample.flatMap(({ words, spans }) =>
    spans.map(({ begin, end }) => words.slice(begin, end)),
  );
  return categoryNames(count).map((name, category) => {
    const members = [...clusters.keys()]
      .filter((at) => clusters[at] === category)
      .sort((a, b) => (cosines[b] as number) - (cosines[a] as number) || a - b);
    const nearest = members.map((at) => phrases[at] as readonly string[]);
    return { name, share: members.length / clusters.length, phrases: typical(nearest) };
  });
}

const SHOWN_PHRASES = 8;
const LONGEST_SHOWN = 10;

/** The first phrases that are short enough to read; one whose first and last words were both seen adds nothing. */
function typical(phrases: readonly (readonly string[])[]): string[] {
  const [firsts, lasts] = [new Set<string>(), new Set<string>()];
  const short = phrases.filter(({ length }) => length <= LONGEST_SHOWN);
  const various = short.filter((words) => {
    const [first, last] = [words[0] as string, words.at(-1) as string].map((word) =>
      word.toLowerCase(),
    );
    if (firsts.has(first as string) && lasts.has(last as string)) return false;
    firsts.add(first as string);
    lasts.add(last as string);
    return true;
  });
  const shown = various.length > 0 ? various : phrases;
  return shown.slice(0, SHOWN_PHRASES).map((words) => words.join(" "));
}

/** The categories as a file in which people can name them; model/label-names.ts reads it. */
export function categoriesText(categories: readonly CategoryDescription[]): string {
  const width = Math.max(...categories.map(({ name }) => name.length));
  return [
    "# Categories of brackets, each with its share and its most typical phrases.",
    "# Write a name behind a category (C1 NP), then: bracken model name FOLDER THIS-FILE",
    "# Categories with the same name become one label; those without a name keep theirs.",
    "",
    ...categories.map(({ name, share, phrases }) => {
      const percent = `${(100 * share).toFixed(1)} %`.padStart(6);
      return `${name.padEnd(width)}      # ${percent}  ${phrases.join(" | ")}`;
    }),
    "",
  ].join("\n");
}
