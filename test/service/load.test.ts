/** Many clients at a time: every answer comes, and each client gets its own. */

import { beforeAll, expect, test } from "vitest";
import { loadParser } from "../../src/index.js";
import { toParseRecord } from "../../src/parser/parse-record.js";
import { Random } from "../../src/random.js";
import { writeTinyModel } from "../model/tiny-model.js";
import { temporaryFolder } from "../temporary.js";
import { WORDS } from "../training/tiny-encoder.js";
import { startInProcess } from "./in-process.js";
import { get, post, type Served, serve } from "./serving.js";
import { openClient } from "./sockets.js";

const folder = temporaryFolder();
let model = "";
let service: Served;

beforeAll(async () => {
  model = await writeTinyModel(folder);
  service = await serve(model, "--quiet");
});

const CLIENTS = 64;
const REQUESTS = 20;

test("64 clients: no error, no answer lost or swapped", async () => {
  const random = new Random(7);
  const sentences = Array.from({ length: 400 }, (_, index) => [
    ...Array.from({ length: 1 + random.below(25) }, () => WORDS[random.below(13)] as string),
    `s${index}`,
  ]);
  const parser = await loadParser(model, { threads: 1, workers: 0 });
  const parses = await parser.parseSentences(sentences);
  const expected = parses.map((parse) => JSON.stringify(toParseRecord(parse)));
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      const own = new Random(client);
      for (let count = 0; count < REQUESTS; count++) {
        const wanted = Array.from({ length: own.below(6) }, () => own.below(sentences.length));
        const isStream = own.below(4) === 0;
        const { status, body } = await post(
          `${service.url}v1/parse${isStream ? "?stream=1" : ""}`,
          { sentences: wanted.map((index) => ({ tokens: sentences[index] })) },
        );
        expect(status).toBe(200);
        const records = isStream
          ? body.split("\n").slice(0, -1)
          : body.sentences.map((record: unknown) => JSON.stringify(record));
        expect(records).toEqual(wanted.map((index) => expected[index]));
      }
    }),
  );
  const total = CLIENTS * REQUESTS;
  const metrics = async () => (await get(`${service.url}metrics`)).body as string;
  const counted = 'bracken_requests_total{method="POST",route="/v1/parse",status="200"}';
  await expect.poll(metrics).toContain(`${counted} ${total}\n`);
  // They shared rounds.
  const rounds = Number(/bracken_round_sentences_count (\d+)/.exec(await metrics())?.[1]);
  expect(rounds).toBeLessThan(total / 2);
});

test("a client that does not read is not parsed for", async () => {
  const sentences = 600;
  const { engine, port, url } = await startInProcess();
  // Far more than sockets hold.
  engine.padding = 100_000;
  const body = JSON.stringify({
    lines: Array.from({ length: sentences }, (_, index) => `the dog ${index}`),
  });
  const socket = await openClient(
    port,
    `POST /v1/parse?stream=1 HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    { reads: false },
  );
  await expect.poll(() => engine.tasks.length).toBeGreaterThan(0);
  // Others are served in the meantime, and there is time enough for all to be parsed.
  const others = 60;
  for (let count = 0; count < others; count++) {
    expect((await post(`${url}v1/parse`, { text: "A dog." })).status).toBe(200);
  }
  expect(engine.tasks.length - others).toBeLessThan(sentences);
  const received: Buffer[] = [];
  for await (const chunk of socket) received.push(chunk as Buffer);
  const numbers = Array.from(
    Buffer.concat(received)
      .toString()
      .matchAll(/"dog","(\d+)"\],"spans"/g),
    ([, number]) => Number(number),
  );
  expect(numbers).toEqual(Array.from({ length: sentences }, (_, index) => index));
});
