/** Watching training runs, as they are and as they grow. */

import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { bracken } from "../cli/run.js";
import { writeTinyModel } from "../model/tiny-model.js";
import { temporaryFolder } from "../temporary.js";
import { tinyData, writeTinyEncoder } from "../training/tiny-encoder.js";
import { get, type Served, serve } from "./serving.js";

const folder = temporaryFolder();
const runs = join(folder, "runs");
let service: Served;

const logOf = (name: string) => join(runs, name, "training", "log.jsonl");
const line = (step: number) =>
  `${JSON.stringify({ step, loss: 1 / step, violations: 0.5, gradientNorm: 1, rate: 1e-4, tokensPerSecond: 9, seconds: step })}\n`;

function writeRun(name: string, log: string): void {
  mkdirSync(join(runs, name, "training"), { recursive: true });
  writeFileSync(logOf(name), log);
}

beforeAll(async () => {
  writeRun("live", line(10) + line(20));
  writeRun("old/seed-1", `${line(10)}{"step": 20, "lo`);
  utimesSync(logOf("old/seed-1"), 1e9, 1e9);
  writeRun("empty", "");
  writeRun("too/deep/to/find", line(10));
  mkdirSync(join(runs, "no-run"));
  const outside = join(folder, "outside");
  mkdirSync(join(outside, "training"), { recursive: true });
  writeFileSync(join(outside, "training", "log.jsonl"), line(1));
  symlinkSync(outside, join(runs, "linked"));
  mkdirSync(join(runs, "sly"));
  symlinkSync(join(outside, "training"), join(runs, "sly", "training"));
  mkdirSync(join(runs, "slyer", "training"), { recursive: true });
  symlinkSync(join(outside, "training", "log.jsonl"), logOf("slyer"));
  const data = join(folder, "data.jsonl");
  writeFileSync(data, tinyData(40));
  const encoder = await writeTinyEncoder(join(folder, "tiny"));
  const { code, stderr } = await bracken([
    ...["train", data, "--out", join(runs, "finished"), "--encoder", encoder],
    ...["--steps", "20", "--threads", "1"],
  ]);
  expect([code, stderr]).toEqual([0, expect.anything()]);
  service = await serve(await writeTinyModel(folder), "--watch", runs);
});

describe("GET /v1/runs", () => {
  test("lists the runs under the folder, and none outside of it", async () => {
    const { body } = await get(`${service.url}v1/runs`);
    const found = new Map<string, Record<string, unknown>>(
      body.runs.map((run: { name: string }) => [run.name, run]),
    );
    expect([...found.keys()]).toEqual(["empty", "finished", "live", "old/seed-1"]);
    expect(found.get("live")).toMatchObject({ step: 20, status: "growing" });
    expect(found.get("live")?.description).toBe(null);
    expect(found.get("old/seed-1")).toMatchObject({ step: 10, status: "stopped" });
    expect(found.get("empty")).toMatchObject({ step: null, bytes: 0 });
    expect(found.get("finished")).toMatchObject({ step: 20, status: "finished" });
    expect(found.get("finished")).toMatchObject({ description: { settings: { steps: 20 } } });
  });

  test("is not there without --watch", async () => {
    const plain = await serve(join(folder, "model"));
    expect((await get(`${plain.url}v1/runs`)).status).toBe(404);
    expect((await get(`${plain.url}v1/runs/live/log`)).status).toBe(404);
  });
});

describe("GET /v1/runs/:name/log", () => {
  test("gives the whole lines", async () => {
    const live = await get(`${service.url}v1/runs/live/log`);
    expect(live.headers.get("content-type")).toBe("application/x-ndjson; charset=utf-8");
    expect(live.body).toBe(line(10) + line(20));
    expect((await get(`${service.url}v1/runs/old%2Fseed-1/log`)).body).toBe(line(10));
    expect((await get(`${service.url}v1/runs/empty/log`)).body).toBe("");
    const finished = await get(`${service.url}v1/runs/finished/log`);
    expect(finished.body).toBe(readFileSync(logOf("finished"), "utf8"));
  });

  test.each([
    "linked",
    "sly",
    "slyer",
    "..%2Foutside",
    "%2e%2e",
    ".",
    "none",
    "live%00",
    "live%2F..",
    "%2Fetc",
  ])("%s is no run", async (name) => {
    for (const query of ["", "?follow=1"]) {
      expect((await get(`${service.url}v1/runs/${name}/log${query}`)).status).toBe(404);
    }
  });
});

