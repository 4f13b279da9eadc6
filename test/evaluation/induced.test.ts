/** Induced categories against gold labels: by hand, by brute force, by what must hold for any. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bestAssignment } from "../../src/evaluation/assignment.js";
import { Confusion, type LabelPair } from "../../src/evaluation/confusion.js";
import { manyToOne, oneToOne, vMeasure } from "../../src/evaluation/induced.js";
import { reportJson, reportText } from "../../src/evaluation/report.js";
import { Random } from "../../src/random.js";
import { evaluateText } from "./trees.js";

/** The largest sum over all ways to give each row a column or none, no column twice. */
function largestSum(worth: readonly (readonly number[])[], row = 0, used = 0): number {
  const values = worth[row];
  if (!values) return 0;
  const taken = values.map((value, column) =>
    used & (1 << column)
      ? Number.NEGATIVE_INFINITY
      : value + largestSum(worth, row + 1, used | (1 << column)),
  );
  const free = worth.length > values.length ? largestSum(worth, row + 1, used) : undefined;
  return Math.max(...taken, ...(free === undefined ? [] : [free]));
}

describe("the best assignment", () => {
  const matrix = fc
    .tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 6 }))
    .chain(([rows, columns]) =>
      fc.array(
        fc.array(fc.integer({ min: 0, max: 30 }), { minLength: columns, maxLength: columns }),
        { minLength: rows, maxLength: rows },
      ),
    );

  test("is worth as much as the best of all assignments", () => {
    fc.assert(
      fc.property(matrix, (worth) => {
        const columns = bestAssignment(worth);
        const used = columns.filter((column) => column !== undefined);
        expect(new Set(used).size).toBe(used.length);
        expect(used.length).toBe(Math.min(worth.length, worth[0]?.length ?? 0));
        const sum = columns.reduce<number>(
          (total, column, row) =>
            total + (column === undefined ? 0 : (worth[row]?.[column] as number)),
          0,
        );
        expect(sum).toBe(largestSum(worth));
      }),
      { numRuns: 400 },
    );
  });

  test("of nothing is nothing", () => {
    expect(bestAssignment([])).toEqual([]);
  });
});

function repeat(counts: readonly (readonly [string, string, number])[]): Confusion {
  return new Confusion(
    counts.flatMap(([gold, category, times]) =>
      Array.from({ length: times }, (): LabelPair => [gold, category]),
    ),
  );
}

describe("counted by hand", () => {
  //       c1  c2  c3
  // NP     5   4   0
  // VP     1   3   0
  // PP     0   0   2     15 spans
  const confusion = repeat([
    ["NP", "c1", 5],
    ["NP", "c2", 4],
    ["VP", "c1", 1],
    ["VP", "c2", 3],
    ["PP", "c3", 2],
  ]);

  test("many-to-one: c1 and c2 are NP, c3 is PP: 5 + 4 + 2", () => {
    const { accuracy, labels } = manyToOne(confusion);
    expect(accuracy).toBeCloseTo(11 / 15, 12);
    expect(Object.fromEntries(labels)).toEqual({ c1: "NP", c2: "NP", c3: "PP" });
  });

  test("one-to-one: c1 is NP, c2 is VP, c3 is PP: 5 + 3 + 2", () => {
    const { accuracy, labels } = oneToOne(confusion);
    expect(accuracy).toBeCloseTo(10 / 15, 12);
    expect(Object.fromEntries(labels)).toEqual({ c1: "NP", c2: "VP", c3: "PP" });
  });

  test("V-measure from conditional entropies", () => {
    const h = (...parts: number[]) => {
      const sum = parts.reduce((total, part) => total + part, 0);
      return -parts.reduce((total, part) => total + (part / sum) * Math.log(part / sum), 0);
    };
    // Gold given the category: c1 has 5 and 1 of its 6, c2 has 4 and 3 of its 7, c3 is all PP.
    const goldGiven = (6 / 15) * h(5, 1) + (7 / 15) * h(4, 3);
    // The category given gold: NP has 5 and 4 of its 9, VP has 1 and 3 of its 4, PP is all c3.
    const categoryGiven = (9 / 15) * h(5, 4) + (4 / 15) * h(1, 3);
    const homogeneity = 1 - goldGiven / h(9, 4, 2);
    const completeness = 1 - categoryGiven / h(6, 7, 2);
    const found = vMeasure(confusion);
    expect(found.homogeneity).toBeCloseTo(homogeneity, 12);
    expect(found.completeness).toBeCloseTo(completeness, 12);
    expect(found.vMeasure).toBeCloseTo(
      (2 * homogeneity * completeness) / (homogeneity + completeness),
      12,
    );
  });

  test("more categories than labels: one-to-one leaves some without a name", () => {
    const split = repeat([
      ["NP", "a", 3],
      ["NP", "b", 2],
      ["VP", "c", 1],
    ]);
    expect(manyToOne(split).accuracy).toBe(1);
    expect(oneToOne(split).accuracy).toBeCloseTo(4 / 6, 12);
    expect(oneToOne(split).labels.has("b")).toBe(false);
    expect(vMeasure(split).homogeneity).toBe(1);
    expect(vMeasure(split).completeness).toBeLessThan(1);
  });

  test("one category for all is complete and not homogeneous", () => {
    const lump = repeat([
      ["NP", "a", 3],
      ["VP", "a", 1],
    ]);
    expect(vMeasure(lump)).toEqual({ homogeneity: 0, completeness: 1, vMeasure: 0 });
    expect([manyToOne(lump).accuracy, oneToOne(lump).accuracy]).toEqual([0.75, 0.75]);
  });

  test("nothing at all", () => {
    const none = new Confusion();
    expect([manyToOne(none).accuracy, oneToOne(none).accuracy]).toEqual([1, 1]);
    expect(vMeasure(none)).toEqual({ homogeneity: 1, completeness: 1, vMeasure: 1 });
  });
});

