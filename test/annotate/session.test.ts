/** Annotation without a terminal or a server: who is asked what, what is kept, and what is learnt from it. */

import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Question } from "../../src/annotate/asker.js";
import { Leases } from "../../src/annotate/leases.js";
import {
  type AnnotationOptions,
  AnnotationSession,
  learnFolder,
} from "../../src/annotate/session.js";
import { type AnswerEvent, parseEvent } from "../../src/brackets/annotation-log.js";
import { extract } from "../../src/extract/extract.js";
import { Random } from "../../src/random.js";
import { writeTinyModel } from "../model/tiny-model.js";
import { temporaryFolder } from "../temporary.js";
import { FakeLearner } from "./fake-learner.js";

const root = temporaryFolder();
let model = "";
const corpus = join(root, "corpus.txt");
const open: AnnotationSession[] = [];

beforeAll(async () => {
  model = await writeTinyModel(root, { decoding: "phrases" });
  const random = new Random(1);
  const pick = (...words: string[]) => words[random.below(words.length)];
  const sentence = () =>
    `The ${pick("old", "red", "big")} ${pick("man", "dog", "door")} ${pick("sat", "ran")} on ` +
    `the ${pick("bench", "hill")} by a ${pick("lake", "road", "mill")} in ${pick("May", "June")}.\n\n`;
  writeFileSync(corpus, Array.from({ length: 60 }, sentence).join(""));
});

afterEach(async () => {
  for (const session of open.splice(0)) await session.close();
});

interface Started {
  readonly session: AnnotationSession;
  readonly learner: FakeLearner;
  readonly options: AnnotationOptions;
  readonly log: string;
  events(): ReturnType<typeof parseEvent>[];
}

async function start(changes: Partial<AnnotationOptions> = {}): Promise<Started> {
  const log = changes.log ?? join(mkdtempSync(join(root, "run-")), "my.jsonl");
  const learner = (changes.learner as FakeLearner) ?? new FakeLearner(model);
  const options: AnnotationOptions = {
    ...{ corpus: [corpus], log, from: model, learnIn: learnFolder(log), learner },
    ...{ pool: 100, heldBack: 0.2, twice: 0, learnEvery: 0 },
    ...changes,
  };
  const session = await AnnotationSession.open(options);
  open.push(session);
  const events = () =>
    readFileSync(log, "utf8")
      .split("\n")
      .slice(0, -1)
      .map((line) => parseEvent(line));
  return { session, learner, options, log, events };
}

/** The next question, which must be there. */
function ask(session: AnnotationSession, by = "ann"): Question {
  const question = session.question(by);
  if (!question) throw new Error("nothing to ask");
  return question;
}

async function answer(session: AnnotationSession, by = "ann", verdict: "yes" | "no" = "yes") {
  const { id } = ask(session, by);
  await session.answer(by, { question: id, verdict });
  return id;
}

const sentenceOf = ({ tokens }: Question) => tokens.join(" ");

