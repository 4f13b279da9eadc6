/**
 * How a worker parses a round: sentences of all models are cut into runs of similar length, because
 * batches have sentences of one length. Each is decoded with the options of its request.
 */

import type { Decoder } from "../parser/decoder.js";
import { parseEach } from "../parser/parse-each.js";
import { toParseRecord } from "../parser/parse-record.js";
import { phrasesOf } from "../parser/phrases.js";
import type { Parse, ParseProblem } from "../parser/sentence.js";
import type { LabelChart } from "../parser/sentence-labels.js";
import { cutChunks } from "../parser/worker-decoder.js";
import { problemRecord, type Task, type TaskOptions, type TaskRecord } from "./task.js";
import {
  type AnsweredRecord,
  type ChartRecord,
  MAX_CHART_WORDS,
  type PhrasesRecord,
} from "./wire.js";

export interface Finished {
  readonly index: number;
  readonly record: TaskRecord;
}

/** About how many words a run has: enough for a few batches. */
const RUN_WORDS = 1024;

export class RoundParser {
  readonly #decoders: ReadonlyMap<string, Decoder>;

  /** The decoder of each model, by the model's name. */
  constructor(decoders: ReadonlyMap<string, Decoder>) {
    this.#decoders = decoders;
  }

  /** Calls back after each run, and before the last one. */
  async parse(
    tasks: readonly Task[],
    onFinished: (finished: Finished[]) => void,
    onLast: () => void,
  ): Promise<void> {
    const runs = [...this.#decoders].flatMap(([model, decoder]) =>
      cutRuns(tasks, (task) => task.model === model).map((run) => ({ run, decoder })),
    );
    for (const [at, { run, decoder }] of runs.entries()) {
      if (at === runs.length - 1) onLast();
      const chosen = run.map((index) => tasks[index] as Task);
      const parses = await parseEach(decoder, chosen);
      onFinished(
        run.map((index, place) => ({
          index,
          record: toTaskRecord(parses[place] as Parse | ParseProblem, tasks[index] as Task),
        })),
      );
    }
  }
}

function toTaskRecord(parse: Parse | ParseProblem, { options }: Task): TaskRecord {
  if ("problem" in parse) return problemRecord(parse.problem);
  const record = options.phrases
    ? phrasesRecord(parse, options.phrases)
    : treeRecord(parse, options);
  return { json: JSON.stringify(record), isProblem: false };
}

function treeRecord(parse: Parse, options: TaskOptions): AnsweredRecord {
  const record = toParseRecord(parse, options);
  return options.chart ? { ...record, chart: encodeChart(parse) } : record;
}

function phrasesRecord(
  parse: Parse,
  { labels, nesting }: NonNullable<TaskOptions["phrases"]>,
): PhrasesRecord {
  const { fallback } = parse;
  const found = phrasesOf(parse, new Set(labels), { nesting });
  const phrases = found.map(({ sentence: _, ...phrase }) => phrase);
  return fallback === undefined ? { phrases } : { phrases, fallback };
}

/** Null if the sentence is too long for its chart to be sent, or was not parsed. */
function encodeChart({ leaves, chart }: Parse): ChartRecord | null {
  if (!chart || leaves.length > MAX_CHART_WORDS) return null;
  const { decoding, scores, marginals, labels } = chart;
  return {
    size: leaves.length,
    decoding,
    scores: base64(Float32Array.from(scores)),
    marginals: base64(Float32Array.from(marginals)),
    ...(labels ? { labels: encodeLabels(labels) } : {}),
  };
}

function encodeLabels({ classes, best, probabilities }: LabelChart) {
  return { classes, best: base64(best), probabilities: base64(probabilities) };
}

function base64({ buffer, byteOffset, byteLength }: Float32Array | Uint16Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString("base64");
}

/** Indices of the wanted tasks in runs of similar length, the shortest first. */
export function cutRuns(tasks: readonly Task[], isWanted: (task: Task) => boolean): number[][] {
  const wanted = [...tasks.keys()].filter((index) => isWanted(tasks[index] as Task));
  const lengths = wanted.map((index) => {
    const { input, options } = tasks[index] as Task;
    // A sentence over the limit does not go through the encoder, so it costs nothing.
    return input.leaves.length > options.maxTokens ? 0 : input.leaves.length;
  });
  return cutChunks(lengths, RUN_WORDS)
    .toReversed()
    .map((run) => run.map((at) => wanted[at] as number));
}