describe("any categories", () => {
  const pairs = fc.array(
    fc.tuple(fc.constantFrom("NP", "VP", "PP", "S"), fc.constantFrom("0", "1", "2", "3", "4")),
    { minLength: 1, maxLength: 60 },
  );
  const all = (found: readonly LabelPair[]) => {
    const confusion = new Confusion(found);
    const { homogeneity, completeness, vMeasure: v } = vMeasure(confusion);
    return [
      manyToOne(confusion).accuracy,
      oneToOne(confusion).accuracy,
      homogeneity,
      completeness,
      v,
    ];
  };

  test("their names do not matter", () => {
    fc.assert(
      fc.property(
        pairs,
        fc.shuffledSubarray(["0", "1", "2", "3", "4"], { minLength: 5 }),
        (found, names) => {
          const renamed = found.map(
            ([gold, name]) => [gold, names[Number(name)] as string] as const,
          );
          for (const [index, value] of all(renamed).entries()) {
            expect(value).toBeCloseTo(all(found)[index] as number, 9);
          }
        },
      ),
    );
  });

  test("gold's own under other names are perfect", () => {
    fc.assert(
      fc.property(pairs, (found) => {
        for (const value of all(found.map(([gold]) => [gold, `category ${gold}`]))) {
          expect(value).toBeCloseTo(1, 9);
        }
      }),
    );
  });

  test("one-to-one is at most many-to-one; gold and categories swapped swap V-measure's sides", () => {
    fc.assert(
      fc.property(pairs, (found) => {
        const [many, one, homogeneity, completeness] = all(found);
        expect(one).toBeLessThanOrEqual(many as number);
        const swapped = all(found.map(([gold, name]) => [name, gold]));
        expect(swapped[2]).toBeCloseTo(completeness as number, 9);
        expect(swapped[3]).toBeCloseTo(homogeneity as number, 9);
      }),
    );
  });

  test("categories drawn without a look at gold have hardly any V-measure", () => {
    const random = new Random(7);
    const drawn = Array.from(
      { length: 20_000 },
      (): LabelPair => [`gold ${random.below(6)}`, `category ${random.below(20)}`],
    );
    expect(vMeasure(new Confusion(drawn)).vMeasure).toBeLessThan(0.01);
  });
});

test("the report maps the categories of the spans found", async () => {
  const gold = "(S (NP (DT a) (NN b)) (VP (VB c) (NP (NN d) (NN e))))";
  const predicted = gold.replace("(NP (DT", "(C1 (DT").replace("VP", "C2").replace("NP", "C1");
  const evaluation = await evaluateText(gold, predicted, "nob");
  const text = reportText(evaluation, { induced: true });
  expect(text).toContain("categories    2 for 2 gold labels, 3 spans (nob, spans found)\n");
  expect(text).toMatch(/^V-measure +100\.00$/m);
  expect(text).toMatch(/^C1 +2 +NP +NP\nC2 +1 +VP +VP$/m);
  expect(reportJson(evaluation, { induced: true }).labelled).toMatchObject({
    sentenceF1: 0,
    induced: { spans: 3, manyToOne: 100, oneToOne: 100, categories: [{ manyToOne: "NP" }, {}] },
  });
});
