import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { InputError } from "../../src/errors.js";
import { DECODINGS } from "../../src/model/config.js";
import { loadParser } from "../../src/parser/load-parser.js";
import type { Parser } from "../../src/parser/parser.js";
import type { Parse } from "../../src/parser/sentence.js";
import { toPenn } from "../../src/trees/penn-writer.js";
import { constituents, type Span, words } from "../../src/trees/tree.js";
import { writeTinyModel } from "../model/tiny-model.js";
import { temporaryFolder } from "../temporary.js";
import { WORDS } from "../training/tiny-encoder.js";

const folder = temporaryFolder();
let parser: Parser;
let phraseParser: Parser;

beforeAll(async () => {
  parser = await loadParser(await writeTinyModel(folder), { threads: 1, workers: 0 });
  const model = await writeTinyModel(temporaryFolder(), { decoding: "phrases" });
  phraseParser = await loadParser(model, { threads: 1, workers: 0 });
});
afterAll(async () => {
  await parser.close();
  await phraseParser.close();
});

const sentence = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 12 });
const spanKeys = ({ tree }: Parse) => constituents(tree).map(({ begin, end }) => `${begin},${end}`);

describe("what can be parsed", () => {
  test("a text: its sentences, with places", async () => {
    const text = "The old man sat. A dog ran by the door.";
    const { sentences: parses } = await parser.parseText(text);
    expect(parses.map(({ tree }) => words(tree).join(" "))).toEqual([
      "The old man sat .",
      "A dog ran by the door .",
    ]);
    for (const { text: own, begin = -1, offsets, leaves } of parses) {
      expect(text.slice(begin, begin + (own ?? "").length)).toBe(own);
      expect(offsets?.map(([from, to]) => text.slice(from, to))).toEqual(
        leaves.map(({ word }) => word),
      );
    }
  });

  test("text is split by the rules of the model's language", async () => {
    const model = await writeTinyModel(temporaryFolder(), { language: "de" });
    await using german = await loadParser(model, { threads: 1, workers: 0 });
    const text = "Am 3. Mai Opa's Fest.";
    const split = async (by: Parser) =>
      (await by.parseText(text)).sentences.map(({ leaves }) => leaves.map(({ word }) => word));
    expect(await split(german)).toEqual([["Am", "3.", "Mai", "Opa's", "Fest", "."]]);
    expect(await split(parser)).toEqual([
      ["Am", "3", "."],
      ["Mai", "Opa", "'s", "Fest", "."],
    ]);
    const streamed = german.parseStream([text]);
    expect((await streamed.next()).value.leaves).toHaveLength(6);
    const english = await writeTinyModel(temporaryFolder());
    await using both = await loadParser([english, model], { threads: 1, workers: 0 });
    await expect(both.parseText(text)).rejects.toThrow(
      "one model is for English, another for German",
    );
  });

  test("words, several sentences, a stream: the same trees in order", async () => {
    const sentences = [
      ["the", "dog"],
      ["a", "red", "door", "."],
      ["ran"],
      ["the", "old", "man", "sat"],
    ];
    const all = (await parser.parseSentences(sentences)).map(({ tree }) => toPenn(tree));
    const one = await Promise.all(
      sentences.map(async (each) => toPenn((await parser.parseWords(each)).tree)),
    );
    const streamed: string[] = [];
    const stream = (async function* () {
      yield* sentences;
    })();
    for await (const { tree } of parser.parseStream(stream)) streamed.push(toPenn(tree));
    expect(all).toEqual(one);
    expect(streamed).toEqual(one);
    expect(one[2]).toBe("( ran)");
  });

  test("the order of a long stream is kept, whatever the lengths", async () => {
    const sentences = Array.from({ length: 700 }, (_, index) => [
      ...Array((index * 7) % 20).fill("the"),
      `w${index}`,
    ]);
    let index = 0;
    const stream = (async function* () {
      yield* sentences;
    })();
    for await (const { tree } of parser.parseStream(stream)) {
      expect(words(tree)).toEqual(sentences[index]);
      index += 1;
    }
    expect(index).toBe(700);
  });

  test("more pieces than the encoder sees, and more words than are allowed", async () => {
    const long = Array.from({ length: 90 }, (_, index) => WORDS[index % WORDS.length] as string);
    const { tree, fallback } = await parser.parseWords(long);
    expect(words(tree)).toEqual(long);
    expect(fallback).toBeUndefined();
    const cut = await parser.parseWords(long, { maxTokens: 50 });
    expect(cut.fallback).toContain("over 50 words");
    expect(spanKeys(cut)).toEqual(["0,90"]);
    expect(cut.spans).toEqual([{ begin: 0, end: 90, label: "X" }]);
    expect(cut.score).toBeUndefined();
  });

  test.each([["\u0000\u0007"], ["👩‍👩‍👧 🙂"], ["שלום עולם"], ["\ud800"], ["e\u0301\u0301"]])(
    "odd characters: %j",
    async (text) => {
      const tokens = text.split(" ");
      const { tree } = await parser.parseWords([...tokens, "dog"]);
      expect(words(tree)).toEqual([...tokens, "dog"]);
    },
  );

  test("a sentence without words is refused", async () => {
    await expect(parser.parseSentences([{ leaves: [] }])).rejects.toThrow(
      "sentence 1: it has no words",
    );
    expect((await parser.parseText("")).sentences).toEqual([]);
  });
});

