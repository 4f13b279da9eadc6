/** The JSON Schema of a Bracketing and the code that reads one agree. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { BRACKET_FIELDS } from "../../src/brackets/bracket-fields.js";
import { parseBracketing } from "../../src/brackets/record.js";
import { bracken, ROOT } from "../cli/run.js";
import { BLOCKS } from "../documents.js";

const schema = JSON.parse(
  readFileSync(join(ROOT, "docs/reference/bracketing.schema.json"), "utf8"),
);
const isValid = new Ajv2020({ strict: true }).compile(schema);
const record = { tokens: ["the", "cat", "sat"], brackets: [[0, 2]], source: "mine", id: "1" };

function isRead(value: unknown): boolean {
  try {
    parseBracketing(JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

test("the records in the documents are valid", () => {
  const shown = BLOCKS.filter(({ info }) => /^jsonl?\b/.test(info))
    .flatMap(({ info, code }) => (info.startsWith("jsonl") ? code.trim().split("\n") : [code]))
    .map((text) => JSON.parse(text) as Record<string, unknown>)
    .filter((value) => "tokens" in value && "brackets" in value);
  expect(shown.length).toBeGreaterThan(4);
  for (const value of shown) expect([isValid(value), isValid.errors]).toEqual([true, null]);
});

test("what extract writes is valid", async () => {
  const { stdout } = await bracken([
    ...["extract", "markdown", "docs/links.md", "docs/page.md"],
    ...["--kinds", "link,emphasis,bold", "--english", "--labels", "--keep-annotators"],
  ]);
  const lines = stdout.trim().split("\n");
  expect(lines.length).toBeGreaterThan(3);
  for (const line of lines) {
    expect([isValid(JSON.parse(line)), isValid.errors]).toEqual([true, null]);
  }
});

test("the schema has every field of a record", () => {
  const named = Object.keys(schema.properties);
  expect(named).toEqual(expect.arrayContaining(BRACKET_FIELDS.map(({ list }) => list)));
  const text = readFileSync(join(ROOT, "docs/reference/bracketings.md"), "utf8");
  for (const name of named) expect(text).toContain(`\`${name}\``);
});

describe("schema and reader agree", () => {
  test.each([
    [{ ...record }, true],
    [{ tokens: record.tokens, brackets: [] }, true],
    [{ ...record, mine: 7 }, true],
    [{ ...record, labels: [{ NP: 0.5 }], weights: [0.5], language: "pt-BR" }, true],
    [{ ...record, questions: [[{ wh: "who", verb: "sit" }]], complete: false }, true],
    [{ brackets: [] }, false],
    [{ tokens: [""], brackets: [] }, false],
    [{ ...record, brackets: [[0]] }, false],
    [{ ...record, brackets: [[-1, 2]] }, false],
    [{ ...record, brackets: [[0, 1.5]] }, false],
    [{ ...record, brackets: [[0, 2, 3]] }, false],
    [{ ...record, weights: [0] }, false],
    [{ ...record, kinds: [""] }, false],
    [{ ...record, targets: [1] }, false],
    [{ ...record, annotators: ["Ann"] }, false],
    [{ ...record, questions: [[{ verb: "sit" }]] }, false],
    [{ ...record, questions: [[{ wh: "who", tense: "past" }]] }, false],
    [{ ...record, labels: [{ NP: 2 }] }, false],
    [{ ...record, page: { id: 1, title: "A" } }, false],
    [{ ...record, complete: "yes" }, false],
    [{ ...record, language: "" }, false],
  ])("%j: %s", (value, good) => {
    expect([isValid(value), isRead(value)]).toEqual([good, good]);
  });
});
