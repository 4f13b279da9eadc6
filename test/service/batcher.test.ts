/** The queue by itself, with an engine and a clock that the test drives. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Batcher, type Engine, ROUND_COST } from "../../src/service/batcher.js";
import { Job } from "../../src/service/job.js";
import type { Item } from "../../src/service/sentences.js";
import { ServiceError } from "../../src/service/service-error.js";
import { costOf, type Task } from "../../src/service/task.js";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** An engine that parses a round when it is told to. */
class Puppet implements Engine {
  readonly width: number;
  readonly rounds: string[][] = [];
  readonly costs: number[] = [];
  #started: { onLast: (() => void) | undefined; finish: () => void }[] = [];

  constructor(width = 1) {
    this.width = width;
  }

  run(
    tasks: readonly Task[],
    onRecord: Parameters<Engine["run"]>[1],
    onLast: (() => void) | undefined,
  ) {
    const words = tasks.map(({ input }) => input.leaves.map(({ word }) => word).join(" "));
    this.rounds.push(words);
    this.costs.push(tasks.reduce((sum, task) => sum + costOf(task), 0));
    return new Promise<void>((resolve) => {
      const finish = () => {
        onLast?.();
        // In another order than they came.
        for (const index of [...words.keys()].reverse()) {
          onRecord(index, { json: JSON.stringify(words[index]), isProblem: false });
        }
        resolve();
      };
      this.#started.push({ onLast, finish });
    });
  }

