/** How a service ends: with everything answered that it accepted. */

import { EventEmitter } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FastifyReply } from "fastify";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { Admission } from "../../src/service/admission.js";
import { writeTinyModel } from "../model/tiny-model.js";
import { temporaryFolder } from "../temporary.js";
import { startInProcess } from "./in-process.js";
import { get, post, raw, serve } from "./serving.js";
import { openClient, postHead } from "./sockets.js";

const folder = temporaryFolder();
let model = "";

afterEach(() => {
  vi.useRealTimers();
});

beforeAll(async () => {
  model = await writeTinyModel(folder);
  writeFileSync(join(folder, "large.bin"), Buffer.alloc(64 * 1024 * 1024));
});

const work = (count: number) => ({
  lines: Array.from({ length: count }, (_, index) => "dog ".repeat(100) + index),
  options: { marginals: true, kBest: 10 },
});

test.each(["SIGTERM", "SIGINT"] as const)("%s while busy", async (signal) => {
  const service = await serve(model, "--watch", folder);
  const url = `${service.url}v1/parse`;
  const requests = Array.from({ length: 4 }, () => post(url, work(12)));
  const stream = post(`${url}?stream=1`, work(12));
  await expect
    .poll(async () => (await get(`${service.url}healthz`)).body.waiting.words)
    .toBeGreaterThan(1000);
  service.child.kill(signal);
  await expect.poll(async () => (await get(`${service.url}readyz`)).status).toBe(503);
  const refused = await post(url, { text: "A dog." });
  expect([refused.status, refused.body.error.code]).toEqual([503, "shutting_down"]);
  expect(refused.headers.get("retry-after")).toBe("5");
  expect(refused.headers.get("connection")).toBe("close");
  for (const { status, body } of await Promise.all(requests)) {
    expect(status).toBe(200);
    expect(body.sentences.map(({ tokens }: { tokens: string[] }) => tokens.at(-1))).toEqual(
      work(12).lines.map((_, index) => `${index}`),
    );
  }
  expect((await stream).body.trimEnd().split("\n")).toHaveLength(12);
  expect(await service.exited).toBe(0);
  expect(service.complaints()).toEqual([]);
});

test("idle connections and half requests do not hold it up", async () => {
  const service = await serve(model);
  const silent = raw(service.port, new Uint8Array(), { patience: 20_000 });
  const half = raw(service.port, "POST /v1/parse HTTP/1.1\r\nhost: localhost\r\n", {
    patience: 20_000,
  });
  await get(`${service.url}healthz`);
  service.child.kill("SIGTERM");
  expect(await service.exited).toBe(0);
  await Promise.all([silent, half]);
});

test("the second signal ends it at once", async () => {
  const service = await serve(model);
  const request = post(`${service.url}v1/parse`, work(300)).catch(() => "cut");
  await expect
    .poll(async () => (await get(`${service.url}healthz`)).body.waiting.words)
    .toBeGreaterThan(1000);
  service.child.kill("SIGTERM");
  await expect.poll(async () => (await get(`${service.url}readyz`)).status).toBe(503);
  service.child.kill("SIGTERM");
  await service.exited;
  expect(service.child.signalCode).toBe("SIGTERM");
  expect(await request).toBe("cut");
});

/** A connection that has sent something and reads nothing. */
const connection = (port: number, bytes: string) => openClient(port, bytes, { reads: false });

const upload = `${postHead("/v1/parse", 90)}{"te`;

test("an upload that is not finished is cut off at once", async () => {
  const service = await startInProcess({ drain: { delay: 0, seconds: 3600 } });
  const socket = await connection(service.port, upload);
  // The service has begun to read it.
  const open = async () =>
    /bracken_connections (\d+)/.exec((await get(`${service.url}metrics`)).body);
  await expect.poll(async () => Number((await open())?.[1])).toBeGreaterThan(1);
  const answer = new Promise<string>((resolve) => {
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk;
    });
    socket.once("close", () => resolve(text));
  });
  socket.resume();
  await service.close();
  expect(await answer).toMatch(/^HTTP\/1\.1 503 .*"shutting_down"/s);
});

test("a client that does not read its answer is waited for no longer than --drain", async () => {
  const service = await serve(model, "--drain", "1", "--page", folder);
  // Larger than sockets hold.
  const socket = await connection(
    service.port,
    "GET /large.bin HTTP/1.1\r\nhost: localhost\r\n\r\n",
  );
  await new Promise((resolve) => socket.once("readable", resolve));
  service.child.kill("SIGTERM");
  expect(await service.exited).toBe(0);
  expect(service.log()).toContainEqual(
    expect.objectContaining({ level: "warn", msg: "1 requests were cut off after 1 s" }),
  );
  socket.destroy();
});

test("the time to drain is a bound, and what is done before it is answered", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const admission = new Admission(1000);
  const replies = [0, 1].map(() => {
    const raw = Object.assign(new EventEmitter(), { destroy: vi.fn() });
    admission.enter({ raw } as unknown as FastifyReply);
    return raw;
  });
  const late = admission.close(30);
  expect(() => admission.enter({ raw: new EventEmitter() } as unknown as FastifyReply)).toThrow(
    "shutting down",
  );
  replies[0]?.emit("close");
  await vi.advanceTimersByTimeAsync(29_999);
  expect(replies[1]?.destroy).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(await late).toBe(1);
  expect(replies.map(({ destroy }) => destroy.mock.calls.length)).toEqual([0, 1]);
});

test("readiness goes first, liveness last", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const service = await startInProcess({ drain: { delay: 10, seconds: 30 } });
  expect((await get(`${service.url}readyz`)).body).toEqual({ status: "ready" });
  service.engine.hold();
  const accepted = post(`${service.url}v1/parse`, { text: "A dog." });
  const begun = async () => {
    await vi.advanceTimersByTimeAsync(10);
    return service.engine.tasks.length;
  };
  await expect.poll(begun).toBe(1);
  const closed = service.close();
  const unready = await get(`${service.url}readyz`);
  expect([unready.status, unready.body.error.code]).toEqual([503, "shutting_down"]);
  // A proxy may not have noticed yet.
  expect((await get(`${service.url}v1/models`)).status).toBe(200);
  expect((await get(`${service.url}healthz`)).status).toBe(200);
  await vi.advanceTimersByTimeAsync(10_000);
  expect((await get(`${service.url}v1/models`)).status).toBe(503);
  expect((await get(`${service.url}healthz`)).status).toBe(200);
  vi.useRealTimers();
  service.engine.release();
  expect((await accepted).status).toBe(200);
  await closed;
});
