/** Gold trees as Bracketings: nothing of the tree is lost, and nobody learns from trees without meaning to. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Bracketing } from "../../src/brackets/record.js";
import { extract } from "../../src/extract/extract.js";
import type { ExtractOptions } from "../../src/extract/options.js";
import { parsePenn } from "../../src/trees/penn-reader.js";
import { toPenn } from "../../src/trees/penn-writer.js";
import { treeFromSpans } from "../../src/trees/transform.js";
import type { Tree } from "../../src/trees/tree.js";
import { temporaryFolder } from "../temporary.js";

const folder = temporaryFolder();

async function records(
  files: string | string[],
  options: ExtractOptions = {},
): Promise<Bracketing[]> {
  const found: Bracketing[] = [];
  for await (const record of extract(files, { source: "trees", ...options })) found.push(record);
  return found;
}

function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

const GOLD = `( (S (NP-SBJ-1 (PRP He)) (VP (VBD wanted) (S (NP-SBJ (-NONE- *-1)) (VP (TO to)
  (VP (VB go))))) (. .)) )\n`;

test("each phrase is a bracket with its label, a chain where several have the same words", async () => {
  expect(await records(file("wsj_0001.mrg", GOLD.repeat(2)))).toEqual([
    {
      tokens: ["He", "wanted", "to", "go", "."],
      brackets: [
        [0, 5],
        [0, 1],
        [1, 4],
        [2, 4],
        [3, 4],
      ],
      source: "trees",
      id: "wsj_0001:1",
      weights: [1, 1, 1, 1, 1],
      kinds: ["tree", "tree", "tree", "tree", "tree"],
      labels: [{ S: 1 }, { NP: 1 }, { VP: 1 }, { "S+VP": 1 }, { VP: 1 }],
      complete: true,
    },
  ]);
});

/** The tree that a record says. */
function treeOf({ tokens, brackets, labels = [] }: Bracketing): Tree {
  const phrases = brackets.flatMap(([begin, end], at) =>
    Object.keys(labels[at] ?? {})
      .flatMap((chain) => chain.split("+"))
      .map((label) => ({ begin, end, label })),
  );
  return treeFromSpans(
    tokens.map((word) => ({ word, tag: "T" })),
    phrases,
  );
}

const phrase: fc.Arbitrary<Tree> = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom("a", "b", "c").map((word) => ({ word, tag: "T" })),
    fc.record({
      label: fc.constantFrom("NP", "VP", "S"),
      children: fc.array(tie("tree"), { minLength: 1, maxLength: 4 }),
    }),
  ),
})).tree;

test("the whole tree can be read from the record", async () => {
  const root = phrase.map((tree): Tree => ({ label: "S", children: [tree] }));
  await fc.assert(
    fc.asyncProperty(fc.array(root, { minLength: 1, maxLength: 5 }), async (trees) => {
      const gold = file("any.mrg", trees.map((tree) => `${toPenn(tree)}\n`).join(""));
      const found = await records(gold, { merge: "none" });
      expect(found.map((record) => toPenn(treeOf(record)))).toEqual(
        trees.map((tree) => toPenn(tree)),
      );
    }),
    { numRuns: 40 },
  );
});

test("cleaning drops sentences, but changes no tree", async () => {
  const [long, short] = [GOLD, "(S (NP (DT the) (NN dog)) (VP (VBD ran)))\n"];
  const found = await records(file("clean.mrg", long + short), {
    clean: true,
    english: true,
    maxTokens: 4,
  });
  expect(found.map(({ tokens, labels }) => [tokens.length, labels])).toEqual([
    [3, [{ S: 1 }, { NP: 1 }, { VP: 1 }]],
  ]);
});

test("among records of the same sentence the tree wins", async () => {
  const [record] = await records(file("gold.mrg", GOLD));
  const other = { ...record, brackets: [[1, 3]], complete: undefined };
  const { weights, kinds, labels, ...partial } = other as unknown as Bracketing;
  const data = file("both.jsonl", `${JSON.stringify(partial)}\n${JSON.stringify(record)}\n`);
  expect(await records(data, { source: "jsonl", clean: true })).toEqual([record]);
});

test("labels that no model can have are left out", async () => {
  const [first] = await records(file("induced.txt", "(X (X a b) (X c d))\n"));
  expect(first?.complete).toBe(true);
  expect(first?.labels).toBeUndefined();
});

test("trees are read only by the name of the source", async () => {
  mkdirSync(join(folder, "mixed"), { recursive: true });
  file("mixed/gold.mrg", GOLD);
  file("mixed/data.jsonl", '{"tokens": ["a", "b", "c"], "brackets": [[0, 2]]}\n');
  const found = await records(join(folder, "mixed"), { source: "auto" });
  expect(found.map(({ source }) => source)).toEqual([""]);
  const named = records(join(folder, "mixed/gold.mrg"), { source: "auto" });
  await expect(named).rejects.toThrow("the source of this file is not recognised");
});

test("a malformed tree is an error, or is counted", async () => {
  const bad = file("bad.mrg", `${GOLD}(S (NP a\n`);
  await expect(records(bad)).rejects.toThrow(/bad\.mrg:3/);
  const extraction = extract(bad, { source: "trees", skipBad: true });
  const found: Bracketing[] = [];
  for await (const record of extraction) found.push(record);
  expect([found.length, extraction.report.bad]).toEqual([1, 1]);
  expect(parsePenn(GOLD)).toHaveLength(1);
});