describe("ways to decode", () => {
  test("phrases come with scores that sum to the tree's, and probabilities", async () => {
    const parse = await parser.parseWords(["the", "old", "man", "sat"], { marginals: true });
    expect(parse.spans.map(({ begin, end }) => `${begin},${end}`).sort()).toEqual(
      spanKeys(parse).sort(),
    );
    for (const { marginal } of parse.spans) {
      expect(marginal).toBeGreaterThan(0);
      expect(marginal).toBeLessThan(1.0001);
    }
  });

  test("required brackets are in the tree, forbidden ones are not", async () => {
    await fc.assert(
      fc.asyncProperty(
        sentence,
        fc.nat(),
        fc.nat(),
        fc.constantFrom(...DECODINGS),
        async (tokens, a, b, decoding) => {
          const [first, last] = [a % tokens.length, b % tokens.length].sort((x, y) => x - y) as [
            number,
            number,
          ];
          const span: Span = { begin: first, end: last + 1 };
          const isProper = last - first >= 1 && last - first + 1 < tokens.length;
          if (!isProper) return;
          const leaves = tokens.map((word) => ({ word }));
          const [required] = await phraseParser.parseSentences([{ leaves, required: [span] }], {
            decoding,
          });
          expect(spanKeys(required as Parse)).toContain(`${span.begin},${span.end}`);
          const [forbidden] = await phraseParser.parseSentences([{ leaves, forbidden: [span] }], {
            decoding,
          });
          expect(spanKeys(forbidden as Parse)).not.toContain(`${span.begin},${span.end}`);
        },
      ),
      { numRuns: 40 },
    );
  });

  test("a model with phrase probabilities gives phrases, and binary trees where they are asked for", async () => {
    let isFlat = false;
    await fc.assert(
      fc.asyncProperty(sentence, async (tokens) => {
        const { spans, tree } = await phraseParser.parseWords(tokens, { marginals: true });
        expect(words(tree)).toEqual(tokens);
        const binary = await phraseParser.parseWords(tokens, { decoding: "risk", marginals: true });
        expect(spanKeys(binary)).toHaveLength(tokens.length - 1);
        if (spans.length < binary.spans.length) isFlat = true;
        // A phrase is less probable than a span of trees, since it must be both.
        for (const { begin, end, marginal = 0 } of spans) {
          const inBinary = binary.spans.find((each) => each.begin === begin && each.end === end);
          if (inBinary) expect(marginal).toBeLessThanOrEqual((inBinary.marginal ?? 0) + 1e-6);
        }
      }),
      { numRuns: 40 },
    );
    expect(isFlat).toBe(true);
  });

  test("a model without phrase probabilities refuses to give phrases", async () => {
    await expect(parser.parseWords(["the", "dog"], { decoding: "phrases" })).rejects.toThrow(
      "has no phrase probabilities",
    );
  });

  test("a flat tree has some of the binary tree's phrases", async () => {
    await fc.assert(
      fc.asyncProperty(
        sentence,
        fc.double({ min: 0, max: 1, noNaN: true }),
        async (tokens, threshold) => {
          const binary = new Set(spanKeys(await parser.parseWords(tokens)));
          const flat = await parser.parseWords(tokens, { threshold });
          for (const key of spanKeys(flat)) expect(binary).toContain(key);
          expect(words(flat.tree)).toEqual(tokens);
        },
      ),
      { numRuns: 40 },
    );
  });

  test("the k best begin after the best, fall in score, and differ", async () => {
    const parse = await parser.parseWords(["the", "old", "man", "sat", "."], { kBest: 14 });
    const trees = [parse.tree, ...(parse.alternatives ?? []).map(({ tree }) => tree)].map(toPenn);
    expect(new Set(trees).size).toBe(14);
    const others = (parse.alternatives ?? []).map(({ score }) => score);
    const scores = [parse.score ?? Number.NaN, ...others];
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  });
});

