import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { countPieces, makeBatch, windowStarts } from "../../src/encoder/batch.js";
import { readWordPieces } from "../../src/encoder/files.js";
import type { WordPieces } from "../../src/encoder/wordpiece.js";
import { temporaryFolder } from "../temporary.js";
import { MINILM } from "./minilm.js";

let wordPieces: WordPieces;

beforeAll(async () => {
  wordPieces = await readWordPieces(join(MINILM, "tokenizer.json"));
});

const MASK = 103;

describe("the pieces of a word", () => {
  const same = (word: string, plain: string) =>
    expect(wordPieces.pieces(word), word).toEqual(wordPieces.pieces(plain));

  test("do not depend on Penn's escapes", () => {
    same("``", '"');
    same("''", '"');
    same("`", "'");
    same("-LRB-", "(");
    same("-RCB-", "}");
    same("1\\/2", "1/2");
    same("\\*\\*", "**");
  });

  test("are cut from the word in lower case", () => {
    same("The", "the");
    expect(wordPieces.pieces("the")).toEqual([1996]);
    expect(wordPieces.pieces("bracketings").length).toBeGreaterThan(1);
  });

  test("are a mask where nothing is left", () => {
    for (const word of ["\u200b", "\u0000", "", " "]) {
      expect(wordPieces.pieces(word), JSON.stringify(word)).toEqual([MASK]);
    }
  });

  test("exist for every string", () => {
    const hasPieces = (word: string) => {
      const pieces = wordPieces.pieces(word);
      return pieces.length > 0 && pieces.every((piece) => piece >= 0 && piece < 30522);
    };
    fc.assert(fc.property(fc.string({ unit: "binary" }), hasPieces));
    for (const half of ["\ud800", "a\udfffb"]) expect(hasPieces(half)).toBe(true);
  });

  test("are never those of a special token that the text happens to spell", () => {
    for (const word of ["[SEP]", "[CLS]", "[MASK]", "[PAD]"]) {
      for (const piece of wordPieces.pieces(word)) expect([0, 101, 102, 103]).not.toContain(piece);
    }
  });

  test("need BERT's tokenizer", async () => {
    const file = join(temporaryFolder(), "tokenizer.json");
    writeFileSync(file, '{"model": {"type": "BPE"}}');
    await expect(readWordPieces(file)).rejects.toThrow(/tokenizer\.json: .*"BPE".*WordPiece/);
    writeFileSync(file, '{"model": {"type": "WordLevel"}}');
    await expect(readWordPieces(file)).rejects.toThrow(/tokenizer\.json: .*"WordLevel".*WordPiece/);
    writeFileSync(file, "[");
    await expect(readWordPieces(file)).rejects.toThrow(/not JSON/);
    await expect(readWordPieces(`${file}.none`)).rejects.toThrow(/ENOENT/);
  });
});

describe("a batch", () => {
  test("puts sentences in rows, padded and hidden at the end", () => {
    const { feeds, lengths } = makeBatch([["the", "bracketings"], ["the"]], wordPieces, 512);
    const pieces = wordPieces.pieces("bracketings");
    const long = pieces.length + 3;
    expect(feeds.ids.dims).toEqual([2, long]);
    const padding = new Array(long - 3).fill(0);
    expect([...feeds.ids.data]).toEqual([
      ...[101, 1996, ...pieces, 102],
      ...[101, 1996, 102, ...padding],
    ]);
    expect([...feeds.seen.data]).toEqual([...new Array(long + 3).fill(1), ...padding]);
    expect([...feeds.positions.data.slice(long)]).toEqual([...new Array(long).keys()]);
    expect([...feeds.words.data]).toEqual([1, 1 + pieces.length, long + 1, 0]);
    expect(lengths).toEqual([2, 1]);
    expect(countPieces(["the", "bracketings"], wordPieces, 512)).toBe(long);
  });

  test("pads sentences to as many words as it is told", () => {
    const { feeds } = makeBatch([["the", "man"]], wordPieces, 512, { paddedWords: 4 });
    expect(feeds.words.dims).toEqual([1, 4]);
    expect([...feeds.words.data]).toEqual([1, 2, 0, 0]);
  });

  test("of sentences with the same count of pieces has no padding", () => {
    const word = fc.constantFrom("the", "man", "bracketings", "!".repeat(40));
    const sentence = fc.array(word, { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(fc.array(sentence, { minLength: 2, maxLength: 30 }), (sentences) => {
        const byCount = new Map<number, string[][]>();
        for (const words of sentences) {
          const count = countPieces(words, wordPieces, 20);
          byCount.set(count, [...(byCount.get(count) ?? []), words]);
        }
        for (const group of byCount.values()) {
          const { feeds } = makeBatch(group, wordPieces, 20);
          expect(feeds.seen.data.every((seen) => seen === 1)).toBe(true);
        }
      }),
    );
  });

  test("holds even a sentence without words, and no sentence at all", () => {
    expect(makeBatch([[]], wordPieces, 512).feeds.words.dims).toEqual([1, 1]);
    expect(makeBatch([], wordPieces, 512).feeds.ids.dims).toEqual([0, 2]);
  });

  test("reads every word of a long sentence where it has context on both sides", () => {
    const words = Array.from({ length: 1500 }, (_, i) => String.fromCharCode(97 + (i % 26)));
    const { feeds } = makeBatch([["x"], words, ["x"]], wordPieces, 512);
    expect(feeds.ids.dims[1]).toBe(512);
    for (const [index, word] of words.entries()) {
      const place = feeds.words.data[1500 + index] as number;
      expect([feeds.ids.data[place]], `word ${index}`).toEqual(wordPieces.pieces(word));
      const inRow = place % 512;
      expect(inRow >= 60 || index < 60, `words before ${index}`).toBe(true);
      expect(inRow < 512 - 60 || index >= 1440, `words after ${index}`).toBe(true);
    }
    const rows = feeds.ids.dims[0] as number;
    expect(feeds.words.data[3000]).toBe((rows - 1) * 512 + 1);
  });

  test("cuts a single word that fills more than a row", () => {
    const { feeds } = makeBatch([["a", "!".repeat(2000), "b"]], wordPieces, 512);
    const [a, marks, b] = feeds.words.data as Int32Array;
    expect(feeds.ids.data[a as number]).toBe(wordPieces.pieces("a")[0]);
    expect(feeds.ids.data[marks as number]).toBe(wordPieces.pieces("!")[0]);
    expect(feeds.ids.data[b as number]).toBe(wordPieces.pieces("b")[0]);
  });
});

test("windows cover everything, overlap, and never pass the end", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 5000 }),
      fc.integer({ min: 1, max: 510 }),
      (all, room) => {
        const starts = windowStarts(all, room);
        expect(starts[0]).toBe(0);
        expect((starts.at(-1) as number) + room).toBeGreaterThanOrEqual(all);
        for (let i = 1; i < starts.length; i++) {
          const stride = (starts[i] as number) - (starts[i - 1] as number);
          expect(stride).toBeGreaterThan(0);
          expect(stride).toBeLessThanOrEqual(Math.max(1, Math.ceil(room * 0.75)));
          expect((starts[i] as number) + room).toBeLessThanOrEqual(all);
        }
      },
    ),
  );
});

test("a tokenizer.json that lacks parts is an error that names it", async () => {
  const file = join(temporaryFolder(), "tokenizer.json");
  writeFileSync(file, JSON.stringify({ model: { type: "WordPiece", vocab: {} } }));
  await expect(readWordPieces(file)).rejects.toThrow("tokenizer.json: ");
});
