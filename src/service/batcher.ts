/**
 * Collects the sentences of all requests for the parser. Those that arrive within a few milliseconds,
 * or while the parser is busy, make up the next round. Requests share the parser by cost, not by
 * sentences, so that a short sentence does not queue behind long ones of other requests. A round costs
 * at most ROUND_COST or is a single sentence. If several rounds are parsed at a time, one place is kept
 * for rounds within that bound, so a newcomer waits about one round. The number of waiting words is
 * bounded; beyond it requests are refused.
 */

import type { Assignment, Job } from "./job.js";
import { ServiceError } from "./service-error.js";
import type { Task, TaskRecord } from "./task.js";

/** Parses rounds: the worker threads, or a stand-in in tests. */
export interface Engine {
  /** How many rounds it parses at a time. */
  readonly width: number;
  /**
   * Parses the tasks and reports the record of each as it is done, in any order. `onLast`, if given, is called
   * when the round is nearly done, so that the next one can be sent and wait behind it.
   */
  run(
    tasks: readonly Task[],
    onRecord: (index: number, record: TaskRecord) => void,
    onLast: (() => void) | undefined,
  ): Promise<void>;
}

export interface RoundReport {
  readonly sentences: number;
  readonly words: number;
  readonly seconds: number;
}

export interface BatcherOptions {
  /** Words that may wait. */
  readonly queue: number;
  readonly onRound?: (report: RoundReport) => void;
  readonly onRecord?: (task: Task, record: TaskRecord) => void;
}

/** How long the first sentence waits for company, in milliseconds. */
const WINDOW = 3;
/** How much a round of several sentences may cost, in words; some tenths of a second. */
export const ROUND_COST = 2048;
/** How many sentences it may have, however short. */
const ROUND_SENTENCES = 256;
/** Less than this, in words, is not split over several rounds: sentences parsed together are parsed faster. */
const SMALL_COST = 256;

interface Round {
  readonly assignments: readonly Assignment[];
  readonly cost: number;
}

export class Batcher {
  readonly #engine: Engine;
  readonly #options: BatcherOptions;
  /** The jobs with sentences to hand out. */
  #ready: Job[] = [];
  /** Jobs whose readers are behind. */
  readonly #parked = new Set<Job>();
  #timer: NodeJS.Timeout | undefined;
  /** The rounds under way, except those that are nearly done. */
  readonly #busyWith = new Set<Round>();
  /** The cost that would have been spent by now on a job that was ready all the time. */
  #fairShare = 0;
  /** Words a second, as observed. */
  #rate = 1000;

  constructor(engine: Engine, options: BatcherOptions) {
    this.#engine = engine;
    this.#options = options;
  }

  /** What waits and has not been sent to the parser. */
  get waiting(): { sentences: number; words: number } {
    let [sentences, words] = [0, 0];
    for (const job of [...this.#ready, ...this.#parked]) {
      sentences += job.waiting;
      words += job.waitingWords;
    }
    return { sentences, words };
  }

  submit(job: Job): void {
    const { words } = this.waiting;
    if (words + job.waitingWords > this.#options.queue) throw this.#tooBusy(words);
    job.onReady = () => this.#resume(job);
    if (job.waiting > 0) this.#makeReady(job);
  }

  /** Takes a job's sentences out of the queue, and ignores the results of those that are being parsed. */
  withdraw(job: Job, reason: Error): void {
    this.#ready = this.#ready.filter((other) => other !== job);
    this.#parked.delete(job);
    job.fail(reason);
  }

  #tooBusy(words: number): ServiceError {
    const seconds = Math.min(60, Math.max(1, Math.ceil(words / this.#rate)));
    return new ServiceError(
      429,
      "too_busy",
      `${words} words are waiting, and at most ${this.#options.queue} may; try again later`,
      { "retry-after": `${seconds}` },
    );
  }

  #resume(job: Job): void {
    if (this.#parked.delete(job)) this.#makeReady(job);
  }

  /** A job that arrives or returns has no claim to make up for the time before. */
  #makeReady(job: Job): void {
    job.served = Math.max(job.served, this.#fairShare);
    this.#ready.push(job);
    this.#schedule();
  }

  get #room(): number {
    return this.#engine.width - this.#busyWith.size;
  }

  #schedule(): void {
    if (this.#room === 0 || this.#timer || this.#ready.length === 0) return;
    this.#timer = setTimeout(() => this.#sendAll(), WINDOW);
  }

  #sendAll(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    while (this.#room > 0) {
      const share = this.#waitingCost() / this.#room;
      const round = this.#gather(Math.min(ROUND_COST, Math.max(SMALL_COST, share)));
      if (round.assignments.length === 0) return;
      this.#send(round);
    }
  }

  #waitingCost(): number {
    return this.#ready.reduce((sum, job) => sum + job.waitingCost, 0);
  }

