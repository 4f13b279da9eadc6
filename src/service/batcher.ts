/**
 * Brings the sentences of all requests to the parser together. Those that come within a few
 * milliseconds, or while the parser is busy, make up the next round. A round takes one sentence of
 * each request in turn, so that a request of a thousand delays one of a single sentence by no more
 * than a round. How many words may wait is bounded; what goes beyond is refused.
 */

import type { Assignment, Job } from "./job.js";
import { ServiceError } from "./service-error.js";
import type { Task, TaskRecord } from "./task.js";

/** What parses rounds: the parsers' threads, or a stand-in. */
export interface Engine {
  /** How many rounds it parses at a time. */
  readonly width: number;
  /**
   * Parses the tasks and gives each one's record as it is done, in any order. `onLast` is called when
   * the round is nearly done and another should be on its way.
   */
  run(
    tasks: readonly Task[],
    onRecord: (index: number, record: TaskRecord) => void,
    onLast: () => void,
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
/** How much a round may cost, in words; some tenths of a second. */
const ROUND_COST = 2048;
/** How many sentences it may have, however short. */
const ROUND_SENTENCES = 256;
/** What is too little to be shared out, in words: sentences parsed together are parsed faster. */
const SMALL_COST = 256;

export class Batcher {
  readonly #engine: Engine;
  readonly #options: BatcherOptions;
  /** The jobs with sentences to hand out; the first is the next to give one. */
  #ring: Job[] = [];
  /** Jobs whose readers are behind. */
  readonly #parked = new Set<Job>();
  #timer: NodeJS.Timeout | undefined;
  /** The rounds that are not nearly done. */
  readonly #busyWith = new Set<readonly Assignment[]>();
  /** Words a second, as observed. */
  #rate = 1000;

  constructor(engine: Engine, options: BatcherOptions) {
    this.#engine = engine;
    this.#options = options;
  }

  /** What waits and is not yet with the parser. */
  get waiting(): { sentences: number; words: number } {
    let [sentences, words] = [0, 0];
    for (const job of [...this.#ring, ...this.#parked]) {
      sentences += job.waiting;
      words += job.waitingWords;
    }
    return { sentences, words };
  }

  submit(job: Job): void {
    const { words } = this.waiting;
    if (words + job.waitingWords > this.#options.queue) throw this.#tooBusy(words);
    job.onReady = () => this.#resume(job);
    if (job.waiting > 0) this.#ring.push(job);
    this.#schedule();
  }

  /** Takes a job's sentences out of the queue; what the parser has in hand is not waited for. */
  withdraw(job: Job, reason: Error): void {
    this.#ring = this.#ring.filter((other) => other !== job);
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
    if (!this.#parked.delete(job)) return;
    this.#ring.push(job);
    this.#schedule();
  }

  get #room(): number {
    return this.#engine.width - this.#busyWith.size;
  }

  #schedule(): void {
    if (this.#room === 0 || this.#timer || this.#ring.length === 0) return;
    this.#timer = setTimeout(() => this.#sendAll(), WINDOW);
  }

  #sendAll(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    while (this.#room > 0) {
      const share = this.#waitingCost() / this.#room;
      const round = this.#gather(Math.min(ROUND_COST, Math.max(SMALL_COST, share)));
      if (round.length === 0) return;
      this.#send(round);
    }
  }

  #waitingCost(): number {
    return this.#ring.reduce((sum, job) => sum + job.waitingCost, 0);
  }

  #send(round: readonly Assignment[]): void {
    this.#busyWith.add(round);
    const started = performance.now();
    const goOn = () => {
      // What came in the meantime has waited long enough.
      if (this.#busyWith.delete(round)) this.#sendAll();
    };
    this.#engine
      .run(
        round.map(({ task }) => task),
        (index, record) => this.#deliver(round[index] as Assignment, record),
        goOn,
      )
      .then(
        () => this.#finish(round, (performance.now() - started) / 1000),
        (error: Error) => {
          for (const { job } of round) this.withdraw(job, error);
        },
      )
      .finally(goOn);
  }

  /** One sentence of each job in turn, until the round is full. */
  #gather(most: number): Assignment[] {
    const round: Assignment[] = [];
    let cost = 0;
    while (this.#ring.length > 0 && cost < most && round.length < ROUND_SENTENCES) {
      const job = this.#ring.shift() as Job;
      const assignment = job.take();
      if (assignment) {
        round.push(assignment);
        cost += assignment.cost;
        if (job.waiting > 0) this.#ring.push(job);
      } else if (!job.isOver) this.#parked.add(job);
    }
    return round;
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