describe("answers", () => {
  test("are in the log when they are acknowledged, with all that is needed to learn from them", async () => {
    const { session, events, log } = await start({ heldBack: 0 });
    const question = ask(session);
    expect(question.text?.slice(...(question.offsets?.[0] ?? []))).toBe("The");
    await session.answer("ann", { question: question.id, verdict: "no", right: [0, 3] });
    const [event] = events() as AnswerEvent[];
    expect(event).toMatchObject({
      question: question.id,
      tokens: question.tokens,
      span: question.span,
      verdict: "no",
      right: [0, 3],
      by: "ann",
    });
    expect(event?.probability).toBeGreaterThan(0.04);
    const records = [];
    for await (const record of extract(log)) records.push(record);
    const said = records.flatMap(({ brackets, kinds }) =>
      brackets.map((bracket, at) => [bracket.join(), kinds?.[at]]),
    );
    expect(new Map(said as [string, string][])).toEqual(
      new Map([
        [question.span.join(), "fragment"],
        ["0,3", "annotation"],
      ]),
    );
  });

  test("a question is asked once, also after a restart", async () => {
    const { session, options } = await start();
    const asked = new Set<string>();
    for (let count = 0; count < 20; count++) asked.add(await answer(session));
    expect(asked.size).toBe(20);
    await session.close();
    const { session: again } = await start(options);
    expect(again.state()).toMatchObject({ learning: 16, heldBack: 4 });
    for (let count = 0; count < 10; count++) asked.add(await answer(again));
    expect(asked.size).toBe(30);
  });

  test("to questions of before a restart are taken; to questions about other text they are not", async () => {
    const { session, options } = await start();
    const { id } = ask(session);
    await session.close();
    const { session: again } = await start(options);
    await again.answer("ann", { question: id, verdict: "yes" });
    expect(again.state().people).toEqual(new Map([["ann", 1]]));
    for (const question of ["nothing", "aaaaaaaaaaaaaa/0-2", id.replace(/\d+-\d+$/, "0-99")]) {
      const taken = again.answer("ann", { question, verdict: "yes" });
      await expect(taken).rejects.toThrow("no such question");
    }
    for (const right of [
      [0, 1],
      [3, 99],
      [0, 14],
    ] as const) {
      const taken = again.answer("ann", { question: id, verdict: "no", right });
      await expect(taken).rejects.toThrow("two or more words");
    }
  });

  test("are undone one after the other, and asked again", async () => {
    const { session, events } = await start();
    const asked = [await answer(session), await answer(session), await answer(session, "bob")];
    const next = ask(session).id;
    expect(await session.undo("ann")).toBe(true);
    expect(ask(session).id).toBe(asked[1]);
    expect(await session.undo("ann")).toBe(true);
    expect(ask(session).id).toBe(asked[0]);
    expect(await session.undo("ann")).toBe(false);
    expect(session.state().people).toEqual(
      new Map([
        ["ann", 0],
        ["bob", 1],
      ]),
    );
    await answer(session, "ann", "no");
    expect(ask(session).id).not.toBe(asked[0]);
    expect(events()).toHaveLength(6);
    expect(next).not.toBe(asked[0]);
  });

  test("of another file are refused, and the file stays as it was", async () => {
    const log = join(mkdtempSync(join(root, "run-")), "my.jsonl");
    const text = '{"tokens": ["a", "b"], "brackets": [], "source": "s", "id": "1"}\n';
    writeFileSync(log, text);
    await expect(start({ log })).rejects.toThrow(`${log}:1`);
    expect(readFileSync(log, "utf8")).toBe(text);
    const missing = join(root, "none.jsonl");
    await expect(start({ log: missing, corpus: ["no.txt"] })).rejects.toThrow("no.txt");
    expect(existsSync(missing)).toBe(false);
  });
});

