/**
 * How a worker parses a round: sentences of all models are cut into runs of similar length, because
 * batches have sentences of one length. Each is decoded with the options of its request.
 */

import type { Decoder } from "../parser/decoder.js";
import { parseEach } from "../parser/parse-each.js";
import { toParseRecord } from "../parser/parse-record.js";
import type { Parse, ParseChart, ParseProblem } from "../parser/sentence.js";
import { cutChunks } from "../parser/worker-decoder.js";
import { problemRecord, type Task, type TaskRecord } from "./task.js";
import { MAX_CHART_WORDS } from "./wire.js";

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
  const record = toParseRecord(parse, options);
  const whole = options.chart ? { ...record, chart: encodeChart(parse) } : record;
  return { json: JSON.stringify(whole), isProblem: false };
}

/** Null where the sentence is too long for its chart to be sent, or was not parsed. */
function encodeChart({ leaves, chart }: Parse) {
  if (!chart || leaves.length > MAX_CHART_WORDS) return null;
  const { decoding, scores, marginals } = chart;
  return { size: leaves.length, decoding, scores: base64(scores), marginals: base64(marginals) };
}

function base64(matrix: ParseChart["scores"]): string {
  const { buffer, byteOffset, byteLength } = Float32Array.from(matrix);
  return Buffer.from(buffer, byteOffset, byteLength).toString("base64");
}

/** Indices of the wanted tasks in runs of similar length, the shortest first. */
export function cutRuns(tasks: readonly Task[], isWanted: (task: Task) => boolean): number[][] {
  const wanted = [...tasks.keys()].filter((index) => isWanted(tasks[index] as Task));
  const lengths = wanted.map((index) => {
    const { input, options } = tasks[index] as Task;
    // What is too long to be parsed does not go through the encoder.
    return input.leaves.length > options.maxTokens ? 0 : input.leaves.length;
  });
  return cutChunks(lengths, RUN_WORDS)
    .toReversed()
    .map((run) => run.map((at) => wanted[at] as number));
}