  /** Says of all rounds in hand that only their last runs are left. */
  nearlyFinish(): void {
    for (const { onLast } of [...this.#started]) onLast?.();
  }

  /** Finishes the rounds in hand, or the first of them. */
  finish(count = this.#started.length): void {
    for (const { finish } of this.#started.splice(0, count)) finish();
  }

  get inHand(): number {
    return this.#started.length;
  }
}

/** Longer than a sentence waits for company. */
const settled = () => vi.advanceTimersByTimeAsync(15);
const sentence = (...words: string[]): Item => ({
  input: { leaves: words.map((word) => ({ word })) },
});
const many = (name: string, count: number, words = 1): Item[] =>
  Array.from({ length: count }, (_, index) =>
    sentence(...Array<string>(words).fill(`${name}${index}`)),
  );
const jobOf = (items: readonly Item[], ahead?: number) =>
  new Job(items, {
    model: "m",
    options: { maxTokens: 1000 },
    ...(ahead === undefined ? {} : { ahead }),
  });

async function read(job: Job): Promise<string[]> {
  const records: string[] = [];
  for await (const record of job.records()) records.push(JSON.parse(record));
  return records;
}

test("requests that come together are parsed together, and each gets its own in order", async () => {
  const engine = new Puppet();
  const batcher = new Batcher(engine, { queue: 1000 });
  const jobs = ["a", "b", "c"].map((name) => jobOf(many(name, 3)));
  for (const job of jobs) batcher.submit(job);
  expect(batcher.waiting).toEqual({ sentences: 9, words: 9 });
  await settled();
  expect(engine.rounds).toHaveLength(1);
  expect(batcher.waiting).toEqual({ sentences: 0, words: 0 });
  engine.finish();
  expect(await Promise.all(jobs.map(read))).toEqual([
    ["a0", "a1", "a2"],
    ["b0", "b1", "b2"],
    ["c0", "c1", "c2"],
  ]);
});

test("a large request delays a small one by no more than a round", async () => {
  const engine = new Puppet();
  const batcher = new Batcher(engine, { queue: 1_000_000 });
  batcher.submit(jobOf(many("large", 1000, 100)));
  await settled();
  const small = jobOf(many("small", 2));
  batcher.submit(small);
  await settled();
  expect(engine.rounds).toHaveLength(1);
  expect(engine.rounds[0]?.length).toBeLessThan(100);
  engine.finish();
  await settled();
  expect(engine.rounds[1]?.filter((words) => words.startsWith("small"))).toEqual([
    "small0",
    "small1",
  ]);
  engine.finish();
  expect(await read(small)).toEqual(["small0", "small1"]);
});

/** Long sentences with many trees: each is more than a round by itself. */
const heavyJob = (name: string, count: number) =>
  new Job(many(name, count, 400), { model: "m", options: { maxTokens: 1000, kBest: 20 } });

test("costs are shared out, not sentences: a short one does not queue behind heavy ones", async () => {
  const engine = new Puppet();
  const batcher = new Batcher(engine, { queue: 1_000_000 });
  for (const name of ["a", "b", "c", "d"]) batcher.submit(heavyJob(name, 125));
  await settled();
  expect(engine.rounds.map((round) => round.length)).toEqual([1]);
  expect(engine.costs[0]).toBeGreaterThan(ROUND_COST);
  // The parser is at the last run of its round, and nothing is sent to wait behind it.
  engine.nearlyFinish();
  await settled();
  expect(engine.rounds).toHaveLength(1);
  const small = jobOf(many("small", 1));
  batcher.submit(small);
  await settled();
  expect(engine.rounds).toHaveLength(1);
  engine.finish();
  await settled();
  expect(engine.rounds[1]).toEqual(["small0"]);
  engine.finish();
  expect(await read(small)).toEqual(["small0"]);
});

test("where several rounds are parsed at a time, heavy sentences leave one place free", async () => {
  const engine = new Puppet(3);
  const batcher = new Batcher(engine, { queue: 1_000_000 });
  for (const name of ["a", "b", "c", "d"]) batcher.submit(heavyJob(name, 10));
  await settled();
  expect(engine.inHand).toBe(2);
  const small = jobOf(many("small", 1));
  batcher.submit(small);
  await settled();
  expect(engine.rounds[2]).toEqual(["small0"]);
  engine.finish(1);
  await settled();
  expect(engine.inHand).toBe(3);
  engine.finish();
  expect(await read(small)).toEqual(["small0"]);
});

test("rounds stay within their cost or are single sentences, and nobody starves", async () => {
  const engine = new Puppet();
  const batcher = new Batcher(engine, { queue: 10_000_000 });
  const heavy = heavyJob("heavy", 5);
  const middle = jobOf(many("middle", 40, 150));
  batcher.submit(heavy);
  batcher.submit(middle);
  let isDone = false;
  read(heavy).then(() => {
    isDone = true;
  });
  // Newcomers all the time.
  for (let turn = 0; !isDone; turn++) {
    expect(turn).toBeLessThan(2000);
    batcher.submit(jobOf(many(`n${turn}-`, 3, 20)));
    await settled();
    engine.finish();
    await settled();
  }
  for (const [index, round] of engine.rounds.entries()) {
    if (round.length > 1) expect(engine.costs[index]).toBeLessThanOrEqual(ROUND_COST);
  }
});

test("a job that was parked comes back without a claim on the time it was away", async () => {
  const engine = new Puppet();
  const batcher = new Batcher(engine, { queue: 1_000_000 });
  const parked = jobOf(many("p", 50, 100), 1);
  batcher.submit(parked);
  const records = parked.records();
  await settled();
  engine.finish();
  batcher.submit(jobOf(many("other", 200, 100)));
  for (let round = 0; round < 5; round++) {
    await settled();
    engine.finish();
  }
  await records.next();
  await settled();
  const last = engine.rounds.at(-1) as string[];
  expect(last.filter((words) => words.startsWith("p")).length).toBeLessThanOrEqual(1);
});

test("problems keep their places", async () => {
  const engine = new Puppet();
  const batcher = new Batcher(engine, { queue: 1000 });
  const job = jobOf([{ problem: "first" }, sentence("a"), { problem: "third" }]);
  batcher.submit(job);
  await settled();
  engine.finish();
  expect(await read(job)).toEqual([{ error: "first" }, "a", { error: "third" }]);
  const nothing = jobOf([]);
  batcher.submit(nothing);
  expect(await read(nothing)).toEqual([]);
});

test("a full queue refuses, tells when to come again, and takes more when it has room", async () => {
  const engine = new Puppet();
  const batcher = new Batcher(engine, { queue: 10 });
  batcher.submit(jobOf(many("a", 6)));
  const late = jobOf(many("b", 5));
  const refusal = catchError(() => batcher.submit(late));
  expect(refusal).toBeInstanceOf(ServiceError);
  expect((refusal as ServiceError).status).toBe(429);
  expect(Number((refusal as ServiceError).headers["retry-after"])).toBeGreaterThan(0);
  await settled();
  batcher.submit(late);
  expect(batcher.waiting.words).toBe(5);
});

function catchError(action: () => void): unknown {
  try {
    action();
    return undefined;
  } catch (error) {
    return error;
  }
}

test("a withdrawn job leaves the queue, and late records of it do no harm", async () => {
  const engine = new Puppet();
  const batcher = new Batcher(engine, { queue: 1_000_000 });
  const gone = jobOf(many("gone", 200, 100));
  const other = jobOf(many("other", 1));
  batcher.submit(gone);
  batcher.submit(other);
  await settled();
  expect(batcher.waiting.words).toBeGreaterThan(10_000);
  batcher.withdraw(gone, new Error("gone"));
  expect(batcher.waiting).toEqual({ sentences: 0, words: 0 });
  await expect(read(gone)).rejects.toThrow("gone");
  engine.finish();
  expect(await read(other)).toEqual(["other0"]);
  await settled();
  expect(engine.rounds).toHaveLength(1);
});

test("a stream is parsed no further ahead than its reader may be behind", async () => {
  const engine = new Puppet();
  const batcher = new Batcher(engine, { queue: 1000 });
  const job = jobOf(many("s", 20), 4);
  batcher.submit(job);
  const records = job.records();
  await settled();
  expect(engine.rounds.flat()).toEqual(["s0", "s1", "s2", "s3"]);
  engine.finish();
  await settled();
  expect(engine.rounds.flat()).toHaveLength(4);
  await records.next();
  await records.next();
  await settled();
  expect(engine.rounds.flat()).toHaveLength(6);
  expect(batcher.waiting.sentences).toBe(14);
});

test("a round that fails fails its requests and no others", async () => {
  let rounds = 0;
  const engine: Engine = {
    width: 1,
    run: async (tasks, onRecord) => {
      rounds += 1;
      if (rounds === 1) throw new Error("the thread died");
      for (const index of tasks.keys()) onRecord(index, { json: '"fine"', isProblem: false });
    },
  };
  const batcher = new Batcher(engine, { queue: 1000 });
  const [first, second] = [jobOf(many("a", 2)), jobOf(many("b", 2))];
  batcher.submit(first);
  const failed = expect(read(first)).rejects.toThrow("died");
  await settled();
  await failed;
  batcher.submit(second);
  await settled();
  expect(await read(second)).toEqual(["fine", "fine"]);
});

test("several that can parse share the work, unless it is little", async () => {
  const engine = new Puppet(3);
  const batcher = new Batcher(engine, { queue: 1_000_000 });
  const jobs = [jobOf(many("a", 60, 20)), jobOf(many("b", 3))];
  for (const job of jobs) batcher.submit(job);
  await settled();
  expect(engine.rounds).toHaveLength(3);
  const sizes = engine.rounds.map((round) => round.length);
  expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThan(8);
  engine.finish();
  expect((await Promise.all(jobs.map(read))).map((records) => records.length)).toEqual([60, 3]);
  batcher.submit(jobOf(many("c", 5)));
  await settled();
  expect(engine.rounds).toHaveLength(4);
});
