import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  countedCosts,
  looseCosts,
  mixedCosts,
  spanIndex,
  strictCosts,
} from "../../src/chart/index.js";
import type { Span } from "../../src/trees/tree.js";
import { brackets } from "./enumerate.js";

const bracketed = fc
  .integer({ min: 1, max: 9 })
  .chain((size) => fc.record({ size: fc.constant(size), given: brackets(size) }));

/** By the sets of tokens, unlike the comparisons of indices under test. */
function crosses(a: Span, b: Span): boolean {
  const tokens = ({ begin, end }: Span) =>
    new Set(Array.from({ length: end - begin }, (_, index) => begin + index));
  const [first, second] = [tokens(a), tokens(b)];
  const shared = [...first].filter((token) => second.has(token)).length;
  return shared > 0 && shared < first.size && shared < second.size;
}

function isOneOf(given: readonly Span[], span: Span): boolean {
  return given.some(({ begin, end }) => begin === span.begin && end === span.end);
}

function matrixOf(size: number, cost: (span: Span) => number): Float32Array {
  const matrix = new Float32Array(size * size);
  for (let begin = 0; begin < size; begin++) {
    for (let end = begin + 1; end <= size; end++) {
      matrix[spanIndex(size, begin, end)] = cost({ begin, end });
    }
  }
  return matrix;
}

const loose = (given: readonly Span[]) => (span: Span) =>
  !isOneOf(given, span) && given.some((bracket) => crosses(span, bracket)) ? 1 : 0;

const strict = (given: readonly Span[], size: number) => (span: Span) => {
  const isTrivial = span.end - span.begin === 1 || span.end - span.begin === size;
  return isTrivial || isOneOf(given, span) ? 0 : 1;
};

describe("costs follow their definitions", () => {
  test("loose", () => {
    fc.assert(
      fc.property(bracketed, ({ size, given }) => {
        expect(looseCosts(given, size)).toEqual(matrixOf(size, loose(given)));
      }),
    );
  });

  test("strict", () => {
    fc.assert(
      fc.property(bracketed, ({ size, given }) => {
        expect(strictCosts(given, size)).toEqual(matrixOf(size, strict(given, size)));
      }),
    );
  });

  test("mixed, in a matrix that was used before", () => {
    fc.assert(
      fc.property(bracketed, fc.constantFrom(0, 0.25, 0.5, 1), ({ size, given }, strictness) => {
        const expected = matrixOf(
          size,
          (span) => strictness * strict(given, size)(span) + (1 - strictness) * loose(given)(span),
        );
        const used = new Float32Array(size * size).fill(7);
        expect(mixedCosts(given, size, strictness, used)).toEqual(expected);
      }),
    );
  });

  test("counted, with weights and without, sparing brackets or not", () => {
    fc.assert(
      fc.property(bracketed, fc.boolean(), fc.boolean(), ({ size, given }, weighted, spare) => {
        const weights = given.map((_, index) => (weighted ? index + 0.5 : 1));
        const expected = matrixOf(size, (span) =>
          spare && isOneOf(given, span)
            ? 0
            : given.reduce(
                (sum, bracket, index) =>
                  sum + (crosses(span, bracket) ? (weights[index] as number) : 0),
                0,
              ),
        );
        const options = { spareBrackets: spare, ...(weighted ? { weights } : {}) };
        const used = new Float32Array(size * size).fill(7);
        expect(countedCosts(given, size, options, used)).toEqual(expected);
      }),
    );
  });

  test("a bracket that crosses another costs nothing under loose", () => {
    const given = [
      { begin: 0, end: 2 },
      { begin: 1, end: 3 },
    ];
    const costs = looseCosts(given, 4);
    expect(costs[spanIndex(4, 0, 2)]).toBe(0);
    expect(costs[spanIndex(4, 1, 3)]).toBe(0);
    expect(costs[spanIndex(4, 1, 4)]).toBe(1);
  });
});

describe("costs refuse", () => {
  test.each([
    { begin: 0, end: 4, problem: "span [0, 4) exceeds the 3 tokens" },
    { begin: 2, end: 2, problem: "[2, 2) is not a span" },
    { begin: -1, end: 2, problem: "[-1, 2) is not a span" },
  ])("$problem", ({ begin, end, problem }) => {
    expect(() => looseCosts([{ begin, end }], 3)).toThrow(problem);
    expect(() => countedCosts([{ begin, end }], 3)).toThrow(problem);
  });

  test("a strictness outside [0, 1], weights that do not fit, a matrix that does not", () => {
    expect(() => mixedCosts([], 3, 1.5)).toThrow("from 0 to 1");
    expect(() => countedCosts([], 3, { weights: [1] })).toThrow("0 brackets have 1 weights");
    const bracket = { begin: 0, end: 2 };
    expect(() => countedCosts([bracket], 3, { weights: [-1] })).toThrow("negative");
    expect(() => strictCosts([], 3, new Float32Array(8))).toThrow("need 9 entries, not 8");
  });
});