describe("wrong use", () => {
  const WRONG: [what: string, options: object, named: string][] = [
    ["a decoding that there is not", { decoding: "x" }, '"decoding" must be one of best, risk'],
    ["a threshold above 1", { threshold: 7 }, '"threshold" must be a number from 0 to 1, not 7'],
    ["a threshold that is no number", { threshold: Number.NaN }, "not NaN"],
    ["too many trees", { kBest: 1e9 }, '"kBest" must be a whole number from 1 to 1000'],
    ["a limit of no words", { maxTokens: 0 }, '"maxTokens"'],
    ["an option that there is not", { treshold: 0.5 }, 'no option "treshold"'],
    ["something else for a signal", { signal: {} }, '"signal" must be an AbortSignal'],
  ];

  test.each(WRONG)("%s is an error that names it", async (_, options, named) => {
    const attempts = [
      parser.parseText("the dog", options),
      parser.parseWords(["the", "dog"], options),
      parser.parseSentences([["the", "dog"]], options),
      parser.parseStream(["the dog"], options).next(),
    ];
    for (const attempt of attempts) {
      await expect(attempt).rejects.toThrow(InputError);
      await expect(attempt).rejects.toThrow(named);
    }
  });

  test("a text is not words, and words are not sentences", async () => {
    await expect(parser.parseText(7 as unknown as string)).rejects.toThrow("not 7");
    const texts = ["He saw the dog.", "It ran."] as unknown as string[][];
    await expect(parser.parseSentences(texts)).rejects.toThrow(
      "sentence 1 must be a list of words",
    );
    await expect(parser.parseWords("the dog" as unknown as string[])).rejects.toThrow(InputError);
    await expect(parser.parseWords(["the", ""])).rejects.toThrow("list of words");
    await expect(parser.parseStream([7 as unknown as string]).next()).rejects.toThrow("item 1");
  });

  test.each([
    [{ precision: "fp8" }, '"precision" must be one of fp32, int8'],
    [{ workers: -1 }, '"workers" must be a whole number from 0 to 256'],
    [{ threads: 5000 }, '"threads" must be a whole number from 1 to 256'],
    [{ worker: 1 }, 'no option "worker"'],
  ])("loading with %j", async (options, problem) => {
    const model = join(folder, "model");
    await expect(loadParser(model, options as object)).rejects.toThrow(problem);
  });

  test("a model that is named by no text", async () => {
    const wrong = loadParser({ model: "default" } as unknown as string);
    await expect(wrong).rejects.toThrow("a model must be a string");
  });
});

describe("its life", () => {
  const words = ["the", "old", "man", "sat"];
  // Worker threads run what is built.
  const loadBuilt: typeof loadParser = async (...args) =>
    (await import(`${new URL("../../dist/index.js", import.meta.url)}`)).loadParser(...args);

  test.each([0, 1])(
    "with %i workers: closing twice is fine, use after it says so",
    async (workers) => {
      const own = await loadBuilt(join(folder, "model"), { threads: 1, workers });
      const { tree } = await own.parseWords(words);
      expect(toPenn(tree)).toBe(toPenn((await parser.parseWords(words)).tree));
      await own.close();
      await own.close();
      await expect(own.parseWords(words)).rejects.toThrow("the parser is closed");
      await expect(own.parseStream([words]).next()).rejects.toThrow("the parser is closed");
    },
  );

  test("a block that ends closes it", async () => {
    let kept: Parser;
    {
      await using own = await loadParser(join(folder, "model"), { threads: 1, workers: 0 });
      await own.parseWords(words);
      kept = own;
    }
    await expect(kept.parseWords(words)).rejects.toThrow("closed");
  });

  test.each([0, 1])("with %i workers: a signal ends the work", async (workers) => {
    await using own = await loadBuilt(join(folder, "model"), { threads: 1, workers });
    const many = Array.from({ length: 4000 }, () => words);
    const controller = new AbortController();
    const parses = own.parseSentences(many, { signal: controller.signal });
    controller.abort(new Error("enough"));
    await expect(parses).rejects.toThrow("enough");
    const { signal } = controller;
    await expect(own.parseText("the dog", { signal })).rejects.toThrow("enough");
    expect(await own.parseSentences([words])).toHaveLength(1);
  });
});
