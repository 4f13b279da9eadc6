import { expect, test } from "vitest";
import { english } from "../../src/languages/english.js";
import { withHeads } from "../../src/parser/heads.js";
import { parsePenn } from "../../src/trees/penn-reader.js";
import { constituents, leaves, type Tree } from "../../src/trees/tree.js";
import { deepTree } from "../arbitraries.js";

function headsOf(tree: Tree) {
  const words = leaves(tree);
  return withHeads(constituents(tree), tree, english).map(({ begin, end, label, head }) => {
    return [`${begin}-${end} ${label}`, words[head ?? -1]?.word];
  });
}

test("each phrase of a chain has a head, and phrases without one end with it", () => {
  const [tree] = parsePenn("(S (NP (NP (NN cats)) (CC and) (NP (NNS dogs))) (VP (VBD ran)) (. .))");
  expect(headsOf(tree as Tree)).toEqual([
    ["0-1 NP", "cats"],
    ["2-3 NP", "dogs"],
    ["0-3 NP", "cats"],
    ["3-4 VP", "ran"],
    ["0-5 S", "ran"],
  ]);
  const [dots] = parsePenn("(S (VP (VP (VB go))) (PRN (: -) (: -)))");
  expect(headsOf(dots as Tree)).toEqual([
    ["0-1 VP", "go"],
    ["0-1 VP", "go"],
    ["1-3 PRN", "-"],
    ["0-3 S", "go"],
  ]);
});

test("a tree as deep as a sentence of 20,000 words", () => {
  expect(headsOf(deepTree(20_000)).at(-1)).toEqual(["0-20000 X", "w0"]);
});
