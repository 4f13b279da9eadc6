/** Pieces that show blanks: cut word by word, they are those of the whole sentence wherever it has a cut there. */

import { existsSync, readFileSync } from "node:fs";
import { Tokenizer } from "@huggingface/tokenizers";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { makeBatch } from "../../src/encoder/batch.js";
import { parseConfig } from "../../src/encoder/config.js";
import { SpacedPieces } from "../../src/encoder/spaced-pieces.js";
import { plainWord, WordPieces } from "../../src/encoder/wordpiece.js";
import { layOut } from "../../src/text/detokenise.js";
import { BYTE_LEVEL, UNIGRAM } from "./tokenizers.js";

const KINDS = { Unigram: UNIGRAM, "byte-level BPE": BYTE_LEVEL };

function cutter(json: object) {
  const pieces = SpacedPieces.from(json);
  const library = new Tokenizer({ ...json }, {});
  const tokens = (ids: Iterable<number>) => Array.from(ids, (id) => library.id_to_token(id));
  return {
    pieces,
    ours: (words: readonly string[]) => tokens(pieces.sentence(words).flat()),
    whole: (text: string) => tokens(library.encode(text, { add_special_tokens: false }).ids),
  };
}

const unigram = cutter(UNIGRAM);
const bytes = cutter(BYTE_LEVEL);

describe("a blank before a word", () => {
  test("shows in its first piece, and not after what is glued to it", () => {
    const words = "the dog ca n't , -LRB- the dog -RRB- 's .".split(" ");
    expect(layOut(words).text).toBe("the dog can't, (the dog)'s.");
    expect(unigram.ours(words)).toEqual(unigram.whole("the dog can't, (the dog)'s."));
  });

  test("is none between words of scripts without blanks", () => {
    const words = "我们 喜欢 的 。".split(" ");
    expect(unigram.ours(words)).toEqual(["▁", "我们", "喜欢", "的", "。"]);
    expect(unigram.whole("我们喜欢的。")).toEqual(["▁", "我们", "喜欢", "的", "。"]);
  });

  test("is none before the first word of a byte-level sentence", () => {
    expect(bytes.ours(["the", "dog", "."])).toEqual(["the", "Ġdog", "."]);
    expect(bytes.ours(["dog", "the"])).toEqual(["dog", "Ġthe"]);
  });

  test("words stay apart where the whole text has a piece across them", () => {
    expect(unigram.whole("走った")).toEqual(["▁", "走", "った"]);
    expect(unigram.ours(["走っ", "た"])).toEqual(["▁", "走", "っ", "た"]);
  });
});

/** Where pieces end in a text, its blanks not counted. */
function ends(pieces: readonly (string | undefined)[], blank: string): Set<number> {
  let at = 0;
  const found = new Set<number>();
  for (const piece of pieces) {
    at += (piece ?? "").replaceAll(blank, "").length;
    found.add(at);
  }
  return found;
}

const WORDS =
  "the dog ca n't . , 's 我们 喜欢 价格 の です 走っ た 。 「 」 dogs -LRB- -RRB- 3. \" theme did".split(
    " ",
  );

describe("cut word by word, pieces are those of the text if it has a cut after each word", () => {
  test.each([
    ["Unigram", unigram, "▁", (word: string) => word.length],
    ["byte-level BPE", bytes, "Ġ", (word: string) => Buffer.byteLength(word)],
  ] as const)("%s", (_, each, blank, sizeOf) => {
    let agreed = 0;
    const sentence = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 8 });
    const check = (words: readonly string[]) => {
      const whole = each.whole(layOut(words).text);
      const cuts = ends(whole, blank);
      let at = 0;
      const isCutAtWords = words.every((word) => {
        at += sizeOf(plainWord(word));
        return cuts.has(at);
      });
      if (!isCutAtWords) return;
      agreed += 1;
      expect(each.ours(words)).toEqual(whole);
    };
    fc.assert(fc.property(sentence, check), { numRuns: 500, seed: 1 });
    expect(agreed).toBeGreaterThan(100);
  });
});

