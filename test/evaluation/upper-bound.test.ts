import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PROTOCOLS, type ProtocolName } from "../../src/evaluation/protocols.js";
import {
  type PreparedGold,
  prepareGold,
  scorePrediction,
  scoreSpans,
} from "../../src/evaluation/score.js";
import { upperBoundTree } from "../../src/evaluation/upper-bound.js";
import { type Leaf, leaves, type Tree, walk } from "../../src/trees/tree.js";
import { allBinaryTrees } from "../brute-force.js";

/** Any tree over up to 8 tokens, words and punctuation mixed. */
const gold: fc.Arbitrary<Tree> = fc
  .letrec<{ tree: Tree }>((tie) => ({
    tree: fc.oneof(
      { depthSize: "small" },
      fc.constantFrom("NN", "NN", "NN", ".", "HYPH").map((tag): Tree => ({ word: "w", tag })),
      fc
        .array(tie("tree"), { minLength: 1, maxLength: 5 })
        .map((children): Tree => ({ label: "X", children })),
    ),
  }))
  .tree.filter((tree) => leaves(tree).length <= 8);

/** Also flat ones with many tokens, which the recursive ones seldom are. */
const wide: fc.Arbitrary<Tree> = fc
  .array(gold, { minLength: 2, maxLength: 8 })
  .map((children): Tree => ({ label: "S", children }))
  .filter((tree) => leaves(tree).length <= 8);

function bruteForce(prepared: PreparedGold, name: ProtocolName, withPunctuation: boolean): number {
  const protocol = PROTOCOLS[name];
  const all = leaves(prepared.located.tree);
  const positions = [...all.keys()].filter(
    (position) => withPunctuation || protocol.isWord(all[position] as Leaf),
  );
  let best = 0;
  for (const spans of allBinaryTrees(0, positions.length)) {
    const overGold = spans.map(({ begin, end }) => ({
      begin: positions[begin] as number,
      end: (positions[end - 1] as number) + 1,
    }));
    best = Math.max(best, scoreSpans(prepared, overGold, protocol).f1);
  }
  return best;
}

describe.each(["kim", "kim-nofull", "nob"] as const)("upper bound, %s", (name) => {
  test.each([false, true])(
    "equals brute force over all binary trees (with punctuation: %s)",
    (withPunctuation) => {
      fc.assert(
        fc.property(fc.oneof(gold, wide), (tree) => {
          const protocol = PROTOCOLS[name];
          const prepared = prepareGold({ tree, file: undefined, line: 1 }, protocol);
          if (!prepared) return;
          const bound = upperBoundTree(prepared, protocol, { withPunctuation });
          walk(bound, { enter: ({ children }) => expect(children.length).toBe(2) });
          const reached = scorePrediction(
            prepared,
            { tree: bound, file: undefined, line: 1 },
            protocol,
          ).f1;
          expect(reached).toBeCloseTo(bruteForce(prepared, name, withPunctuation), 9);
        }),
        { numRuns: 300 },
      );
    },
  );
});
