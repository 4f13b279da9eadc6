import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fromRecord, parseRecord, toRecord } from "../../src/trees/json.js";
import { parsePenn } from "../../src/trees/penn-reader.js";
import { deepTree, tree } from "../arbitraries.js";

describe("JSON records", () => {
  test("spans are half-open and outermost first", () => {
    const [found] = parsePenn("(S (NP (NP (DT a) (NN b))) (VP (VB c)))");
    expect(toRecord(found as never)).toEqual({
      tokens: ["a", "b", "c"],
      tags: ["DT", "NN", "VB"],
      spans: [
        { begin: 0, end: 3, label: "S" },
        { begin: 0, end: 2, label: "NP" },
        { begin: 0, end: 2, label: "NP" },
        { begin: 2, end: 3, label: "VP" },
      ],
    });
  });

  test("round trip", () => {
    fc.assert(
      fc.property(tree, (original) => {
        expect(parseRecord(JSON.stringify(toRecord(original)))).toEqual(original);
      }),
    );
  });

  test("a deep tree", () => {
    const deep = deepTree(5000);
    expect(toRecord(fromRecord(toRecord(deep)))).toEqual(toRecord(deep));
  });

  test("spans in any order, without a root", () => {
    const spans = [
      { begin: 2, end: 4, label: "B" },
      { begin: 0, end: 2, label: "A" },
    ];
    expect(fromRecord({ tokens: ["a", "b", "c", "d"], spans })).toEqual({
      label: "",
      children: [
        { label: "A", children: [{ word: "a" }, { word: "b" }] },
        { label: "B", children: [{ word: "c" }, { word: "d" }] },
      ],
    });
  });

  test.each([
    ["{", "not valid JSON"],
    ["[]", '"tokens"'],
    ['{"tokens": []}', '"tokens"'],
    ['{"tokens": ["a", ""], "spans": []}', '"tokens"'],
    ['{"tokens": ["a"], "tags": [], "spans": []}', '"tags"'],
    ['{"tokens": ["a"], "tags": [3], "spans": []}', '"tags"'],
    ['{"tokens": ["a"]}', '"spans"'],
    ['{"tokens": ["a"], "spans": [{"begin": 0}]}', "span 0"],
    ['{"tokens": ["a"], "spans": [{"begin": 0, "end": 2}]}', "exceeds the 1 tokens"],
    ['{"tokens": ["a"], "spans": [{"begin": 1, "end": 1}]}', "not a span"],
    [
      '{"tokens": ["a", "b", "c"], "spans": [{"begin": 0, "end": 2}, {"begin": 1, "end": 3}]}',
      "cross",
    ],
  ])("%s is refused with its place", (line, problem) => {
    expect(() => parseRecord(line, { file: "t.jsonl", line: 7 })).toThrow(`t.jsonl:7: `);
    expect(() => parseRecord(line)).toThrow(problem);
  });
});
