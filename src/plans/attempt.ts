/** One attempt at a part: its output, and the receipt for it. */

import { createHash, randomBytes } from "node:crypto";
import { cpus } from "node:os";
import type { DonePlace, InputPlace } from "../files/shard.js";
import { packageVersion } from "../version.js";
import { workerName } from "./claims.js";
import type { PartRunner } from "./jobs.js";
import type { Part, Plan, PlannedInput } from "./plan.js";
import { outputName, PARTS, type Receipt, writeReceipt } from "./receipts.js";
import type { Store } from "./store.js";

export interface Attempt {
  readonly plan: Plan;
  readonly store: Store;
  readonly runner: PartRunner;
  readonly part: Part;
  readonly signal: AbortSignal;
  /** Told how much is done, from 0 to 1. */
  tell(share: number): void;
}

export interface AttemptResult {
  readonly receipt: Receipt;
  /** Whether another was first, so that this one does not count. */
  readonly isLate: boolean;
}

/** Does the part. If it fails, it leaves nothing behind. */
export async function attemptPart(attempt: Attempt): Promise<AttemptResult> {
  const { plan, store, runner, part, signal, tell } = attempt;
  const started = performance.now();
  const before = process.cpuUsage();
  const name = outputName(part.part, randomBytes(4).toString("hex"));
  const output = await store.output(`${PARTS}/${name}`);
  const hash = createHash("sha256");
  let bytes = 0;
  const write = async (text: string, done: DonePlace) => {
    const chunk = Buffer.from(text);
    hash.update(chunk);
    bytes += chunk.length;
    await output.write(chunk);
    tell(shareOf(plan.inputs, part, done));
  };
  try {
    const counts = await runner.run(part, { write, signal });
    signal.throwIfAborted();
    await output.close();
    const { user, system } = process.cpuUsage(before);
    const seconds = inSeconds(performance.now() - started);
    const processorSeconds = inSeconds((user + system) / 1000);
    const times = { seconds, processorSeconds };
    const made = { output: name, bytes, sha256: hash.digest("hex"), counts, ...times };
    const receipt = receiptOf(plan, part, made);
    const isLate = !(await writeReceipt(store, receipt));
    if (isLate) await store.remove(`${PARTS}/${name}`);
    return { receipt, isLate };
  } catch (error) {
    await output.discard();
    throw error;
  }
}

function inSeconds(ms: number): number {
  return Number((ms / 1000).toFixed(3));
}

function receiptOf(
  { id, job }: Plan,
  { part, from, to }: Part,
  made: Pick<Receipt, "output" | "bytes" | "sha256" | "counts" | "seconds" | "processorSeconds">,
): Receipt {
  const models = "models" in job ? job.models.map(({ identity }) => identity) : [];
  return {
    ...{ plan: id, part, from, to, ...made, models },
    worker: workerName(),
    version: packageVersion(),
    node: process.version,
    processor: `${cpus()[0]?.model ?? "unknown"} (${process.arch})`,
  };
}

/** How much of a part is done, by the places of its inputs. */
function shareOf(inputs: readonly PlannedInput[], { from, to }: Part, done: InputPlace): number {
  const last = inputs.length - 1;
  const end = to ?? { input: last, position: inputs[last]?.size ?? 0 };
  const all = between(inputs, from, end);
  return all > 0 ? Math.min(1, between(inputs, from, done) / all) : 1;
}

function between(inputs: readonly PlannedInput[], from: InputPlace, to: InputPlace): number {
  const passed = inputs.slice(from.input, to.input).reduce((sum, { size }) => sum + size, 0);
  return passed - from.position + to.position;
}