describe("every tokenizer", () => {
  test.each(Object.entries(KINDS))(
    "%s: never gives a special token for what a text spells",
    (_, json) => {
      const { pieces } = cutter(json);
      for (const word of ["<s>", "</s>", "<pad>", "<mask>", "<unk>"]) {
        for (const spacing of ["spaced", "glued"] as const) {
          const ids = pieces.pieces(word, spacing);
          expect(
            ids.filter((id) => [0, 1, 2, 4].includes(id)),
            word,
          ).toEqual([]);
        }
      }
    },
  );

  test.each(Object.entries(KINDS))("%s: has pieces for every string", (_, json) => {
    const { pieces } = cutter(json);
    const hasPieces = (word: string) =>
      (["spaced", "glued"] as const).every((spacing) => pieces.pieces(word, spacing).length > 0);
    fc.assert(fc.property(fc.string({ unit: "binary" }), hasPieces));
    for (const word of ["", " ", "\u200b", "\ud800", "a\udfffb", "x".repeat(5000)]) {
      expect(hasPieces(word), JSON.stringify(word)).toBe(true);
    }
  });

  test("has its own tokens around a sentence and after it", () => {
    for (const json of Object.values(KINDS)) {
      const { feeds } = makeBatch([["the", "dog"], ["the"]], cutter(json).pieces, 20);
      const width = feeds.ids.dims[1] as number;
      expect(feeds.ids.data[0]).toBe(0);
      expect(feeds.ids.data[width - 1]).toBe(2);
      expect(feeds.ids.data[2 * width - 1]).toBe(1);
    }
  });

  test("is told by its JSON, and must say how it shows blanks and what stands around a sentence", async () => {
    const parse = (json: object) => WordPieces.parse(JSON.stringify(json), "t.json");
    expect(await parse(UNIGRAM)).toBeInstanceOf(SpacedPieces);
    expect((await parse({ ...BYTE_LEVEL, post_processor: null })).begin).toBe(0);
    const other = { ...BYTE_LEVEL, pre_tokenizer: { type: "Whitespace" } };
    await expect(parse(other)).rejects.toThrow(/t\.json: .*"BPE".*ByteLevel/);
    const model = { ...UNIGRAM.model, vocab: [["a", 0]], unk_id: 0 };
    const none = { ...UNIGRAM, added_tokens: [], model };
    await expect(parse(none)).rejects.toThrow('t.json: the vocabulary lacks "<s>"');
  });
});

describe("RoBERTa", () => {
  const config = {
    model_type: "xlm-roberta",
    hidden_size: 4,
    num_hidden_layers: 1,
    num_attention_heads: 2,
    intermediate_size: 6,
    max_position_embeddings: 12,
    type_vocab_size: 1,
    vocab_size: 10,
    pad_token_id: 1,
  };

  test("counts places from the padding's number on", () => {
    const { positions, firstPosition, maximumPieces } = parseConfig(config);
    expect([positions, firstPosition, maximumPieces]).toEqual([12, 2, 10]);
    const { feeds } = makeBatch([["the", "dog"]], bytes.pieces, maximumPieces, { firstPosition });
    expect([...feeds.positions.data]).toEqual([2, 3, 4, 5]);
    const bert = parseConfig({ ...config, model_type: "bert" });
    expect([bert.firstPosition, bert.maximumPieces]).toEqual([0, 12]);
  });

  test("is named in what is supported", () => {
    expect(() => parseConfig({ ...config, model_type: "gpt2" })).toThrow(/"gpt2".*"xlm-roberta"/);
    expect(() => parseConfig({ ...config, pad_token_id: 10 })).toThrow("leaves no place");
    expect(() => parseConfig({ ...config, pad_token_id: -1 })).toThrow('"pad_token_id"');
  });
});

const REAL = `${process.env.BRACKEN_ENCODERS ?? ""}/multilingual-minilm-l12/tokenizer.json`;
if (!existsSync(REAL)) {
  console.warn(
    "SKIPPED: the tokenizer of the multilingual MiniLM; set BRACKEN_ENCODERS to the folder that holds multilingual-minilm-l12",
  );
}

describe.skipIf(!existsSync(REAL))("the multilingual MiniLM", () => {
  test.each([
    ["Der Hund schlief am 3. Mai , weil es regnete .", 12],
    ["小明 喜欢 在 公园 里 看 书 。", 9],
    ["Anjing itu tidur di rumah .", 8],
    ["Le chat ( noir ) dort .", 9],
  ])("%s", (sentence, count) => {
    const each = cutter(JSON.parse(readFileSync(REAL, "utf8")));
    const words = sentence.split(" ");
    expect(each.ours(words)).toEqual(each.whole(layOut(words).text));
    expect(each.ours(words).length).toBeGreaterThanOrEqual(count - 2);
  });
});
