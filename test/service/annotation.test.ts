/** Questions over HTTP, with a real service, real models that learn, and real kills. */

import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { type AnswerEvent, parseEvent } from "../../src/brackets/annotation-log.js";
import { writeTinyCorpus } from "../annotate/tiny-corpus.js";
import { bracken } from "../cli/run.js";
import { writeTinyModel } from "../model/tiny-model.js";
import { temporaryFolder } from "../temporary.js";
import { type Answer, get, post, type Served, serve } from "./serving.js";

const root = temporaryFolder();
const corpus = join(root, "corpus.txt");
let model = "";

beforeAll(async () => {
  model = await writeTinyModel(root, { decoding: "phrases" });
  writeTinyCorpus(corpus, 60);
});

const freshLog = () => join(mkdtempSync(join(root, "run-")), "my.jsonl");

function start(log: string, ...options: string[]): Promise<Served> {
  return serve(model, "--annotate", log, "--corpus", corpus, "--learn-every", "0", ...options);
}

const eventsOf = (log: string) =>
  readFileSync(log, "utf8")
    .split("\n")
    .slice(0, -1)
    .map((line) => parseEvent(line));

const question = (service: Served, by: string) =>
  post(`${service.url}v1/annotation/question`, { by });

const answer = (service: Served, by: string, body: object) =>
  post(`${service.url}v1/annotation/answer`, { by, ...body });

/** Asks until there is a question: sentences are scored in the background. */
async function firstQuestion(service: Served, by: string): Promise<Answer> {
  let found = await question(service, by);
  await expect
    .poll(async () => {
      found = await question(service, by);
      return found.body.question;
    })
    .not.toBe(null);
  return found;
}

describe("questions and answers", () => {
  let service: Served;
  const log = freshLog();
  beforeAll(async () => {
    service = await start(log, "--twice", "0");
  });

  test("each answer is saved and brings the next question", async () => {
    const { body } = await firstQuestion(service, "Ann B.");
    const { id, tokens, span } = body.question;
    expect(tokens.slice(...span).length).toBeGreaterThan(1);
    expect((await question(service, "Ann B.")).body.question.id).toBe(id);
    const sent = { question: id, verdict: "no", right: [0, 2] };
    const { status, body: after } = await answer(service, "Ann B.", sent);
    expect(status).toBe(200);
    expect(after.question.id).not.toBe(id);
    expect(after.state).toMatchObject({ answers: 1, people: [{ name: "Ann B.", answers: 1 }] });
    expect(eventsOf(log)).toMatchObject([{ question: id, verdict: "no", right: [0, 2] }]);
    const state = await get(`${service.url}v1/annotation`);
    expect(state.body).toMatchObject({ answers: 1, nextLesson: null, curve: [], problem: null });
    const undone = await post(`${service.url}v1/annotation/undo`, { by: "Ann B." });
    expect(undone.body).toMatchObject({ question: { id }, state: { answers: 0 } });
    expect(eventsOf(log)).toHaveLength(2);
  });

  test("people who answer at the same time are asked about different sentences", async () => {
    const people = Array.from({ length: 6 }, (_, index) => `p${index}`);
    const seen = new Set<string>();
    for (let round = 0; round < 4; round++) {
      const asked = await Promise.all(people.map((by) => question(service, by)));
      const texts = asked.map(({ body }) => body.question.tokens.join(" "));
      expect(new Set(texts).size).toBe(people.length);
      for (const { body } of asked) {
        expect(seen.has(body.question.id)).toBe(false);
        seen.add(body.question.id);
      }
      await Promise.all(
        people.map((by, index) =>
          answer(service, by, { question: asked[index]?.body.question.id, verdict: "skip" }),
        ),
      );
    }
  });

  test("what makes no sense is refused", async () => {
    const { id } = (await question(service, "ann")).body.question;
    const cases: [string, object, number, string][] = [
      ["question", {}, 400, "invalid_request"],
      ["question", { by: " ann" }, 400, "invalid_request"],
      ["question", { by: "a\nb" }, 400, "invalid_request"],
      ["question", { by: "a".repeat(61) }, 400, "invalid_request"],
      ["answer", { by: "ann", question: "none", verdict: "yes" }, 404, "unknown_question"],
      ["answer", { by: "ann", question: id, verdict: "maybe" }, 400, "invalid_request"],
      [
        "answer",
        { by: "ann", question: id, verdict: "no", right: [0, 99] },
        400,
        "invalid_request",
      ],
      [
        "answer",
        { by: "ann", question: id, verdict: "yes", right: [0, 2] },
        400,
        "invalid_request",
      ],
      ["undo", { by: "nobody" }, 409, "nothing_to_undo"],
    ];
    const before = eventsOf(log).length;
    for (const [route, body, status, code] of cases) {
      const refused = await post(`${service.url}v1/annotation/${route}`, body);
      expect([refused.status, refused.body.error.code], JSON.stringify(body)).toEqual([
        status,
        code,
      ]);
    }
    expect(eventsOf(log)).toHaveLength(before);
  });

  test("a second service cannot write to the same log", async () => {
    const args = ["--port", "0", "--model", model, "--annotate", log, "--corpus", corpus];
    const { code, stderr } = await bracken(["serve", ...args]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("has been writing this")]);
    const lonely = await bracken(["serve", "--annotate", log]);
    expect([lonely.code, lonely.stderr]).toEqual([2, expect.stringContaining("--corpus")]);
  });
});

