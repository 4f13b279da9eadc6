import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { GoldTrees } from "../../src/treebanks/gold-trees.js";
import {
  LONGEST_TREE,
  readEntries,
  readTreebank,
  type TreebankOptions,
} from "../../src/treebanks/read-treebank.js";
import { TREE_FORMATS, type TreeFormatName } from "../../src/trees/formats.js";
import { isMissing, parsePenn, type TreebankEntry } from "../../src/trees/penn-reader.js";
import { toPenn } from "../../src/trees/penn-writer.js";
import { type Tree, words } from "../../src/trees/tree.js";
import { taggedLeaf, tree } from "../arbitraries.js";
import { temporaryFolder } from "../temporary.js";

const folder = temporaryFolder();

function file(content: string, name = "treebank.mrg"): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

function summary(entry: TreebankEntry) {
  return [entry.line, isMissing(entry) ? entry.reason : toPenn(entry.tree)];
}

async function entries(content: string, options?: TreebankOptions) {
  const found = [];
  for await (const entry of readEntries(file(content), options)) found.push(summary(entry));
  return found;
}

const skipBad = true;
const A = '{"tokens": ["a"], "tags": ["NN"], "spans": []}';

describe("JSON", () => {
  test("error records of a parser, and lines that are no records", async () => {
    const content = `${A}\n{"error": "in.txt:2: it has no words"}\n{"error": 3}\nnonsense\n\n${A}\n`;
    expect(await entries(content, { skipBad })).toEqual([
      [1, "(NN a)"],
      [2, "failed"],
      [3, "malformed"],
      [4, "malformed"],
      [6, "(NN a)"],
    ]);
    await expect(entries(content)).rejects.toThrow("treebank.mrg:2: in.txt:2: it has no words");
  });

  test("a file that begins with an error record", async () => {
    expect(await entries(`{"error": "x"}\n${A}`, { skipBad })).toHaveLength(2);
  });
});

describe("CoNLL-U", () => {
  const word = "1\ta\t_\t_\tNN\t_\t_\t_\t_\tTree=*\n";

  test("error comments of a parser, and sentences without a tree", async () => {
    const content = `# error = in:1: no word\n\n# only a comment\n\n${word}\n1\ta\n\nx\n\n${word}`;
    expect(await entries(content, { skipBad })).toEqual([
      [1, "failed"],
      [5, "(NN a)"],
      [7, "malformed"],
      [9, "malformed"],
      [11, "(NN a)"],
    ]);
  });

  test("a sentence without end is passed over", async () => {
    const line = `1\t${"a".repeat(1 << 16)}\n`;
    const content = word + line.repeat(LONGEST_TREE / (1 << 16) + 1);
    expect(await entries(`${content}\n${word}`, { skipBad })).toEqual([
      [1, "malformed"],
      [content.split("\n").length + 1, "(NN a)"],
    ]);
  });
});

describe("Penn", () => {
  test("comments with # at the beginning do not make it CoNLL-U", async () => {
    const content = "# made by hand\n\n#\n(NN a)\n";
    expect(await entries(content)).toEqual([[4, "(NN a)"]]);
  });

  test("a tree without end is passed over", async () => {
    const endless = `(S ${"(NN a)\n ".repeat(LONGEST_TREE / 4)}`;
    await expect(entries(endless)).rejects.toThrow(
      `treebank.mrg:1:1: no tree ends within ${LONGEST_TREE} characters`,
    );
    const next = endless.split("\n").length + 1;
    expect(await entries(`${endless}\n(NN b)`, { skipBad })).toEqual([
      [1, "malformed"],
      [next, "(NN b)"],
    ]);
  });
});

test("trees before a malformed one come out; then it is an error, or seen, or passed over", async () => {
  const path = file("(NN a)\n(S ())\n(NN b)\n");
  const read = async (options?: TreebankOptions) => {
    const found: string[] = [];
    const failing = (async () => {
      for await (const { tree } of readTreebank(path, options)) found.push(toPenn(tree));
    })();
    return [found, await failing.catch((error: Error) => error.message)];
  };
  expect(await read()).toEqual([["(NN a)"], expect.stringContaining("mrg:2:4: these brackets")]);
  expect(await read({ skipBad })).toEqual([["(NN a)", "(NN b)"], undefined]);
  const seen: number[] = [];
  const onMissing = ({ line }: { line: number }) => void seen.push(line);
  expect(await read({ skipBad, onMissing })).toEqual([["(NN a)", "(NN b)"], undefined]);
  expect(seen).toEqual([2]);
});

test("failed parses and trees survive every format that can be read back", async () => {
  const formats = ["penn", "pretty", "json", "conllu-misc"] as const satisfies TreeFormatName[];
  const phrase = fc
    .array(fc.oneof(taggedLeaf, tree), { minLength: 2, maxLength: 3 })
    .map((children): Tree => ({ label: "S", children }));
  const treebank = fc.array(fc.option(phrase), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(treebank, fc.constantFrom(...formats), async (trees, name) => {
      const format = TREE_FORMATS[name];
      const written = trees.map((each) => (each ? format.write(each) : format.writeError("x: y")));
      const found = [];
      for await (const entry of readEntries(file(`${written.join("\n\n")}\n`), {
        keepEmpty: true,
        onMissing: () => {},
      })) {
        found.push(isMissing(entry) ? entry.reason : toPenn(entry.tree));
      }
      expect(found).toEqual(trees.map((each) => (each ? toPenn(each) : "failed")));
    }),
  );
});

test("gold trees are found by number although others are missing", async () => {
  const path = file("stray\n(())\n(NN a)\n(S ())\n(NN b)\n", "wsj_0001.mrg");
  const trees = await GoldTrees.read([path], { skipBad });
  const find = (id: string, tokens: string[]) =>
    trees.find({ tokens, id, source: "s", brackets: [] });
  expect(find("wsj_0001:2", ["x"])).toEqual(parsePenn("(NN a)")[0]);
  expect(find("wsj_0001:4", ["x"])).toEqual(parsePenn("(NN b)")[0]);
  expect(find("none", ["b"])).toEqual(parsePenn("(NN b)")[0]);
  expect(find("wsj_0001:3", ["x"])).toBeUndefined();
});

describe("folders", () => {
  test("hold .psd, .gld and, among texts, those that begin with a tree", async () => {
    const inside = join(folder, "inside");
    mkdirSync(inside);
    const files = {
      "a.gld": "( (META (COMMENT )) (S0 (no a)))",
      "b.psd": "( (NP (N b)) (ID 1))",
      "c.txt": "# a comment\n\n(ROOT\n (NN c))",
      "notes.txt": "(c) Our notes (all of them).",
      "empty.txt": "",
    };
    for (const [name, content] of Object.entries(files)) writeFileSync(join(inside, name), content);
    writeFileSync(join(inside, "latin.txt"), Buffer.from([0xe9, 0x0a]));
    const found = [];
    for await (const { tree } of readTreebank(inside)) found.push(...words(tree));
    expect(found).toEqual(["a", "b", "c"]);
  });

  test("without a treebank are an error", async () => {
    const inside = join(folder, "texts");
    mkdirSync(inside);
    writeFileSync(join(inside, "notes.txt"), "notes");
    await expect(readTreebank(inside).next()).rejects.toThrow("has no treebank");
  });
});
