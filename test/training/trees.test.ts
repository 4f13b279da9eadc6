/** Training on gold trees: all other spans are no phrases, and the model remembers which trees it has seen. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { spanIndex } from "../../src/chart/index.js";
import { ModelFolder } from "../../src/model/folder.js";
import { readTrainedOn, sentenceHash } from "../../src/model/trained-on.js";
import { loadParser } from "../../src/parser/load-parser.js";
import { readDataSet, toExample } from "../../src/training/examples.js";
import { targetsFromBrackets } from "../../src/training/phrase-targets.js";
import { PRESETS } from "../../src/training/settings.js";
import { train } from "../../src/training/train.js";
import { toPenn } from "../../src/trees/penn-writer.js";
import { bracken } from "../cli/run.js";
import { temporaryFolder } from "../temporary.js";
import { tinyData, writeTinyEncoder } from "./tiny-encoder.js";

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);

const TREE = {
  tokens: ["the", "old", "man", "sat"],
  brackets: [[0, 4] as const, [0, 3] as const],
  kinds: ["tree", "tree"],
  labels: [{ S: 1 }, { NP: 1 }],
  source: "trees",
  id: "1",
  complete: true,
};

describe("an example from a gold tree", () => {
  test("has votes for all words and no doubt about other spans", () => {
    const example = toExample(TREE);
    const words = example.labelled?.filter(({ begin, end }) => end - begin === 1);
    expect(words?.map(({ begin, votes }) => [begin, votes])).toEqual(
      [0, 1, 2, 3].map((begin) => [begin, { "-": 1 }]),
    );
    const marginals = new Float32Array(16).fill(0.5);
    const { positive, negative } = targetsFromBrackets(example, marginals);
    const [np, inner] = [spanIndex(4, 0, 3), spanIndex(4, 1, 3)];
    expect([positive[np], negative[np], positive[inner], negative[inner]]).toEqual([1, 0, 0, 0.5]);
    const partial = targetsFromBrackets(toExample({ ...TREE, complete: false }), marginals);
    expect(partial.negative[inner]).toBeCloseTo(0.05, 6);
  });

  test("counts although it has no phrase inside, and not if its brackets are not wanted", async () => {
    const flat = { ...TREE, brackets: [[0, 4]], kinds: ["tree"], labels: [{ NP: 1 }] };
    writeFileSync(at("flat.jsonl"), `${JSON.stringify(flat)}\n`);
    const options = { maxTokens: 100, validationShare: 0 };
    expect((await readDataSet(at("flat.jsonl"), options)).examples).toHaveLength(1);
    const others = { ...options, kinds: new Set(["answer"]) };
    await expect(readDataSet(at("flat.jsonl"), others)).rejects.toThrow("no sentence has");
  });
});

describe("a model that was trained on trees", () => {
  const gold = (sentence: string) =>
    sentence.replace(/(\w+) (\w+) (\w+) (\w+) (\w+) (\w+) \./, (_, ...w: string[]) =>
      [
        `(S (NP (DT ${w[0]}) (NN ${w[1]})) (VP (VBD ${w[2]})`,
        `(PP (IN ${w[3]}) (NP (DT ${w[4]}) (NN ${w[5]})))) (. .))`,
      ].join(" "),
    );
  const seen = ["the man sat on a bench .", "a dog ran by the door ."];
  const unseen = ["the dog sat by a bench ."];
  const settings = { ...PRESETS.small, steps: 100, warmup: 10, rate: 3e-3, headRate: 3e-3 };

  beforeAll(async () => {
    await writeTinyEncoder(at("encoder"));
    writeFileSync(at("seen.mrg"), seen.map((line) => `${gold(line)}\n`).join(""));
    writeFileSync(at("unseen.mrg"), unseen.map((line) => `${gold(line)}\n`).join(""));
    writeFileSync(at("data.jsonl"), tinyData(20));
    const made = await bracken(["extract", "trees", at("seen.mrg"), "-o", at("trees.jsonl")]);
    expect(made.code, made.stderr).toBe(0);
    await train([at("trees.jsonl")], at("model"), settings, { encoder: at("encoder"), threads: 1 });
  }, 60_000);

  test("gives the gold trees", async () => {
    await using parser = await loadParser(at("model"), { threads: 1, workers: 0 });
    const { tree } = await parser.parseWords((unseen[0] as string).split(" "));
    expect(toPenn(tree)).toBe("(S (NP the dog) (VP sat (PP by (NP a bench))) .)");
  });

  test("remembers them, and so do models that start from it", async () => {
    const next = { ...settings, steps: 1 };
    await train([at("data.jsonl")], at("next"), next, { from: at("model"), threads: 1 });
    const hashes = seen.map((line) => sentenceHash(line.split(" ")));
    for (const model of ["model", "next"]) {
      const opened = await ModelFolder.open(at(model));
      expect([...(await readTrainedOn(opened))].sort()).toEqual(hashes.sort());
      expect(readFileSync(at(`${model}/README.md`), "utf8")).toContain("2 gold trees were used");
    }
  });

  test("is not measured on them, unless that is asked for", async () => {
    const evaluate = (file: string, ...more: string[]) =>
      bracken(["evaluate", at(file), "--model", at("model"), "-p", "nob", ...more]);
    const refused = await evaluate("seen.mrg");
    expect([refused.code, refused.stdout]).toEqual([2, ""]);
    expect(refused.stderr).toMatch(/seen\.mrg:1: the model was trained on this tree/);
    expect((await evaluate("seen.mrg", "--gold-spans")).code).toBe(2);
    const allowed = await evaluate("seen.mrg", "--allow-trained-on");
    expect([allowed.code, allowed.stderr]).toEqual([
      0,
      "the model was trained on 2 of these 2 trees\n",
    ]);
    const other = await evaluate("unseen.mrg");
    expect([other.code, other.stderr]).toEqual([0, ""]);
  }, 60_000);

  test("a student of soft labels from trees remembers them, too", async () => {
    const soft = ["distil", at("trees.jsonl"), "-m", at("next"), "-o", at("soft.jsonl")];
    expect((await bracken(soft)).code).toBe(0);
    const next = { ...settings, steps: 1 };
    const options = { encoder: at("encoder"), threads: 1 };
    await train([at("soft.jsonl")], at("student"), next, options);
    const opened = await ModelFolder.open(at("student"));
    expect((await readTrainedOn(opened)).size).toBe(2);
  }, 60_000);
});
