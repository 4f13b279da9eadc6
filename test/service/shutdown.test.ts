/** How a service ends: with everything answered that it accepted. */

import { beforeAll, expect, test } from "vitest";
import { writeTinyModel } from "../model/tiny-model.js";
import { temporaryFolder } from "../temporary.js";
import { get, post, raw, serve } from "./serving.js";

const folder = temporaryFolder();
let model = "";

beforeAll(async () => {
  model = await writeTinyModel(folder);
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
  await expect.poll(async () => (await get(`${service.url}healthz`)).status).toBe(503);
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
  const half = raw(service.port, "POST /v1/parse HTTP/1.1\r\nhost: a\r\n", { patience: 20_000 });
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
  await expect.poll(async () => (await get(`${service.url}healthz`)).status).toBe(503);
  service.child.kill("SIGTERM");
  await service.exited;
  expect(service.child.signalCode).toBe("SIGTERM");
  expect(await request).toBe("cut");
});
