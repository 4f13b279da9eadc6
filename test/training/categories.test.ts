/** Categories of brackets: which brackets are sampled and clustered, how categories are named and shown. */

import { describe, expect, test } from "vitest";
import { parseBracketing } from "../../src/brackets/record.js";
import { InputError } from "../../src/errors.js";
import { ModelFolder } from "../../src/model/folder.js";
import { readNames } from "../../src/model/label-names.js";
import { SpanModel } from "../../src/model/span-model.js";
import {
  Categories,
  categoriesText,
  SentenceSample,
  type SpannedSentence,
} from "../../src/training/categories.js";
import { spansToName } from "../../src/training/spans-to-name.js";
import { writeTinyModel } from "../model/tiny-model.js";
import { temporaryFolder } from "../temporary.js";
import { tinyData } from "./tiny-encoder.js";

const sentences = tinyData(60)
  .trimEnd()
  .split("\n")
  .map((line): SpannedSentence => {
    const record = parseBracketing(line);
    return { words: record.tokens, spans: spansToName(record) };
  });

test("brackets are taken once, without marks, unlikely soft labels and the whole sentence", () => {
  const record = parseBracketing(
    JSON.stringify({
      tokens: ["a", "b", "c", "d"],
      brackets: [
        [0, 2],
        [0, 2],
        [0, 4],
        [1, 3],
        [3, 4],
        [0, 3],
        [1, 4],
        [2, 4],
      ],
      kinds: [
        "answer",
        "link",
        "answer",
        "fragment",
        "answer",
        "soft-label",
        "soft-label",
        "label",
      ],
      weights: [1, 1, 1, 1, 1, 0.4, 0.6, 1],
    }),
  );
  const keys = (wanted?: Set<string>) =>
    spansToName(record, wanted).map(({ begin, end }) => `${begin}${end}`);
  expect(keys()).toEqual(["02", "34", "14"]);
  expect(keys(new Set(["link"]))).toEqual(["02"]);
});

test("a sample has about as many brackets as asked for, in order, whatever comes later", () => {
  const drawn = (limit: number) => {
    const sample = new SentenceSample(1, limit);
    for (const sentence of sentences) sample.add(sentence);
    return sample.sentences.map((sentence) => sentences.indexOf(sentence));
  };
  expect(drawn(1e6)).toEqual([...sentences.keys()]);
  const some = drawn(30);
  expect(some.length).toBe(10);
  expect(some).toEqual([...some].sort((a, b) => a - b));
  expect(some.some((index) => index >= 30)).toBe(true);
  expect(drawn(30)).toEqual(some);
});

describe("categories of a model's vectors", () => {
  const folder = temporaryFolder();

  test("are the same with one thread and two, and cover every bracket and word", async () => {
    const opened = await ModelFolder.open(await writeTinyModel(folder));
    const [one, two] = await Promise.all(
      [1, 2].map(async (threads) => {
        const model = await SpanModel.load(opened, { threads, vectors: true });
        const categories = await Categories.induce(model, sentences, 3, { seed: 7 });
        const labelled = await categories.label(model, sentences);
        await model.close();
        return { descriptions: categories.descriptions, labelled };
      }),
    );
    expect(two).toEqual(one);
    const { descriptions = [], labelled = [] } = one ?? {};
    expect(descriptions.map(({ name }) => name)).toEqual(["C1", "C2", "C3"]);
    const shares = descriptions.map(({ share }) => share);
    expect(shares).toEqual([...shares].sort((a, b) => b - a));
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1);
    for (const [index, { words, spans }] of sentences.entries()) {
      const votes = labelled[index]?.map(({ votes }) => Object.keys(votes)[0]) ?? [];
      expect(votes.filter((name) => name === "-")).toHaveLength(words.length);
      expect(votes.filter((name) => /^C[123]$/.test(name ?? ""))).toHaveLength(spans.length + 1);
    }
    // "by the door" begins with another word than "the door": the vectors differ, and so do the categories.
    const [, , prepositional] = labelled[0] ?? [];
    const [nounPhrase] = labelled[0] ?? [];
    expect(prepositional?.votes).not.toEqual(nounPhrase?.votes);
  });
});

describe("a file of names", () => {
  const classes = ["-", "C1", "C2", "C3"];
  async function* lines(text: string) {
    for (const [at, each] of text.split("\n").entries()) yield { text: each, line: at + 1 };
  }
  const read = (text: string) => readNames(lines(text), "names.txt", { classes });

  test("is what lists the categories, with names written into it", async () => {
    const text = categoriesText([
      { name: "C1", share: 0.6, phrases: ["the old man", "C2 # of them"] },
      { name: "C2", share: 0.4, phrases: [] },
    ]);
    await expect(read(text)).rejects.toThrow("no line has a name");
    expect(await read(text.replace(/^C1 /m, "C1 NP"))).toEqual({ C1: "NP" });
    expect(await read("C3\tS+VP\n\n  C1 NP # the old man\nC2")).toEqual({ C1: "NP", C3: "S+VP" });
  });

  test.each([
    ["C1 NP\nC9 VP", 2, 'no label "C9"', "its labels are C1, C2, C3"],
    ["- NP", 1, 'no label "-"', "C1, C2, C3"],
    ["C1 NP\n\nC1 VP", 3, "C1 is in line 1 already", "keep one"],
    ["C1 noun phrase", 1, "more than a label", "without blanks"],
    ["C1 (NP)", 1, "cannot be the name", "round brackets"],
    ["C1 -", 1, "cannot be the name", "C1 NP"],
  ])("with a mistake is refused: %j", async (text, line, problem, remedy) => {
    const error = await read(text).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(InputError);
    const { place, ...found } = error as InputError;
    expect(place).toEqual({ file: "names.txt", line });
    expect(found.problem).toContain(problem);
    expect(found.remedy).toContain(remedy);
  });
});
