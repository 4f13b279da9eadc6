/** Plans in a queue on a real Redis, as it fails in life: workers, the server and the network between them. */

import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createBullBoard } from "@bull-board/api";
import { BullMQAdapter } from "@bull-board/api/bullMQAdapter";
import { Queue } from "bullmq";
import { Redis } from "ioredis";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { bracken } from "../cli/run.js";
import { temporaryFolder } from "../temporary.js";
import { SmallDisk } from "./disk.js";
import { atWork, doneIn, Fleet, LATE_CLOCK, type Running } from "./fleet.js";
import { Network } from "./network.js";
import { Cable, freePort, REDIS, TestRedis } from "./redis.js";

if (!REDIS) console.warn('SKIPPED: "queue" needs Redis or Valkey: apt-get install redis-server');

describe.skipIf(!REDIS)("queue", { timeout: 240_000 }, () => {
  const folder = temporaryFolder();
  let fleet: Fleet;
  let redis: TestRedis;
  let network: Network | undefined;
  const workers: Running[] = [];

  beforeAll(async () => {
    fleet = await Fleet.prepare(folder);
    network = Network.open();
    redis = await TestRedis.start(folder, network ? [network.host] : []);
  });

  afterEach(async () => {
    for (const { child } of workers) child.kill("SIGKILL");
    await Promise.all(workers.splice(0).map(({ ended }) => ended));
    const client = new Redis(redis.url);
    await client.flushall();
    client.disconnect();
  });

  afterAll(async () => {
    await redis?.kill();
    network?.close();
  });

  const at = (url = redis.url) => ["--queue", url];
  const submit = (plan: string, ...more: string[]) => bracken(["submit", plan, ...at(), ...more]);

  function start(url = redis.url, nodeOptions: string[] = [], ...more: string[]): Running {
    const worker = fleet.start([...at(url), ...more], nodeOptions);
    workers.push(worker);
    return worker;
  }

  async function submitted(): Promise<string> {
    const plan = await fleet.newPlan();
    expect(await submit(plan)).toMatchObject({ code: 0, stdout: "6 parts submitted\n" });
    return plan;
  }

  async function allDone(plan: string): Promise<void> {
    while (doneIn(plan) < fleet.parts) await sleep(20);
  }

  const endOf = ({ child, ended }: Running) => {
    child.kill("SIGTERM");
    return ended;
  };

  async function withQueue<Result>(use: (queue: Queue) => Promise<Result>): Promise<Result> {
    const connection = new Redis(redis.url, { maxRetriesPerRequest: null });
    const queue = new Queue("bracken", { connection });
    try {
      return await use(queue);
    } finally {
      await queue.close();
      connection.disconnect();
    }
  }

  test("plain jobs, each once however often it is submitted; boards and metrics see them", async () => {
    const plan = await submitted();
    expect((await submit(plan)).stdout).toBe("0 parts submitted; 6 were in the queue already\n");
    const { id } = JSON.parse((await jobsJson())[0] as string) as { id: string };
    expect(id).toMatch(/^[0-9a-f]{16}-00000\d$/);
    const port = await freePort();
    const staying = start(redis.url, [], "--metrics", `${port}`);
    const ends = start(redis.url, [], "--no-wait");
    expect((await ends.ended).code).toBe(0);
    await allDone(plan);
    await fleet.expectWhole(plan);
    await expect.poll(() => withQueue((queue) => queue.getCompletedCount())).toBe(6);
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    expect(metrics).toContain('bracken_queue_jobs{state="completed"} 6');
    expect(metrics).toMatch(/bracken_part_seconds_count \d/);
    await expectBoard();
    expect((await submit(plan)).stdout).toBe("0 parts submitted; 6 are done\n");
    const { code, stderr } = await endOf(staying);
    expect([code, stderr]).toEqual([143, expect.stringContaining("stopped")]);
  });

  test("the same plan in another place is other work, though the first is still in the queue", async () => {
    const first = await submitted();
    const second = await submitted();
    expect(first).not.toBe(second);
    rmSync(first, { recursive: true });
    const { stdout } = await bracken(["status", second, ...at(), "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ done: 0, waiting: 6 });
    // The jobs of the first fail, and three are enough for a worker; those of the second are done.
    for (let worker = 0; worker < 6 && doneIn(second) < fleet.parts; worker++) {
      await start(redis.url, [], "--no-wait").ended;
    }
    await fleet.expectWhole(second);
  });

  const jobsJson = () =>
    withQueue(async (queue) =>
      (await queue.getJobs(["wait"])).map((job) => {
        expect(job.toJSON()).toMatchObject({
          name: "parse",
          data: { plan: expect.any(String), id: expect.any(String), part: expect.any(Number) },
          opts: { attempts: 3, backoff: { type: "exponential", delay: 5000 } },
          attemptsMade: 0,
        });
        return JSON.stringify(job.toJSON());
      }),
    );

  /** bull-board's own routes, called as its servers do. */
  const expectBoard = () =>
    withQueue(async (queue) => {
      // biome-ignore lint/suspicious/noExplicitAny: bull-board hands its routes to whatever server there is.
      let routes: any[] = [];
      const server = new Proxy({} as Record<string, unknown>, {
        get: (_, name) => (given: unknown) => {
          if (name === "setApiRoutes") routes = given as never[];
          return server;
        },
      });
      const queues = [new BullMQAdapter(queue)];
      // biome-ignore lint/suspicious/noExplicitAny: the same.
      createBullBoard({ queues, serverAdapter: server as any });
      const route = routes.find(({ route: path }) => path === "/api/queues");
      const request = {
        query: { activeQueue: "bracken", status: "completed", page: "1", jobsPerPage: "10" },
        queues: new Map(queues.map((each) => [each.getName(), each])),
        params: {},
        headers: {},
      };
      const { body } = await route.handler(request);
      const [shown] = body.queues;
      expect(shown).toMatchObject({ name: "bracken", counts: { completed: 6, failed: 0 } });
      expect(shown.jobs).toHaveLength(6);
      expect(shown.jobs[0]).toMatchObject({
        name: "parse",
        returnValue: { bytes: expect.any(Number) },
      });
    });

  test("workers killed with -9 and one that hangs past its lock lose and double nothing", async () => {
    const plan = await submitted();
    for (let kills = 0; kills < 3; kills++) {
      const worker = start();
      await atWork(worker, plan);
      worker.child.kill("SIGKILL");
      await worker.ended;
    }
    const hanging = start();
    await atWork(hanging, plan);
    hanging.child.kill("SIGSTOP");
    const other = start(redis.url, [LATE_CLOCK]);
    await allDone(plan);
    hanging.child.kill("SIGCONT");
    await sleep(500);
    await Promise.all([endOf(hanging), endOf(other)]);
    await fleet.expectWhole(plan);
    await expectSettled();
  });

  /** Every part is a job that ended well. */
  const expectSettled = async () => {
    const last = start(redis.url, [], "--no-wait");
    await last.ended;
    await expect
      .poll(() => withQueue((queue) => queue.getJobCounts("completed", "failed", "wait")))
      .toEqual({ completed: 6, failed: 0, wait: 0 });
  };

  test("Redis that is killed and comes back with its append-only file goes on", async () => {
    const plan = await submitted();
    const worker = start();
    await atWork(worker, plan);
    await redis.kill();
    await sleep(1500);
    await redis.start();
    await allDone(plan);
    await fleet.expectWhole(plan);
    expect((await endOf(worker)).code).toBe(143);
    await expectSettled();
  });

  /** One worker is behind a link that is cut; another takes over what the first cannot report. */
  async function expectCutSurvived(
    near: () => Running,
    link: Pick<Network, "cut" | "mend">,
  ): Promise<void> {
    const plan = await submitted();
    const first = near();
    await atWork(first, plan);
    link.cut();
    const other = start();
    await allDone(plan);
    await sleep(1500);
    link.mend();
    await Promise.all([endOf(first), endOf(other)]);
    await fleet.expectWhole(plan);
    await expectSettled();
  }

  test("a connection to Redis that passes nothing on costs time, and nothing else", async () => {
    const cable = await Cable.to(redis.port);
    try {
      await expectCutSurvived(() => start(`redis://127.0.0.1:${cable.port}`), cable);
    } finally {
      cable.close();
    }
  });

  test("a network that is cut between a worker and Redis costs time, and nothing else", async (context) => {
    if (!network) {
      console.warn("SKIPPED: a network of its own needs ip (iproute2) and the right to make one");
      return context.skip();
    }
    const { host, enter } = network;
    const near = () => {
      const worker = fleet.start(at(`redis://${host}:${redis.port}`), [], enter);
      workers.push(worker);
      return worker;
    };
    await expectCutSurvived(near, network);
  });

  test("a part that fails is tried again, then set aside with its error, until it is submitted again", async () => {
    const plan = await fleet.newPlan();
    await submit(plan, "--tries", "1");
    const before = readFileSync(fleet.text);
    try {
      writeFileSync(fleet.text, before.toString().replace("man", "dog"));
      for (const left of [3, 0]) {
        const { code, stderr } = await start(redis.url, [], "--no-wait").ended;
        expect([code, stderr]).toEqual([1, expect.stringMatching(/part \d: failed: /)]);
        // It does not use up the tries of all.
        expect(stderr).toContain("the first 3 parts failed here");
        expect(await withQueue((queue) => queue.getWaitingCount())).toBe(left);
      }
    } finally {
      writeFileSync(fleet.text, before);
    }
    const { stdout } = await bracken(["status", plan, ...at()]);
    expect(stdout).toMatch(/failed +part \d set aside, failed 1 times: .*not the file/);
    expect((await submit(plan)).stdout).toBe("6 parts submitted; 6 of them once more\n");
    await start(redis.url, [], "--no-wait").ended;
    await fleet.expectWhole(plan);
  });

  test("told to end, a worker gives its part back, which costs no try", async () => {
    const plan = await submitted();
    const worker = start(redis.url, [], "--lease", "30");
    await atWork(worker, plan);
    expect((await endOf(worker)).code).toBe(143);
    const states = await withQueue(async (queue) => {
      const jobs = await queue.getJobs(["wait", "completed"]);
      return { jobs: jobs.length, attempts: Math.max(...jobs.map((job) => job.attemptsMade)) };
    });
    expect(states.jobs).toBe(6);
    expect(states.attempts).toBeLessThanOrEqual(1);
    expect((await withQueue((queue) => queue.getWaitingCount())) + doneIn(plan)).toBe(6);
  });

  test("a full disk ends the worker, and costs the part no try", async (context) => {
    const plan = await submitted();
    const disk = SmallDisk.at(join(plan, "parts"));
    if (!disk) {
      console.warn("SKIPPED: a full disk needs the right to mount one");
      return context.skip();
    }
    try {
      for (let time = 0; time < 4; time++) {
        expect(await start(redis.url, [], "--lease", "30").ended).toMatchObject({
          code: 1,
          stderr: expect.stringContaining("the disk is full"),
        });
      }
      expect(await withQueue((queue) => queue.getWaitingCount())).toBe(6);
      expect(disk.grow()).toBe(true);
      expect((await start(redis.url, [], "--no-wait").ended).code).toBe(0);
      await fleet.expectWhole(plan);
    } finally {
      disk.unmount();
    }
  });

  test("two gathers at once write the same", async () => {
    const plan = await submitted();
    await start(redis.url, [], "--no-wait").ended;
    await Promise.all([fleet.expectWhole(plan), fleet.expectWhole(plan)]);
  });

  test("what is refused: no server, no address, both a plan and a queue, another model", async () => {
    const plan = await submitted();
    const refused = async (args: string[], code: number, message: string) => {
      expect(await bracken(args)).toMatchObject({ code, stderr: expect.stringContaining(message) });
    };
    const nobody = `redis://:secret@127.0.0.1:${await freePort()}`;
    const away = await bracken(["work", "--queue", nobody]);
    expect(away).toMatchObject({ code: 1, stderr: expect.stringContaining("cannot be reached") });
    expect(away.stderr).not.toContain("secret");
    await refused(["submit", plan, "--queue", "nonsense"], 2, "not the address of a queue");
    await refused(["work", "--queue"], 2, "BRACKEN_QUEUE is not set");
    await refused(["work"], 2, "name a plan, or a queue");
    await refused(["work", plan, ...at()], 2, "leave out the plan");
    const wrong = ["-m", fleet.model, "-m", fleet.model];
    await refused(["work", ...at(), ...wrong], 2, "--model names 2");
    // The worker that could not do it took nothing away.
    expect(await withQueue((queue) => queue.getWaitingCount())).toBe(6);
  });

  test("without BullMQ the message says what to install", async () => {
    const hook = `export async function resolve(name, context, next) {
      if (name !== "bullmq") return next(name, context);
      throw Object.assign(new Error("gone"), { code: "ERR_MODULE_NOT_FOUND" });
    }`;
    const data = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`;
    const shim = `import { register } from "node:module"; register(${JSON.stringify(data(hook))});`;
    const outcome = await bracken(["work", ...at()], { nodeOptions: [`--import=${data(shim)}`] });
    expect(outcome).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("npm install bullmq ioredis"),
    });
  });
});