interface Event {
  readonly event: string;
  readonly id: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came.
  readonly data: any;
}

/** Server-sent events, one by one. */
async function* follow(name: string, after?: string): AsyncGenerator<Event> {
  const response = await fetch(`${service.url}v1/runs/${name}/log?follow=1`, {
    headers: after ? { "last-event-id": after } : {},
  });
  expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  let text = "";
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    text += new TextDecoder().decode(chunk);
    const blocks = text.split("\n\n");
    text = blocks.pop() as string;
    for (const block of blocks) {
      const fields = new Map(
        block.split("\n").map((field) => field.split(/: (.*)/s) as [string, string]),
      );
      const data = fields.get("data");
      if (data === undefined) continue;
      yield {
        event: fields.get("event") ?? "message",
        id: fields.get("id"),
        data: JSON.parse(data),
      };
    }
  }
}

/** The next events: the steps of records, the names of others. */
async function take(events: AsyncGenerator<Event>, count: number): Promise<unknown[]> {
  const taken: unknown[] = [];
  while (taken.length < count) {
    const { event, data } = (await events.next()).value as Event;
    taken.push(event === "message" ? data.step : (Object.values(data)[0] ?? event));
  }
  return taken;
}

describe("following a log", () => {
  test("goes on as it grows, starts again with it, and ends with it", async () => {
    writeRun("grows", line(1) + line(2));
    const events = follow("grows");
    expect(await take(events, 3)).toEqual([1, 2, "growing"]);
    appendFileSync(logOf("grows"), line(3) + line(4));
    expect(await take(events, 2)).toEqual([3, 4]);
    // As a run does that goes on from a checkpoint.
    writeFileSync(`${logOf("grows")}.partial`, line(1));
    renameSync(`${logOf("grows")}.partial`, logOf("grows"));
    expect(await take(events, 2)).toEqual(["reset", 1]);
    rmSync(logOf("grows"));
    expect(await take(events, 1)).toEqual(["removed"]);
    expect((await events.next()).done).toBe(true);
  });

  test("a finished run is sent, and said to be over", async () => {
    const events = follow("finished");
    const told: Event[] = [];
    for await (const event of events) told.push(event);
    const names = told.map(({ event }) => event);
    expect(names).toEqual([...names.slice(0, -2).fill("message"), "status", "end"]);
    expect(names.length).toBeGreaterThan(2);
    expect(told.at(-1)?.data).toEqual({ reason: "finished" });
  });

  test("Last-Event-ID goes on behind that record, or starts again", async () => {
    writeRun("again", line(1) + line(2) + line(3));
    const first = follow("again");
    const ids: (string | undefined)[] = [];
    for (let count = 0; count < 3; count++) ids.push((await first.next()).value?.id);
    await first.return(undefined);
    expect(new Set(ids).size).toBe(3);
    const resume = async (id: string | undefined, count: number) => {
      const events = follow("again", id);
      const taken = await take(events, count);
      await events.return(undefined);
      return taken;
    };
    expect(await resume(ids[1], 2)).toEqual([3, "growing"]);
    expect(await resume(ids[2], 1)).toEqual(["growing"]);
    for (const id of ["nonsense", "99999-abc", "-1", "3-x", "1e3-0"]) {
      expect(await resume(id, 4)).toEqual(["reset", 1, 2, 3]);
    }
    // Another run of the same name, with lines as long as those before.
    writeRun("again", line(4) + line(5) + line(6) + line(7));
    expect(await resume(ids[2], 5)).toEqual(["reset", 4, 5, 6, 7]);
  });

  test("has room for so many", async () => {
    const end = new AbortController();
    const all = await Promise.all(
      Array.from({ length: 80 }, () =>
        fetch(`${service.url}v1/runs/live/log?follow=1`, { signal: end.signal }),
      ),
    );
    const statuses = all.map(({ status }) => status);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(16);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(50);
    end.abort();
    await Promise.all(all.map((response) => response.text().catch(() => {})));
    await expect.poll(async () => (await followOnce()).status).toBe(200);
  });

  async function followOnce() {
    const end = new AbortController();
    const response = await fetch(`${service.url}v1/runs/live/log?follow=1`, { signal: end.signal });
    end.abort();
    return response;
  }

  test("ends with the service", async () => {
    const watched = await serve(join(folder, "model"), "--watch", runs);
    const response = await fetch(`${watched.url}v1/runs/live/log?follow=1`);
    watched.child.kill("SIGTERM");
    expect(await response.text()).toContain('"step":20');
    expect(await watched.exited).toBe(0);
  });
});
