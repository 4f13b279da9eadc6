import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Bracket, parseBracketing, toLine, toSpan } from "../../src/brackets/record.js";
import { BracketStatistics } from "../../src/brackets/statistics.js";
import {
  statisticsJson,
  statisticsSvg,
  statisticsText,
} from "../../src/brackets/statistics-report.js";
import { parsePenn } from "../../src/trees/penn-reader.js";
import { cross } from "../../src/trees/tree.js";

const span: fc.Arbitrary<Bracket> = fc
  .tuple(fc.nat(8), fc.nat(8))
  .map(([a, b]): Bracket => [Math.min(a, b), Math.max(a, b) + 1]);

test("crossing means sharing a token while each has one of its own", () => {
  fc.assert(
    fc.property(span, span, (a, b) => {
      const tokens = [...Array(10).keys()];
      const inside = ([begin, end]: Bracket) =>
        tokens.filter((token) => token >= begin && token < end);
      const [inA, inB] = [inside(a), inside(b)];
      const shared = inA.some((token) => inB.includes(token));
      const own =
        inA.some((token) => !inB.includes(token)) && inB.some((token) => !inA.includes(token));
      expect(cross(toSpan(a), toSpan(b))).toBe(shared && own);
    }),
  );
});

describe("records", () => {
  test("lines read back as they were", () => {
    fc.assert(
      fc.property(
        fc.array(span),
        fc.array(fc.string({ minLength: 1 }), { minLength: 9, maxLength: 12 }),
        (brackets, tokens) => {
          const record = {
            tokens,
            brackets,
            source: "s",
            id: "1",
            weights: brackets.map(() => 2),
            kinds: brackets.map(() => "k"),
          };
          expect(parseBracketing(toLine(record))).toEqual(record);
        },
      ),
    );
  });

  test.each([
    ["[1]", "not a JSON object"],
    ['{"tokens": [""]}', '"tokens"'],
    ['{"tokens": ["a"], "brackets": [[0, 2]]}', '"brackets"'],
    ['{"tokens": ["a"], "brackets": [[0, 1]], "weights": [0]}', '"weights"'],
    ['{"tokens": ["a"], "brackets": [[0, 1]], "kinds": []}', '"kinds"'],
    ['{"tokens": ["a"], "brackets": [], "text": "a", "offsets": [[0, 2]]}', '"offsets"'],
    ['{"tokens": ["a"], "brackets": [], "id": 3}', '"id"'],
    ["{", "not valid JSON"],
  ])("%s is refused with its place", (line, problem) => {
    expect(() => parseBracketing(line, { file: "d.jsonl", line: 4 })).toThrow(/^d\.jsonl:4: /);
    expect(() => parseBracketing(line)).toThrow(problem);
  });
});

describe("statistics", () => {
  const tokens = "the old man sat on the bench".split(" ");
  const [tree] = parsePenn(
    "(S (NP-SBJ (DT the) (JJ old) (NN man)) (VP (VBD sat) (PP (IN on) (NP (DT the) (NN bench)))))",
  );
  const statistics = new BracketStatistics();
  statistics.add(
    {
      tokens,
      brackets: [
        [0, 3],
        [0, 3],
        [2, 4],
        [3, 4],
        [4, 7],
        [0, 7],
        [1, 3],
      ],
      kinds: ["answer", "predicate", "answer", "answer", "answer", "answer", "answer"],
      source: "s",
      id: "1",
    },
    tree,
  );
  statistics.add({ tokens: ["a", "b", "c"], brackets: [[0, 2]], source: "s", id: "2" });

  test("counts spans once whatever their kinds", () => {
    expect(statisticsJson(statistics)).toMatchObject({
      sentences: 2,
      brackets: 7,
      bracketsPerSentence: 3.5,
      multiTokenPerSentence: 2.5,
      singleWord: 100 / 7,
      wholeSentence: 100 / 7,
      crossingPairs: (100 * 2) / 15,
      kinds: { answer: 6, predicate: 1 },
      lengths: { 1: 1, 2: 3, 3: 2, 7: 1 },
      counts: { 1: 1, 6: 1 },
    });
  });

  test("against gold: constituents, conflicts, phrases found", () => {
    expect(statistics.gold).toMatchObject({
      sentences: 1,
      brackets: 6,
      single: 1,
      constituents: 3,
      conflicting: 1,
    });
    expect(statistics.labelRows).toEqual([
      { label: "NP", gold: 2, found: 1 },
      { label: "VP", gold: 1, found: 0 },
      { label: "PP", gold: 1, found: 1 },
      { label: "total", gold: 4, found: 2 },
    ]);
  });

  test("text and picture", () => {
    const text = statisticsText(statistics);
    expect(text).toContain("brackets per sentence             3.50");
    expect(text).toContain("conflicting with reference  16.7 %");
    const svg = statisticsSvg(statistics);
    expect(svg.match(/<rect/g)?.length).toBe(62);
    expect(svg).toContain("<title>2: 3 brackets</title>");
  });
});
