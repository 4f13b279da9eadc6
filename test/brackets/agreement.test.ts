/** Agreement beyond chance, against numbers worked out by hand and against the definitions. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { agreementOf, type Said } from "../../src/brackets/agreement.js";

/** Answers as a table: a row for each question, `y`, `n` or a blank for each person. */
function table(...rows: string[]): Said[] {
  return rows.map((row) => {
    const said = [...row].map((letter, person) => [`p${person}`, letter === "y"] as const);
    return new Map(said.filter((_, person) => row[person] !== " "));
  });
}

test("two people: Cohen's kappa has a chance for each, Fleiss' one for both", () => {
  const { questions, share, kappa, pairs } = agreementOf(table("yy", "yy", "ny", "nn"));
  expect([questions, share]).toEqual([4, 0.75]);
  const chance = (5 / 8) ** 2 + (3 / 8) ** 2;
  expect(kappa).toBeCloseTo((0.75 - chance) / (1 - chance), 12);
  expect(pairs).toHaveLength(1);
  expect(pairs[0]).toMatchObject({ people: ["p0", "p1"], questions: 4, share: 0.75 });
  // (0.75 - 0.5) / (1 - 0.5): half of the one's answers are yes, three quarters of the other's.
  expect(pairs[0]?.kappa).toBeCloseTo(0.5, 12);
});

test("several people: pairs within each question, as Fleiss defines it", () => {
  const { questions, share, kappa, pairs } = agreementOf(table("yyy", "yyn", "nn ", "y  "));
  expect(questions).toBe(3);
  const observed = (1 + 1 / 3 + 1) / 3;
  const chance = (5 / 8) ** 2 + (3 / 8) ** 2;
  expect(share).toBeCloseTo(observed, 12);
  expect(kappa).toBeCloseTo((observed - chance) / (1 - chance), 12);
  expect(pairs.map(({ people, questions: both }) => [...people, both])).toEqual([
    ["p0", "p1", 3],
    ["p0", "p2", 2],
    ["p1", "p2", 2],
  ]);
});

describe("where nothing can be told", () => {
  test("nobody answered the same question", () => {
    expect(agreementOf(table("y ", " n"))).toEqual({
      ...{ questions: 0, share: undefined, kappa: undefined },
      pairs: [],
    });
  });

  test("all answers are alike", () => {
    expect(agreementOf(table("yy", "yy"))).toMatchObject({ share: 1, kappa: undefined });
  });
});

test("for any answers: 1 where all agree, at most 1 otherwise, and people's order does not matter", () => {
  const verdict = fc.option(fc.boolean(), { nil: undefined });
  const rows = fc.array(fc.tuple(verdict, verdict, verdict), { maxLength: 12 });
  fc.assert(
    fc.property(rows, (all) => {
      const said = (order: readonly number[]) =>
        all.map((row): Said => {
          const given = order.flatMap((person): (readonly [string, boolean])[] => {
            const each = row[person];
            return each === undefined ? [] : [[`p${person}`, each]];
          });
          return new Map(given);
        });
      const { share, kappa, questions } = agreementOf(said([0, 1, 2]));
      const turned = agreementOf(said([2, 0, 1]));
      expect([turned.share, turned.questions]).toEqual([share, questions]);
      if (kappa !== undefined) {
        expect(kappa).toBeLessThanOrEqual(1);
        expect(kappa === 1).toBe(share === 1);
      }
    }),
  );
});