  #send(round: Round): void {
    const { assignments } = round;
    this.#busyWith.add(round);
    const started = performance.now();
    const goOn = () => {
      // Sentences that arrived meanwhile have waited: no further window for them.
      if (this.#busyWith.delete(round)) this.#sendAll();
    };
    // The next round would wait for the rest of this one, which is long if the round is oversize.
    const onLast = isOversize(round.cost) ? undefined : goOn;
    this.#engine
      .run(
        assignments.map(({ task }) => task),
        (index, record) => this.#deliver(assignments[index] as Assignment, record),
        onLast,
      )
      .then(
        () => this.#finish(assignments, (performance.now() - started) / 1000),
        (error: Error) => {
          for (const { job } of assignments) this.withdraw(job, error);
        },
      )
      .finally(goOn);
  }

  /** Sentences of all jobs by fair shares, until the round is full. */
  #gather(enough: number): Round {
    const assignments: Assignment[] = [];
    let cost = 0;
    const mayTakeOversize = this.#mayTakeOversize;
    const fits = (next: number) =>
      assignments.length === 0 ? mayTakeOversize || !isOversize(next) : !isOversize(cost + next);
    for (const job of [...this.#ready]) this.#restIfIdle(job);
    while (cost < enough && assignments.length < ROUND_SENTENCES) {
      const job = this.#soonestDone(fits);
      const assignment = job?.take();
      if (!job || !assignment) break;
      assignments.push(assignment);
      cost += assignment.cost;
      job.served += assignment.cost;
      this.#fairShare += assignment.cost / this.#ready.length;
      this.#restIfIdle(job);
    }
    return { assignments, cost };
  }

  /**
   * Of the jobs whose next sentence fits, the one with the least cost spent on it after that sentence; the first
   * if several have the same. This is fair queueing by virtual finish times.
   */
  #soonestDone(fits: (cost: number) => boolean): Job | undefined {
    let soonest: Job | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const job of this.#ready) {
      const cost = job.next?.cost;
      if (cost === undefined || job.served + cost >= least || !fits(cost)) continue;
      soonest = job;
      least = job.served + cost;
    }
    return soonest;
  }

  /** Removes a job that has nothing to hand out; one that waits for its reader is kept aside. */
  #restIfIdle(job: Job): void {
    if (job.next) return;
    this.#ready.splice(this.#ready.indexOf(job), 1);
    if (job.waiting > 0 && !job.isOver) this.#parked.add(job);
  }

  /** If several rounds are parsed at a time, one place is kept for rounds that are not oversize. */
  get #mayTakeOversize(): boolean {
    const { width } = this.#engine;
    const oversize = [...this.#busyWith].filter(({ cost }) => isOversize(cost)).length;
    return width === 1 || oversize < width - 1;
  }

  #deliver({ job, index, task }: Assignment, record: TaskRecord): void {
    this.#options.onRecord?.(task, record);
    job.put(index, record);
  }

  #finish(round: readonly Assignment[], seconds: number): void {
    const words = round.reduce((sum, { task }) => sum + task.input.leaves.length, 0);
    const rate = (this.#engine.width * words) / Math.max(seconds, 0.001);
    this.#rate = 0.8 * this.#rate + 0.2 * rate;
    this.#options.onRound?.({ sentences: round.length, words, seconds });
  }
}

/** Whether this is too much for a round. A sentence that costs more is a round by itself. */
function isOversize(cost: number): boolean {
  return cost > ROUND_COST;
}
