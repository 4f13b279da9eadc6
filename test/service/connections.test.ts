/** Idle connections give way, busy ones do not. */

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Connections } from "../../src/service/connections.js";
import { openClient } from "./sockets.js";

let server: Server;
let connections: Connections;
const waiting: (() => void)[] = [];

beforeAll(async () => {
  server = createServer((_request, response) => waiting.push(() => response.end("done")));
  connections = new Connections(server, 3);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});

afterAll(() => {
  server.close();
});

const open = () => openClient((server.address() as AddressInfo).port);

test("the longest idle is closed for a new one; requests in progress are finished", async () => {
  const busy = await open();
  // Two requests behind each other: the connection is busy until both are answered.
  busy.write(
    "GET /1 HTTP/1.1\r\nhost: localhost\r\n\r\nGET /2 HTTP/1.1\r\nhost: localhost\r\n\r\n",
  );
  await expect.poll(() => waiting.length).toBe(2);
  const [first, second] = [await open(), await open()];
  await expect.poll(() => connections.open).toBe(3);
  waiting.shift()?.();
  await expect.poll(() => busy.received).toContain("done");
  const third = await open();
  await expect.poll(() => first.destroyed).toBe(true);
  const fourth = await open();
  await expect.poll(() => second.destroyed).toBe(true);
  expect([third.destroyed, fourth.destroyed, busy.destroyed]).toEqual([false, false, false]);
  expect(connections.open).toBe(3);
  waiting.shift()?.();
  await expect.poll(() => busy.received.match(/done/g)?.length).toBe(2);
  third.destroy();
  await expect.poll(() => connections.open).toBe(2);
});
