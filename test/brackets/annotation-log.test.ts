/** The log of answers: what counts after undoing and disagreement, and what becomes of it in training data. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type AnnotationEvent,
  type AnswerEvent,
  parseEvent,
  parseQuestionId,
  questionId,
  sentenceId,
  toEventLine,
  type Verdict,
} from "../../src/brackets/annotation-log.js";
import { AnswerBook } from "../../src/brackets/answer-book.js";
import type { Bracketing } from "../../src/brackets/record.js";
import { extract } from "../../src/extract/extract.js";
import { temporaryFolder } from "../temporary.js";

const folder = temporaryFolder();
const tokens = ["the", "old", "man", "sat", "down"];
const at = "2026-01-01T00:00:00.000Z";

function answer(span: [number, number], verdict: Verdict, by = "ann", more = {}): AnswerEvent {
  return { question: `s/${span.join("-")}`, tokens, span, verdict, by, at, ...more };
}

function bookOf(...events: AnnotationEvent[]): AnswerBook {
  const book = new AnswerBook();
  for (const event of events) book.add(event);
  return book;
}

describe("answers become Bracketings", () => {
  test("yes is a bracket, no a fragment, skipped and undone ones are nothing", () => {
    const records = bookOf(
      answer([0, 3], "yes"),
      answer([1, 3], "no"),
      answer([0, 2], "skip"),
      answer([2, 4], "yes"),
      { undo: "s/2-4", by: "ann", at },
      answer([1, 4], "no", "ann", { right: [3, 5] }),
      answer([2, 5], "yes", "ann", { measure: true }),
    ).records();
    expect(records).toEqual([
      {
        tokens,
        brackets: [
          [0, 3],
          [1, 3],
          [1, 4],
          [3, 5],
        ],
        kinds: ["annotation", "fragment", "fragment", "annotation"],
        weights: [1, 1, 1, 1],
        source: "annotations",
        id: "s/0-3",
      },
    ]);
  });

  test("the last answer of a person counts, and the majority of people", () => {
    const [record] = bookOf(
      answer([0, 3], "no", "ann"),
      answer([0, 3], "yes", "ann"),
      answer([0, 3], "yes", "bob"),
      answer([0, 3], "no", "cy"),
      answer([1, 3], "no", "ann"),
      answer([1, 3], "yes", "bob"),
    ).records();
    expect([record?.brackets, record?.kinds, record?.weights]).toEqual([
      [[0, 3]],
      ["annotation"],
      [1],
    ]);
  });

  test("undoing takes back one person's answer only", () => {
    const events = [answer([0, 3], "yes", "ann"), answer([0, 3], "yes", "bob")];
    const [record] = bookOf(...events, { undo: "s/0-3", by: "bob", at }).records();
    expect(record?.weights).toEqual([1]);
  });
});

test("what is known about a sentence: votes, ties, skipped questions and marked phrases", () => {
  const book = bookOf(
    answer([0, 3], "yes", "ann"),
    answer([0, 3], "yes", "bob"),
    answer([1, 3], "yes", "ann"),
    answer([1, 3], "no", "bob"),
    answer([0, 2], "skip"),
    answer([1, 4], "no", "ann", { right: [3, 5], measure: true }),
  );
  expect(book.judged(tokens).map(({ bracket, isPhrase }) => [bracket.join(), isPhrase])).toEqual([
    ["0,3", true],
    ["1,3", undefined],
    ["0,2", undefined],
    ["1,4", false],
    ["3,5", true],
  ]);
  expect(book.judged(["other", "words"])).toEqual([]);
  const { people, ...counts } = book.counts();
  expect(counts).toEqual({ learning: 4, heldBack: 1, skipped: 1 });
  expect([...people]).toEqual([
    ["ann", 3],
    ["bob", 2],
  ]);
});

test("a person's answers are undone from the last one on", () => {
  const given = [answer([0, 3], "yes"), answer([1, 3], "no", "bob"), answer([0, 2], "skip")];
  const again = answer([0, 3], "no");
  const book = bookOf(...given, again);
  expect(book.lastBy("ann")).toBe(again);
  book.add({ undo: again.question, by: "ann", at });
  expect(book.lastBy("ann")).toBe(given[2]);
  book.add({ undo: (given[2] as AnswerEvent).question, by: "ann", at });
  expect(book.lastBy("ann")).toBeUndefined();
  expect(book.lastBy("bob")).toBe(given[1]);
});

test("ids of questions tell the sentence and the span", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.nat(999), fc.nat(999), (sentence, begin, end) => {
      const span = { begin, end };
      expect(parseQuestionId(questionId(sentence, span))).toEqual({ sentence, span });
    }),
  );
  expect(parseQuestionId("s/1-x")).toBeUndefined();
  expect(sentenceId(tokens)).toMatch(/^[0-9a-z]{14}$/);
  expect(sentenceId(tokens)).not.toBe(sentenceId([...tokens, "."]));
});

test("a line is what was written, and anything else is refused with its place", () => {
  const verdict = fc.constantFrom<Verdict>("yes", "no", "skip");
  fc.assert(
    fc.property(verdict, fc.string(), (said, by) => {
      const event = answer([1, 3], said, by);
      expect(parseEvent(toEventLine(event))).toEqual(event);
    }),
  );
  for (const line of [
    "{",
    "null",
    '{"question": "q"}',
    JSON.stringify(answer([3, 9], "yes")),
    JSON.stringify({ ...answer([0, 2], "yes"), verdict: "maybe" }),
    JSON.stringify({ ...answer([0, 2], "yes"), tokens: "the man" }),
  ]) {
    expect(() => parseEvent(line, { file: "my.jsonl", line: 3 })).toThrow("my.jsonl:3");
  }
});

test("extract reads a log, recognised by its content", async () => {
  const file = join(folder, "my.jsonl");
  writeFileSync(file, [answer([0, 3], "yes"), answer([1, 3], "no")].map(toEventLine).join(""));
  const records: Bracketing[] = [];
  for await (const record of extract(file)) records.push(record);
  expect(records.map(({ source, kinds }) => [source, kinds])).toEqual([
    ["annotations", ["annotation", "fragment"]],
  ]);
});
