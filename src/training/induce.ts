/** Induces categories from files of Bracketings, and writes the Bracketings with votes for them. */

import { type RawBracket, toLists, toRawBrackets } from "../brackets/bracket-fields.js";
import { readBracketings } from "../brackets/read-bracketings.js";
import { type Bracketing, isMark, LABEL } from "../brackets/record.js";
import { InputError } from "../errors.js";
import { isRegularFile } from "../files/input.js";
import { checkOutput } from "../files/output.js";
import type { RunKey } from "../files/resumable.js";
import { openSink } from "../files/sink.js";
import { TextInput } from "../files/text-input.js";
import type { ModelFolder } from "../model/folder.js";
import { SpanModel, type SpanModelOptions } from "../model/span-model.js";
import type { Span } from "../trees/tree.js";
import {
  Categories,
  type CategoryDescription,
  checkCategories,
  SentenceSample,
  type SpannedSentence,
} from "./categories.js";
import type { LabelledSpan } from "./examples.js";
import { type RewriteProgress, rewriteSteps, writeSteps } from "./rewrite.js";
import { spansToName } from "./spans-to-name.js";

/** Options of `induce`. */
export interface InduceOptions extends Pick<SpanModelOptions, "precision" | "threads"> {
  /** How many categories there are to be. */
  readonly categories: number;
  /** The seed of the sample and of the clustering. */
  readonly seed: number;
  /** Cluster only brackets of these kinds; by default of all. */
  readonly kinds?: ReadonlySet<string> | undefined;
  /** Called with messages for the user. */
  readonly onNote?: ((note: string) => void) | undefined;
}

/**
 * Writes the Bracketings of all files with votes for induced categories, in place of the votes that they had.
 *
 * @param out the file to write.
 * @returns the categories, the most frequent first.
 */
export async function induce(
  files: readonly string[],
  folder: ModelFolder,
  out: string,
  options: InduceOptions,
): Promise<readonly CategoryDescription[]> {
  await checkRepeatable(files);
  const { categories: count, seed, kinds, precision = "fp32", threads } = options;
  const sentenceOf = (record: Bracketing): SpannedSentence => {
    return { words: record.tokens, spans: spansToName(record, kinds) };
  };
  const sample = await sampleFiles(files, sentenceOf, seed);
  checkCategories(
    count,
    sample.reduce((sum, { spans }) => sum + spans.length, 0),
  );
  await checkOutput(out, files);
  const model = await SpanModel.load(folder, { precision, threads, vectors: true });
  try {
    const categories = await Categories.induce(model, sample, count, { seed });
    const wanted = kinds ? [...kinds].sort() : "all";
    const key: RunKey = { model: folder.identity, count, seed, kinds: wanted, precision };
    const sink = await openSink<RewriteProgress>(out, { inputs: files, key });
    if (sink.note) options.onNote?.(sink.note);
    const rewrite = async (records: readonly Bracketing[]) => {
      const labelled = await categories.label(model, records.map(sentenceOf));
      return records.map((record, at) => withVotes(record, labelled[at] as LabelledSpan[]));
    };
    const rewriting = { isWanted: () => true, rewrite };
    await writeSteps(sink, (done) => rewriteSteps({ files, done }, rewriting));
    return categories.descriptions;
  } finally {
    await model.close();
  }
}

/** Files are read twice: for the sample, and to write them. */
async function checkRepeatable(files: readonly string[]): Promise<void> {
  for (const file of files) {
    if (await isRegularFile(file)) continue;
    throw new InputError(
      "this input can be read only once, but has to be read twice",
      { file },
      "write it to a file first",
    );
  }
}

async function sampleFiles(
  files: readonly string[],
  sentenceOf: (record: Bracketing) => SpannedSentence,
  seed: number,
): Promise<SpannedSentence[]> {
  const sample = new SentenceSample(seed);
  for (const file of files) {
    for await (const record of readBracketings(new TextInput(file))) sample.add(sentenceOf(record));
  }
  return sample.sentences;
}

/** The record with these votes only; spans that are no brackets get entries of their own. */
function withVotes(record: Bracketing, labelled: readonly LabelledSpan[]): Bracketing {
  const keyOf = ({ begin, end }: Span) => `${begin},${end}`;
  const votes = new Map(labelled.map((span) => [keyOf(span), span.votes]));
  const taken = new Set<string>();
  const kept = toRawBrackets(record)
    .filter(({ kind }) => kind !== LABEL)
    .map((bracket): RawBracket => {
      const found = isMark(bracket.kind) ? undefined : votes.get(keyOf(bracket));
      if (found) taken.add(keyOf(bracket));
      return { ...bracket, labels: found };
    });
  const added = labelled
    .filter((span) => !taken.has(keyOf(span)))
    .map(
      ({ begin, end, votes: labels }): RawBracket => ({
        begin,
        end,
        kind: LABEL,
        weight: 1,
        labels,
      }),
    );
  const all = [...kept, ...added];
  const isWritten = ({ list }: { readonly list: keyof Bracketing }) =>
    record[list] !== undefined || list === "weights" || list === "kinds" || list === "labels";
  return {
    ...record,
    brackets: all.map(({ begin, end }) => [begin, end] as const),
    ...toLists(all, isWritten),
  };
}