describe("several people", () => {
  test("are never asked about the same sentence at the same time", async () => {
    const { session } = await start({ twice: 0.3 });
    const people = ["ann", "bob", "cy", "dee"];
    const step = fc.record({ by: fc.constantFrom(...people), skip: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        for (const { by, skip } of steps) {
          const { id } = ask(session, by);
          await session.answer(by, { question: id, verdict: skip ? "skip" : "no" });
          const held = people.map((each) => sentenceOf(ask(session, each)));
          expect(new Set(held).size).toBe(people.length);
        }
      }),
      { numRuns: 8 },
    );
  });

  test("who goes away loses the question after a while, and may still answer it", async () => {
    let now = 0;
    const { session } = await start({ now: () => now });
    const first = ask(session, "ann").id;
    expect(ask(session, "bob").id).not.toBe(first);
    await session.answer("bob", { question: ask(session, "bob").id, verdict: "skip" });
    now += 100_000;
    expect(ask(session, "ann").id).toBe(first);
    now += 119_000;
    expect(ask(session, "bob").id).not.toBe(first);
    now += 2_000;
    expect(ask(session, "cy").id).toBe(first);
    await session.answer("ann", { question: first, verdict: "yes" });
    await session.answer("cy", { question: first, verdict: "yes" });
    expect(session.state().agreement).toMatchObject({ questions: 1, share: 1 });
  });

  test("a share of the questions is asked twice, of different people, and agreement is told", async () => {
    const { session, events } = await start({ twice: 0.5, heldBack: 0 });
    const first = new Set<string>();
    for (let count = 0; count < 20; count++) first.add(await answer(session, "ann", "yes"));
    expect(session.state().agreement.questions).toBe(0);
    let repeated = 0;
    for (let count = 0; count < 15; count++) {
      const { id } = ask(session, "bob");
      if (first.has(id)) repeated += 1;
      await session.answer("bob", { question: id, verdict: first.has(id) ? "yes" : "no" });
    }
    // One of three, as long as there are some.
    expect(repeated).toBe(5);
    const { agreement } = session.state();
    expect([agreement.questions, agreement.share]).toEqual([5, 1]);
    expect(agreement.pairs).toMatchObject([{ people: ["ann", "bob"], questions: 5 }]);
    // Nobody is asked a third time.
    for (let count = 0; count < 15; count++) await answer(session, "cy", "no");
    const people = new Map<string, Set<string>>();
    for (const { question, by } of events() as AnswerEvent[]) {
      people.set(question, (people.get(question) ?? new Set()).add(by));
    }
    expect(Math.max(...[...people.values()].map(({ size }) => size))).toBe(2);
  });

  test("a lease is renewed by its person alone", () => {
    let now = 0;
    const leases = new Leases(() => now);
    leases.take("ann", { question: "s/0-2", sentence: "s" });
    now += 60_000;
    expect(leases.isTaken("s", "bob")).toBe(true);
    expect(leases.isTaken("s", "ann")).toBe(false);
    expect(leases.renew("ann")?.question).toBe("s/0-2");
    now += 119_999;
    expect(leases.isTaken("s", "bob")).toBe(true);
    now += 1;
    expect(leases.isTaken("s", "bob")).toBe(false);
    expect(leases.renew("ann")).toBeUndefined();
  });
});

describe("held-back answers", () => {
  test("are a share of all, about sentences that nothing is learnt from, whatever the share is later", async () => {
    const { session, events, options } = await start({ heldBack: 0.25 });
    for (let count = 0; count < 40; count++) await answer(session);
    const isMeasured = new Map<string, boolean>();
    for (const event of events() as AnswerEvent[]) {
      const key = event.tokens.join(" ");
      expect(isMeasured.get(key) ?? event.measure ?? false).toBe(event.measure ?? false);
      isMeasured.set(key, event.measure ?? false);
    }
    expect(session.state()).toMatchObject({ learning: 30, heldBack: 10 });
    await session.close();
    const { session: again, events: later } = await start({ ...options, heldBack: 0.6 });
    for (let count = 0; count < 30; count++) await answer(again);
    for (const { tokens, measure = false } of later() as AnswerEvent[]) {
      const before = isMeasured.get(tokens.join(" "));
      if (before !== undefined) expect(measure).toBe(before);
    }
    expect(again.state().heldBack).toBeGreaterThan(30);
  });
});

