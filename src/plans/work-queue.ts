/**
 * A worker that takes parts from a queue. BullMQ gives a part to one worker at a time: its lock must be renewed within the
 * lease, or the part goes back. As with claims, that only saves work: what counts is the first receipt, so a worker
 * that hung and comes back late changes nothing.
 */

import { setTimeout as sleep } from "node:timers/promises";
import type { Worker as BullWorker } from "bullmq";
import { WorkFailure } from "../errors.js";
import { type AttemptResult, attemptPart } from "./attempt.js";
import { workerName } from "./claims.js";
import type { PartRunner } from "./jobs.js";
import type { Plan } from "./plan.js";
import type { PartJob, PartResult, QueueConnection, QueuedPart } from "./queue.js";
import { type Receipt, readReceipt } from "./receipts.js";
import type { Store } from "./store.js";
import { FirstParts, findPart, prepare } from "./work.js";

/** A plan, and a worker's own means to do its parts. */
export interface OpenPlan {
  readonly plan: Plan;
  readonly store: Store;
  /** Loads the model, unless it is loaded. Fails if this worker cannot do this plan. */
  runner(): Promise<PartRunner>;
  close(): Promise<void>;
}

export interface QueueWorker {
  /** Opens a plan by its address; fails if there is none. */
  open(job: PartJob): Promise<OpenPlan>;
  /** Seconds without a sign of life after which a worker is taken for dead. */
  readonly lease: number;
  /** Whether to stay when nothing is left to begin. */
  readonly wait: boolean;
  /** Ends the work; the part at hand is given back. */
  readonly signal: AbortSignal;
  onDone(result: AttemptResult, plan: Plan): void;
  onFailed(part: number, error: unknown): void;
  onNote(note: string): void;
}

/** A part whose workers vanish this often is set aside: perhaps it is what kills them. */
const MOST_STALLS = 20;

/** How often a lock is renewed within the lease. */
const BEATS = 4;

/** A week of points of one minute, for BullMQ's own metrics. */
const POINTS = 10_080;

/** How long a worker that ends waits for a server that does not answer. */
const PATIENCE_MS = 5000;

/** How often a worker that does not wait looks whether anything is left. */
const LOOK_MS = 200;

/** Does parts until it is told to end, or, if it does not wait, until nothing is left to begin. */
export async function workOnQueue(connection: QueueConnection, worker: QueueWorker): Promise<void> {
  const { bullmq, redis, queue } = connection;
  const session = new Session(connection, worker);
  const lockDuration = worker.lease * 1000;
  const bull: BullWorker<PartJob, PartResult> = new bullmq.Worker(
    queue.name,
    (job: QueuedPart, token?: string) => session.process(job, token ?? ""),
    {
      ...{
        connection: redis,
        name: workerName(),
        lockDuration,
        metrics: { maxDataPoints: POINTS },
      },
      lockRenewTime: lockDuration / BEATS,
      stalledInterval: lockDuration / 2,
      maxStalledCount: MOST_STALLS,
    },
  );
  session.bull = bull;
  bull.on("error", unlessRepeated(worker.onNote));
  bull.on("lockRenewalFailed", () => session.lockWasLost());
  bull.on("failed", (job, error) => worker.onFailed(job?.data.part ?? 0, error));
  try {
    await session.ended();
  } finally {
    await patiently(bull.close());
    redis.disconnect();
    await patiently(bull.disconnect());
    await session.close();
  }
}

/** Goodbyes to a server that does not answer are given up: the part goes back when its lock ends. */
async function patiently(work: Promise<unknown>): Promise<void> {
  const timer = new AbortController();
  const { signal } = timer;
  const patience = sleep(PATIENCE_MS, undefined, { signal }).catch(() => {});
  await Promise.race([work.catch(() => {}), patience]);
  timer.abort();
}

/** One message for a server that is away, and not one for each attempt to reach it. */
function unlessRepeated(onNote: (note: string) => void): (error: Error) => void {
  let last = "";
  return ({ message }) => {
    if (message === last || message === "") return;
    last = message;
    onNote(`queue: ${message}`);
  };
}

/** The part at hand, and why the work ends. */
class Session {
  bull: BullWorker<PartJob, PartResult> | undefined;
  readonly #connection: QueueConnection;
  readonly #worker: QueueWorker;
  readonly #ending = new AbortController();
  /** What ends this worker, if it is not a signal. */
  #failure: unknown;
  #opened: OpenPlan | undefined;
  readonly #firsts = new FirstParts();
  #current: { job: QueuedPart; opened: OpenPlan; overtaken: AbortController } | undefined;

