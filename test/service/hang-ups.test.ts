/** Clients that go before they are answered: no fault of the service, and no error in its log. */

import { expect, test } from "vitest";
import { type InProcess, startInProcess } from "./in-process.js";
import { post } from "./serving.js";
import { type Client, openClient, postHead } from "./sockets.js";

/** A connection that has sent something, and reads nothing unless it is told to. */
function send({ port }: InProcess, bytes: string): Promise<Client> {
  return openClient(port, bytes, { reads: false });
}

const lines = (count: number) => JSON.stringify({ lines: Array(count).fill("a dog ran") });

test.each([
  [
    "while it uploads",
    async (service: InProcess) => send(service, `${postHead("/v1/parse", 90)}{"te`),
  ],
  [
    "while its sentences wait",
    async (service: InProcess) => {
      const body = lines(3);
      const socket = await send(service, postHead("/v1/parse", body.length) + body);
      await expect.poll(() => service.engine.tasks.length).toBe(3);
      return socket;
    },
  ],
  [
    "before the first line of a stream",
    async (service: InProcess) => {
      const body = lines(3);
      const socket = await send(service, postHead("/v1/parse?stream=1", body.length) + body);
      await expect.poll(() => service.engine.tasks.length).toBe(3);
      return socket;
    },
  ],
  [
    "in the middle of a stream",
    async (service: InProcess) => {
      const body = lines(300);
      service.engine.hold(1);
      const socket = await send(service, postHead("/v1/parse?stream=1", body.length) + body);
      await new Promise((resolve) => socket.once("data", resolve));
      return socket;
    },
  ],
])("a client that hangs up %s", async (_when, begin) => {
  for (const quiet of [false, true]) {
    const service = await startInProcess({ quiet });
    service.engine.hold();
    const socket = await begin(service);
    socket.resetAndDestroy();
    const waiting = async () => (await fetch(`${service.url}healthz`)).json();
    await expect.poll(waiting).toMatchObject({ waiting: { sentences: 0, words: 0 } });
    service.engine.release();
    // One that stays is answered.
    expect((await post(`${service.url}v1/parse`, { text: "A dog." })).status).toBe(200);
    if (quiet) {
      expect(service.log()).toEqual([]);
      continue;
    }
    const parses = () => service.log().filter(({ path }) => path === "/v1/parse");
    await expect.poll(() => parses().length).toBe(2);
    expect(parses().map(({ level, status }) => [level, status])).toEqual([
      ["info", 499],
      ["info", 200],
    ]);
    expect(service.log().filter(({ level }) => level !== "info")).toEqual([]);
  }
});

test("a stream that fails through our own fault is logged", async () => {
  const service = await startInProcess();
  service.engine.hold();
  const answer = post(`${service.url}v1/parse?stream=1`, { lines: Array(300).fill("a dog ran") });
  await expect.poll(() => service.engine.tasks.length).toBeGreaterThan(0);
  service.engine.failNext(new Error("broken on purpose"));
  service.engine.release();
  await answer.catch(() => {});
  const errors = () => service.log().filter(({ level }) => level === "error");
  await expect.poll(() => errors().length).toBe(1);
  expect(JSON.stringify(errors())).toContain("broken on purpose");
});
