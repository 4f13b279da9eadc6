import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { category, splitLabel } from "../../src/trees/labels.js";
import { parsePenn } from "../../src/trees/penn-reader.js";
import { toPenn } from "../../src/trees/penn-writer.js";
import {
  binarise,
  collapseUnary,
  dropEmpty,
  filterLeaves,
  unwrapRoot,
} from "../../src/trees/transform.js";
import { constituents, isLeaf, leaves, type Tree, walk, words } from "../../src/trees/tree.js";
import { deepTree, tree } from "../arbitraries.js";

const read = (text: string) => parsePenn(text, { keepEmpty: true })[0] as Tree;

describe("shapes", () => {
  test("wrappers go, also nested ones; other unary roots stay", () => {
    expect(toPenn(unwrapRoot(read("( (ROOT (TOP (S (NN a) (NN b)))))")))).toBe("(S (NN a) (NN b))");
    expect(toPenn(unwrapRoot(read("(S1 (S (NN a) (NN b)))")))).toBe("(S1 (S (NN a) (NN b)))");
    expect(toPenn(unwrapRoot(read("(ROOT (NN a) (NN b))")))).toBe("(ROOT (NN a) (NN b))");
  });

  test("unary chains collapse to their topmost label", () => {
    expect(toPenn(collapseUnary(read("(S (NP (NP (NN a) (NN b))) (VP (VB c)))")))).toBe(
      "(S (NP (NN a) (NN b)) (VB c))",
    );
  });

  test("binarising keeps all phrases and gives every phrase two parts", () => {
    fc.assert(
      fc.property(tree, fc.constantFrom("left" as const, "right" as const), (original, side) => {
        const collapsed = collapseUnary(original);
        const binary = binarise(collapsed, side);
        expect(words(binary)).toEqual(words(original));
        walk(binary, { enter: ({ children }) => expect(children.length).toBe(2) });
        const spans = new Set(constituents(binary).map(({ begin, end }) => `${begin}-${end}`));
        for (const { begin, end } of constituents(collapsed))
          expect(spans).toContain(`${begin}-${end}`);
      }),
    );
  });

  test("binarising nests to the side asked for", () => {
    const flat = read("(S (A a) (B b) (C c) (D d))");
    expect(constituents(binarise(flat, "right")).map(({ begin }) => begin)).toEqual([2, 1, 0]);
    expect(constituents(binarise(flat, "left")).map(({ end }) => end)).toEqual([2, 3, 4]);
  });

  test("filtering leaves keeps the order of the rest and no empty phrase", () => {
    fc.assert(
      fc.property(tree, fc.infiniteStream(fc.boolean()), (original, coins) => {
        const kept = leaves(original).map(() => coins.next().value as boolean);
        const filtered = filterLeaves(original, (_, index) => kept[index] as boolean);
        const expected = words(original).filter((_, index) => kept[index]);
        expect(filtered ? words(filtered) : []).toEqual(expected);
        if (filtered && !isLeaf(filtered)) {
          walk(filtered, { enter: ({ children }) => expect(children.length).toBeGreaterThan(0) });
        }
      }),
    );
  });

  test("dropEmpty equals reading without traces", () => {
    const text = "(S (NP (-NONE- *) (NN a)) (SBAR (-NONE- 0)))";
    expect(dropEmpty(read(text))).toEqual(parsePenn(text)[0]);
  });

  test("constituents are in post-order with the root last", () => {
    const found = constituents(read("(S (NP (DT a) (NN b)) (VP (VB c) (NP (NN d))))"));
    expect(found.map(({ label, begin, end }) => `${label}${begin}${end}`)).toEqual([
      "NP02",
      "NP34",
      "VP24",
      "S04",
    ]);
  });

  test("depth is no limit", () => {
    expect(constituents(collapseUnary(binarise(deepTree(20_000)))).length).toBe(19_999);
  });
});

describe("labels", () => {
  test.each([
    ["NP", { category: "NP", functions: [], index: undefined, gap: undefined }],
    ["NP-SBJ-1", { category: "NP", functions: ["SBJ"], index: "1", gap: undefined }],
    ["PP-LOC-CLR=2", { category: "PP", functions: ["LOC", "CLR"], index: undefined, gap: "2" }],
    ["NP-SBJ-1=2", { category: "NP", functions: ["SBJ"], index: "1", gap: "2" }],
    ["NP=3-TMP", { category: "NP", functions: ["TMP"], index: undefined, gap: "3" }],
    ["-LRB-", { category: "-LRB-", functions: [], index: undefined, gap: undefined }],
    ["PRP$", { category: "PRP$", functions: [], index: undefined, gap: undefined }],
    ["ADVP|PRT", { category: "ADVP|PRT", functions: [], index: undefined, gap: undefined }],
    ["", { category: "", functions: [], index: undefined, gap: undefined }],
  ])("%s", (label, parts) => {
    expect(splitLabel(label)).toEqual(parts);
    expect(category(label)).toBe(parts.category);
  });
});