  constructor(connection: QueueConnection, worker: QueueWorker) {
    this.#connection = connection;
    this.#worker = worker;
    worker.signal.addEventListener("abort", () => this.#ending.abort(), { once: true });
    if (worker.signal.aborted) this.#ending.abort();
  }

  /** Until the work is over. */
  async ended(): Promise<void> {
    const { wait } = this.#worker;
    const { signal } = this.#ending;
    while (!signal.aborted) {
      if (!wait && !this.#current && (await this.#isEmpty())) return;
      await sleep(wait ? 1 << 30 : LOOK_MS, undefined, { signal }).catch(() => {});
    }
    if (this.#failure !== undefined) throw this.#failure;
    this.#worker.signal.throwIfAborted();
  }

  async #isEmpty(): Promise<boolean> {
    const counts = await this.#connection.queue.getJobCounts("wait", "prioritized", "delayed");
    return Object.values(counts).every((count) => count === 0) && !this.#current;
  }

  async process(job: QueuedPart, token: string): Promise<PartResult> {
    try {
      return await this.#process(job, token);
    } catch (error) {
      if (!(error instanceof this.#connection.bullmq.WaitingError)) this.#countFailure(job, error);
      throw error;
    }
  }

  #countFailure({ data }: QueuedPart, error: unknown): void {
    const ownFault = this.#firsts.failed(data.part, error);
    if (!ownFault) return;
    // Before this part has failed: then the worker would take the next.
    void this.bull?.close();
    this.#end(ownFault);
  }

  async #process(job: QueuedPart, token: string): Promise<PartResult> {
    const opened = await this.#open(job.data);
    const done = await readReceipt(opened.store, job.data.part);
    if (done) return resultOf(done);
    const overtaken = new AbortController();
    this.#current = { job, opened, overtaken };
    try {
      return resultOf(await this.#attempt(job, opened, overtaken.signal));
    } catch (error) {
      const first = overtaken.signal.aborted && (await readReceipt(opened.store, job.data.part));
      if (first) return resultOf(first);
      if (!this.#ending.signal.aborted && !(error instanceof WorkFailure)) throw error;
      return this.#giveBack(job, token, error);
    } finally {
      this.#current = undefined;
    }
  }

  async #attempt(job: QueuedPart, opened: OpenPlan, overtaken: AbortSignal): Promise<Receipt> {
    const { plan, store } = opened;
    const part = findPart(plan, job.data.part);
    const runner = await opened.runner().catch((error) => {
      // Another model or another version: other workers may do it, this one never will.
      this.#end(error);
      throw error;
    });
    const signal = AbortSignal.any([this.#ending.signal, overtaken]);
    const tell = tellProgress(job);
    const result = await attemptPart({ plan, store, runner, part, signal, tell });
    this.#firsts.succeeded();
    this.#worker.onDone(result, plan);
    return result.receipt;
  }

  /** What is not the part's fault costs it no try: the job waits for others, and this worker ends. */
  async #giveBack(job: QueuedPart, token: string, error: unknown): Promise<never> {
    if (!this.#worker.signal.aborted) this.#end(error);
    // Before the job is back: this worker must not take it again.
    void this.bull?.close();
    await job.moveToWait(token);
    throw new this.#connection.bullmq.WaitingError();
  }

  #end(error: unknown): void {
    this.#failure ??= error;
    this.#ending.abort();
  }

  /** The part may be done by another by now. If it is not, this worker is ahead of all others. */
  async lockWasLost(): Promise<void> {
    const current = this.#current;
    if (!current) return;
    const { job, opened, overtaken } = current;
    const receipt = await readReceipt(opened.store, job.data.part).catch(() => undefined);
    if (receipt) overtaken.abort();
  }

  /** A model stays loaded for as long as the parts are of one plan. */
  async #open(job: PartJob): Promise<OpenPlan> {
    if (this.#opened?.plan.id === job.id && this.#opened.store.name === job.plan)
      return this.#opened;
    const opened = await this.#worker.open(job);
    await prepare(opened.store);
    await this.#opened?.close();
    this.#opened = opened;
    return opened;
  }

  async close(): Promise<void> {
    await this.#opened?.close();
  }
}

function resultOf({ counts, bytes, sha256, seconds, worker }: Receipt): PartResult {
  return { sentences: counts.sentences, bytes, sha256, seconds, worker };
}

const TELL_MS = 1000;

/** Percents, which is what boards for BullMQ draw. */
function tellProgress(job: QueuedPart): (share: number) => void {
  let last = performance.now();
  return (share) => {
    if (performance.now() - last < TELL_MS) return;
    last = performance.now();
    // What is not told is no reason to stop.
    job.updateProgress(Math.floor(share * 100)).catch(() => {});
  };
}
