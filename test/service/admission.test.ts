/** Bodies take room as they arrive, not as they are announced; those that stall give way. */

import { createServer } from "node:net";
import { expect, test } from "vitest";
import { answerBadHttp } from "../../src/service/error-handler.js";
import { type InProcess, startInProcess } from "./in-process.js";
import { get, post } from "./serving.js";
import { type Client, openClient, postHead } from "./sockets.js";

const open = (port: number, bytes?: string) => openClient(port, bytes, { allowHalfOpen: true });

/** The requests that the service has begun to answer, as its metrics tell. */
async function connections({ url }: InProcess): Promise<number> {
  const text = await (await fetch(`${url}metrics`)).text();
  return Number(/bracken_connections (\d+)/.exec(text)?.[1]);
}

test("connections that announce large bodies and send nothing keep nobody out", async () => {
  const service = await startInProcess();
  for (let count = 0; count < 100; count++) {
    await open(service.port, postHead("/v1/parse", 1024 * 1024));
  }
  await expect.poll(() => connections(service)).toBeGreaterThan(100);
  const answers = await Promise.all(
    Array.from({ length: 40 }, () => post(`${service.url}v1/parse`, { text: "A dog ran." })),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(40).fill(200));
});

test("where too much is held, the upload that takes longest gives way to whole ones", async () => {
  const service = await startInProcess({ limits: { body: 10_000 } });
  const slow: Client[] = [];
  // Nearly whole bodies: 31 of them take up nearly all there is.
  for (let count = 0; count < 31; count++) {
    slow.push(await open(service.port, postHead("/v1/parse", 10_000) + " ".repeat(9_990)));
  }
  service.engine.hold();
  const text = "dog ".repeat(2400);
  const answers = Array.from({ length: 3 }, () => post(`${service.url}v1/parse`, { text }));
  const arrived = async () => {
    const { waiting } = (await get(`${service.url}healthz`)).body;
    return service.engine.tasks.length + waiting.sentences;
  };
  await expect.poll(arrived).toBe(3);
  service.engine.release();
  for (const { status } of await Promise.all(answers)) expect(status).toBe(200);
  await expect.poll(() => slow[0]?.received).toMatch(/^HTTP\/1\.1 429 .*"too_busy"/s);
  const cut = slow.filter(({ received }) => received !== "");
  expect(cut).toEqual(slow.slice(0, cut.length));
  expect(cut.length).toBeLessThan(10);
});

test("a socket that was too slow is closed as soon as it is told so", async () => {
  const closed: Promise<void>[] = [];
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    closed.push(new Promise((resolve) => socket.once("close", () => resolve())));
    answerBadHttp(Object.assign(new Error(), { code: "ERR_HTTP_REQUEST_TIMEOUT" }), socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  // It neither ends nor says anything more.
  const client = await open(port);
  await expect.poll(() => client.received).toMatch(/^HTTP\/1\.1 408 .*"timeout"/s);
  await Promise.all(closed);
  expect(client.destroyed).toBe(false);
  server.close();
});

test.each([
  ["a media type that is not taken", "POST /v1/parse HTTP/1.1\r\ncontent-type: a/b", 415],
  ["a body that is too large", "POST /v1/parse HTTP/1.1\r\ncontent-type: application/json", 413],
  ["a method that takes no body", "GET /v1/models HTTP/1.1", 200],
])("a body that was answered before it came is let go of: %s", async (_, head, status) => {
  const service = await startInProcess({ limits: { body: 1000 } });
  const waiting = await open(service.port);
  const gone = await open(service.port);
  for (const socket of [waiting, gone]) {
    socket.write(`${head}\r\nhost: localhost\r\ncontent-length: 5000\r\n\r\n{"te`);
    await expect.poll(() => socket.received).toContain(`HTTP/1.1 ${status} `);
  }
  gone.destroy();
  // An error that nobody hears would end the process, and fail the test.
  await service.close();
});