test("a service without --annotate has none of it", async () => {
  const service = await serve(model);
  expect((await get(`${service.url}v1/annotation`)).status).toBe(404);
  expect((await get(`${service.url}v1/models`)).body.annotation).toBe(false);
});

test("kill -9 loses no answer that was acknowledged, and people go on", async () => {
  const log = freshLog();
  const acknowledged: string[] = [];
  const asked = new Set<string>();
  for (let round = 0; round < 2; round++) {
    const service = await start(log);
    await firstQuestion(service, "p0");
    const total = acknowledged.length + 12;
    const person = async (by: string) => {
      let next = (await question(service, by)).body.question.id as string;
      for (;;) {
        const { body } = await answer(service, by, { question: next, verdict: "yes" });
        acknowledged.push(`${by} ${next}`);
        asked.add(next);
        // In the middle of what the others are sending.
        if (acknowledged.length >= total) service.child.kill("SIGKILL");
        next = body.question.id;
      }
    };
    const people = Array.from({ length: 5 }, (_, index) => person(`p${index}`));
    const ended = await Promise.allSettled(people);
    expect(ended.every(({ status }) => status === "rejected")).toBe(true);
    await service.exited;
    const kept = eventsOf(log).map((event) => {
      const { by, question: id } = event as AnswerEvent;
      return `${by} ${id}`;
    });
    expect(acknowledged.filter((each) => !kept.includes(each))).toEqual([]);
    expect(new Set(kept).size).toBe(kept.length);
  }
  expect(acknowledged.length).toBeGreaterThanOrEqual(24);
}, 120_000);

test("models learn in the background, the curve grows, and a stopped lesson goes on", async () => {
  const log = freshLog();
  const options = ["--annotate", log, "--corpus", corpus, "--learn-every", "12"];
  let service = await serve(model, ...options);
  let { id } = (await firstQuestion(service, "ann")).body.question;
  const say = async (learning: number) => {
    for (;;) {
      const [, begin, end] = /\/(\d+)-(\d+)$/.exec(id) ?? [];
      const verdict = Number(end) - Number(begin) <= 3 ? "yes" : "no";
      const { body } = await answer(service, "ann", { question: id, verdict });
      id = body.question.id;
      const { answers, heldBack } = body.state;
      if (answers - heldBack >= learning) return;
    }
  };
  const state = async () => (await get(`${service.url}v1/annotation`)).body;
  await say(12);
  await expect.poll(async () => (await state()).curve.length, { timeout: 50_000 }).toBe(2);
  const { curve } = await state();
  expect(curve.map(({ answers }: { answers: number }) => answers)).toEqual([0, 12]);
  expect(curve[0].heldBack).toBe(3);
  const logged = () => service.log().find(({ lesson }) => lesson);
  await expect.poll(logged).toMatchObject({ lesson: { answers: 12 } });
  // The service answers while a model learns, and ends in good order.
  await say(24);
  await expect.poll(async () => (await state()).lesson).not.toBe(null);
  service.child.kill("SIGTERM");
  expect(await service.exited).toBe(0);
  expect(existsSync(join(log, "../my-models/lesson/lesson.json"))).toBe(true);
  service = await serve(model, ...options);
  await expect.poll(async () => (await state()).curve.length, { timeout: 50_000 }).toBe(3);
  expect((await state()).curve.at(-1).answers).toBe(24);
  const used = join(log, "../my-models/model");
  const isUsed = (await state()).curve.slice(1).some(({ used: each }: { used: boolean }) => each);
  expect(existsSync(used)).toBe(isUsed);
  // The log is one more source to learn from.
  const extracted = await bracken(["extract", "annotations", log, "-o", `${log}.brackets`]);
  expect(extracted.code, extracted.stderr).toBe(0);
  const first = JSON.parse(readFileSync(`${log}.brackets`, "utf8").split("\n")[0] as string);
  expect(first.kinds.every((kind: string) => ["annotation", "fragment"].includes(kind))).toBe(true);
}, 180_000);
