import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
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
  parser = await loadParser(await writeTinyModel(folder), { threads: 1 });
  const model = await writeTinyModel(temporaryFolder(), { decoding: "phrases" });
  phraseParser = await loadParser(model, { threads: 1 });
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
    const parses = await parser.parse(text);
    expect(parses.map(({ tree }) => words(tree).join(" "))).toEqual([
      "The old man sat .",
      "A dog ran by the door .",
    ]);
    for (const { text: own, offsets, leaves } of parses) {
      expect(offsets?.map(([begin, end]) => own?.slice(begin, end))).toEqual(
        leaves.map(({ word }) => word),
      );
    }
  });

  test("words, several sentences, a stream: the same trees in order", async () => {
    const sentences = [
      ["the", "dog"],
      ["a", "red", "door", "."],
      ["ran"],
      ["the", "old", "man", "sat"],
    ];
    const all = (await parser.parse(sentences)).map(({ tree }) => toPenn(tree));
    const one = await Promise.all(
      sentences.map(async (each) => toPenn((await parser.parse(each)).tree)),
    );
    const streamed: string[] = [];
    const stream = (async function* () {
      yield* sentences;
    })();
    for await (const { tree } of parser.parse(stream)) streamed.push(toPenn(tree));
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
    for await (const { tree } of parser.parse(stream)) {
      expect(words(tree)).toEqual(sentences[index]);
      index += 1;
    }
    expect(index).toBe(700);
  });

  test("more pieces than the encoder sees, and more words than are allowed", async () => {
    const long = Array.from({ length: 90 }, (_, index) => WORDS[index % WORDS.length] as string);
    const { tree, fallback } = await parser.parse(long);
    expect(words(tree)).toEqual(long);
    expect(fallback).toBeUndefined();
    const cut = await parser.parse(long, { maxTokens: 50 });
    expect(cut.fallback).toContain("over 50 words");
    expect(constituents(cut.tree).every(({ end }) => end === 90)).toBe(true);
  });

  test.each([["\u0000\u0007"], ["👩‍👩‍👧 🙂"], ["שלום עולם"], ["\ud800"], ["e\u0301\u0301"]])(
    "odd characters: %j",
    async (text) => {
      const tokens = text.split(" ");
      const { tree } = await parser.parse([...tokens, "dog"]);
      expect(words(tree)).toEqual([...tokens, "dog"]);
    },
  );

  test("a sentence without words is refused", async () => {
    await expect(parser.parse([{ leaves: [] }])).rejects.toThrow("sentence 1: it has no words");
    expect(await parser.parse("")).toEqual([]);
  });
});

describe("ways to decode", () => {
  test("phrases come with scores that sum to the tree's, and probabilities", async () => {
    const parse = await parser.parse(["the", "old", "man", "sat"], { marginals: true });
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
          const [required] = await phraseParser.parse([{ leaves, required: [span] }], {
            decoding,
          });
          expect(spanKeys(required as Parse)).toContain(`${span.begin},${span.end}`);
          const [forbidden] = await phraseParser.parse([{ leaves, forbidden: [span] }], {
            decoding,
          });
          expect(spanKeys(forbidden as Parse)).not.toContain(`${span.begin},${span.end}`);
        },
      ),
      { numRuns: 40 },
    );
  });

  test("a model with evidence gives phrases, and binary trees where they are asked for", async () => {
    let isFlat = false;
    await fc.assert(
      fc.asyncProperty(sentence, async (tokens) => {
        const { spans, tree } = await phraseParser.parse(tokens, { marginals: true });
        expect(words(tree)).toEqual(tokens);
        const binary = await phraseParser.parse(tokens, { decoding: "risk", marginals: true });
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

  test("a model without evidence refuses to give phrases", async () => {
    await expect(parser.parse(["the", "dog"], { decoding: "phrases" })).rejects.toThrow(
      "which of their spans are phrases",
    );
  });

  test("a flat tree has some of the binary tree's phrases", async () => {
    await fc.assert(
      fc.asyncProperty(
        sentence,
        fc.double({ min: 0, max: 1, noNaN: true }),
        async (tokens, threshold) => {
          const binary = new Set(spanKeys(await parser.parse(tokens)));
          const flat = await parser.parse(tokens, { threshold });
          for (const key of spanKeys(flat)) expect(binary).toContain(key);
          expect(words(flat.tree)).toEqual(tokens);
        },
      ),
      { numRuns: 40 },
    );
  });

  test("the k best begin after the best, fall in score, and differ", async () => {
    const parse = await parser.parse(["the", "old", "man", "sat", "."], { kBest: 14 });
    const trees = [parse.tree, ...(parse.alternatives ?? []).map(({ tree }) => tree)].map(toPenn);
    expect(new Set(trees).size).toBe(14);
    const scores = [parse.score, ...(parse.alternatives ?? []).map(({ score }) => score)];
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  });
});
