import { describe, expect, test } from "vitest";
import { baselineTree } from "../../src/evaluation/baselines.js";
import { Random } from "../../src/random.js";
import { toPenn } from "../../src/trees/penn-writer.js";
import { constituents, type Leaf } from "../../src/trees/tree.js";

const words = (text: string): Leaf[] =>
  text.split(" ").map((part) => ({ word: part, tag: /^\w/.test(part) ? "NN" : part }));
const bare = (text: string) =>
  text.replace(/\((?:NN|[^\w\s()]+) ([^()]+)\)/g, "$1").replaceAll("X ", "");
const draw = (name: "left" | "right" | "punctuation", text: string) =>
  bare(toPenn(baselineTree(name, words(text), new Random(1))));

test("left and right branching", () => {
  expect(draw("left", "a b c d")).toBe("(((a b) c) d)");
  expect(draw("right", "a b c d")).toBe("(a (b (c d)))");
});

test("stretches between separators branch to the right, the end hangs on top", () => {
  expect(draw("punctuation", "a b , c d : e .")).toBe("(((a b) (, ((c d) (: e)))) .)");
  expect(draw("punctuation", "a b c")).toBe("(a (b c))");
  expect(draw("punctuation", ". .")).toBe("(. .)");
});

describe("random trees", () => {
  test("are binary over all tokens and repeat with the seed", () => {
    const tokens = words("a b c d e f g h");
    const drawn = (seed: number) => toPenn(baselineTree("random", tokens, new Random(seed)));
    expect(drawn(3)).toBe(drawn(3));
    expect(new Set(Array.from({ length: 20 }, (_, seed) => drawn(seed))).size).toBeGreaterThan(10);
    expect(constituents(baselineTree("random", tokens, new Random(5))).length).toBe(7);
  });

  test("reduce as often as they shift: the coin is fair", () => {
    // Over three tokens the first free choice decides: left or right branching.
    const random = new Random(7);
    let left = 0;
    for (let trial = 0; trial < 4000; trial++) {
      if (toPenn(baselineTree("random", words("a b c"), random)).startsWith("(X (X")) left += 1;
    }
    expect(Math.abs(left - 2000)).toBeLessThan(4 * Math.sqrt(1000));
  });
});
