/** Labels, one-word phrases and chains in every form in which a tree is written. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { conlluTree, parseConllu } from "../../src/trees/conllu.js";
import { drawOutline } from "../../src/trees/draw-text.js";
import { TREE_FORMATS } from "../../src/trees/formats.js";
import { parseRecord } from "../../src/trees/json.js";
import { parsePenn } from "../../src/trees/penn-reader.js";
import { constituents, type Tree } from "../../src/trees/tree.js";

/** Untagged words under labels, as a parser gives them for plain text. */
const named: fc.Arbitrary<Tree> = fc.letrec<{ phrase: Tree; part: Tree }>((tie) => ({
  phrase: fc.record({
    label: fc.constantFrom("NP", "VP", "PP", "S", "SBAR", "ADVP"),
    children: fc.array(tie("part"), { minLength: 1, maxLength: 3 }),
  }),
  part: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom("the", "dog", "ran").map((word) => ({ word })),
    tie("phrase"),
  ),
})).phrase;

/** "He left to sleep": one-word phrases, and a chain over the same words. */
const HE: Tree = {
  label: "S",
  children: [
    { label: "NP", children: [{ word: "He" }] },
    {
      label: "VP",
      children: [
        { word: "left" },
        {
          label: "S",
          children: [
            {
              label: "VP",
              children: [{ word: "to" }, { label: "VP", children: [{ word: "sleep" }] }],
            },
          ],
        },
      ],
    },
  ],
};

describe("what can be read back has the same phrases", () => {
  const conllu = (text: string) => conlluTree(parseConllu(text.split("\n")) as never);
  const readers: [keyof typeof TREE_FORMATS, (text: string) => Tree][] = [
    ["penn", (text) => parsePenn(text)[0] as Tree],
    ["pretty", (text) => parsePenn(text)[0] as Tree],
    ["json", (text) => parseRecord(text)],
    ["conllu-misc", conllu],
  ];
  test.each(readers)("%s", (name, read) => {
    fc.assert(
      fc.property(named, (tree) => {
        expect(constituents(read(TREE_FORMATS[name].write(tree)))).toEqual(constituents(tree));
      }),
    );
  });
});

describe("what is looked at shows every label", () => {
  const count = (labels: readonly string[]) => {
    const counts: Record<string, number> = {};
    for (const label of labels) counts[label] = (counts[label] ?? 0) + 1;
    return counts;
  };
  const expected = (tree: Tree) => count(constituents(tree).map(({ label }) => label));
  test.each<[string, (tree: Tree) => string, RegExp]>([
    ["text", TREE_FORMATS.text.write, /\b[A-Z]+\b/g],
    ["outline", drawOutline, /\b[A-Z]+\b/g],
    ["svg", TREE_FORMATS.svg.write, /(?<=<text class="phrase"[^>]*>)[A-Z]+/g],
    ["forest", TREE_FORMATS.forest.write, /(?<=\{)[A-Z]+(?=\})/g],
    ["qtree", TREE_FORMATS.qtree.write, /(?<=\{)[A-Z]+(?=\})/g],
    ["spans", TREE_FORMATS.spans.write, /(?<=:)[A-Z]+/g],
  ])("%s", (_, write, label) => {
    fc.assert(
      fc.property(named, (tree) => {
        expect(count(write(tree).match(label) ?? [])).toEqual(expected(tree));
      }),
    );
  });
});

test("a sentence, as it is written", () => {
  const write = (name: keyof typeof TREE_FORMATS) => TREE_FORMATS[name].write(HE);
  expect(write("penn")).toBe("(S (NP (X He)) (VP left (S (VP to (VP (X sleep))))))");
  expect(write("spans")).toBe("0-1:NP 3-4:VP 2-4:VP 2-4:S 1-4:VP 0-4:S");
  expect(write("conllu-misc").match(/Tree=\S+/g)).toEqual([
    "Tree=(S(NP*)",
    "Tree=(VP*",
    "Tree=(S(VP*",
    "Tree=(VP*)))))",
  ]);
  expect(write("text")).toBe(
    [
      "   S",
      "┌──┴───┐",
      "│      VP",
      "│   ┌──┴──┐",
      "│   │     S",
      "│   │     │",
      "│   │     VP",
      "│   │   ┌─┴──┐",
      "NP  │   │    VP",
      "│   │   │    │",
      "He left to sleep",
    ].join("\n"),
  );
});