describe("lessons", () => {
  const settle = (started: Started) =>
    expect.poll(() => started.session.state().current).toBeUndefined();

  test("come every so many answers, and the better model is used", async () => {
    const started = await start({ learnEvery: 8, heldBack: 0.2 });
    const { session, learner, options } = started;
    const right = new Map<string, string[]>();
    // The second model knows what people said to be phrases, the third nothing at all.
    learner.trees = (lesson, sentence) => {
      if (lesson !== 1) return [];
      return (right.get(sentence.join(" ")) ?? []).map((key) =>
        key.split("-").map(Number),
      ) as never;
    };
    const say = async () => {
      const question = ask(session);
      const key = sentenceOf(question);
      right.set(key, [...(right.get(key) ?? []), question.span.join("-")]);
      await session.answer("ann", { question: question.id, verdict: "yes" });
    };
    while (session.state().learning < 8) await say();
    await expect.poll(() => session.state().curve.length).toBe(2);
    await settle(started);
    const [before, after] = session.state().curve;
    expect(before).toMatchObject({ answers: 0, agreed: 0, heldBack: 2, isUsed: true });
    expect(after).toMatchObject({ answers: 8, agreed: 2, heldBack: 2, isUsed: true });
    const own = join(options.learnIn, "model");
    await expect.poll(() => learner.scored.at(-1)).toBe(own);
    while (session.state().learning < 16) await say();
    await expect.poll(() => session.state().curve.length).toBe(3);
    await settle(started);
    expect(session.state().curve.map(({ isUsed }) => isUsed)).toEqual([true, true, false]);
    // All are measured on the same answers.
    expect(new Set(session.state().curve.map(({ heldBack }) => heldBack)).size).toBe(1);
    expect(learner.tasks.map(({ records }) => records.length > 0)).toEqual([true, true]);
    expect(learner.scored.filter((each) => each === own)).toHaveLength(1);
    await session.close();
    const again = await start({ ...options, learner: new FakeLearner(model) });
    expect(again.session.state().curve).toHaveLength(3);
    expect(again.learner.scored[0]).toBe(own);
    expect(again.learner.tasks).toEqual([]);
  });

  test("nothing that is held back is learnt, and nothing else is measured on", async () => {
    const { session, learner, events } = await start({ learnEvery: 20 });
    while (session.state().learning < 20) await answer(session);
    await expect.poll(() => session.state().curve.length).toBe(2);
    const learnt = learner.tasks.flatMap(({ records, guard }) => [...records, ...guard.sentences]);
    const words = new Set(learnt.map(({ tokens }) => tokens.join(" ")));
    const measured = (events() as AnswerEvent[]).filter(({ measure }) => measure);
    expect(measured.length).toBeGreaterThan(2);
    expect(measured.filter(({ tokens }) => words.has(tokens.join(" ")))).toEqual([]);
  });

  test("one that was stopped goes on with the same answers", async () => {
    const { session, learner, options } = await start({ learnEvery: 5, heldBack: 0 });
    learner.isHeld = true;
    while (session.state().learning < 5) await answer(session);
    await expect.poll(() => learner.tasks.length).toBe(1);
    expect(session.state().current).toEqual({ answers: 5, step: 1, steps: 2 });
    await answer(session);
    await session.close();
    const again = await start({ ...options, learner: new FakeLearner(model) });
    await expect.poll(() => again.session.state().curve.length).toBe(2);
    expect(again.learner.tasks[0]?.records).toEqual(learner.tasks[0]?.records);
    expect(again.session.state().curve.at(-1)?.answers).toBe(5);
    await expect.poll(() => existsSync(join(options.learnIn, "lesson"))).toBe(false);
  });

  test("one that fails is told, and the next one comes with more answers", async () => {
    const { session, learner } = await start({ learnEvery: 5, heldBack: 0 });
    learner.isHeld = true;
    while (session.state().learning < 5) await answer(session);
    await expect.poll(() => learner.tasks.length).toBe(1);
    learner.fail(new Error("out of memory"));
    await expect.poll(() => session.state().problem).toBe("out of memory");
    expect(session.state().next).toBe(5);
    learner.isHeld = false;
    while (session.state().learning < 10) await answer(session);
    await expect.poll(() => session.state().curve.length).toBe(2);
    expect(session.state().problem).toBeUndefined();
  });

  test("a folder with models from another start is refused", async () => {
    const { session, options } = await start({ learnEvery: 5 });
    await session.close();
    const other = await writeTinyModel(mkdtempSync(join(root, "other-")), { decoding: "risk" });
    const again = start({ ...options, from: other });
    await expect(again).rejects.toThrow("another annotation is in this folder");
    // The log is free again.
    await start(options);
  });
});
