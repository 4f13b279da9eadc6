/** Phrases that Japanese particles show. */

import { describe, expect, it } from "vitest";
import { Cleaner } from "../../src/brackets/clean.js";
import { particlePhrasesOf } from "../../src/brackets/particle-phrases.js";
import { japanese } from "../../src/languages/japanese.js";
import type { Particles } from "../../src/languages/language.js";
import type { Span } from "../../src/trees/tree.js";

const particles = japanese.particles as Particles;

/** The words of the spans, for a sentence with blanks. */
function shown(sentence: string) {
  const tokens = sentence.split(" ");
  const { phrases, chunks, fragments } = particlePhrasesOf(tokens, particles);
  const texts = (spans: readonly Span[]) =>
    spans.map(({ begin, end }) => tokens.slice(begin, end).join(" "));
  return { phrases: texts(phrases), chunks: texts(chunks), fragments: texts(fragments) };
}

describe("particles", () => {
  it("make a phrase with the noun before them", () => {
    expect(shown("太郎 は 日本 大学 に 行 っ た 。")).toEqual({
      phrases: ["太郎 は", "日本 大学", "日本 大学 に"],
      chunks: ["日本 大学"],
      fragments: [],
    });
  });

  it("that follow each other are in one phrase", () => {
    const { phrases, fragments } = shown("東京 に は 川 が ある 。");
    expect(phrases).toEqual(["東京 に は", "川 が"]);
    expect(fragments).toEqual(["東京 に"]);
  });

  it("join nouns from the left", () => {
    const { phrases, fragments } = shown("太郎 の 本 の 表紙 が 赤 い 。");
    expect(phrases).toEqual([
      "太郎 の",
      "太郎 の 本",
      "太郎 の 本 の",
      "太郎 の 本 の 表紙",
      "太郎 の 本 の 表紙 が",
    ]);
    expect(fragments).toEqual(["本 の", "表紙 が"]);
  });

  it("show no beginning where a clause may modify the noun", () => {
    expect(shown("昨日 買った 本 を 読む 。")).toEqual({
      phrases: [],
      chunks: [],
      fragments: ["本 を"],
    });
    expect(shown("犬 と 猫 が いる 。").phrases).toEqual(["犬 と"]);
  });

  it("are no particles as a copula", () => {
    expect(shown("彼 は 学生 で ある 。").phrases).toEqual(["彼 は"]);
    expect(shown("彼 は 学校 で 食べる 。").phrases).toEqual(["彼 は", "学校 で"]);
  });
});

describe("Cleaner, for Japanese", () => {
  const tokens = "太郎 の 本 は 日本 大学 に ある 。".split(" ");
  const options = { language: japanese, addParts: true, markFlat: true };

  it("adds phrases and marks, and keeps what people gave", () => {
    const cleaned = new Cleaner(options, () => {}).clean({
      tokens,
      brackets: [[4, 6]],
      kinds: ["answer"],
      source: "mine",
      id: "1",
    });
    const kinds = new Map(
      cleaned?.brackets.map(([begin, end], at) => [`${begin},${end}`, cleaned.kinds?.[at]]),
    );
    expect(kinds.get("0,2")).toBe("part");
    expect(kinds.get("0,3")).toBe("part");
    expect(kinds.get("0,4")).toBe("part");
    expect(kinds.get("4,7")).toBe("part");
    expect(kinds.get("2,4")).toBe("fragment");
    expect(cleaned?.brackets.filter(([begin, end]) => begin === 4 && end === 6).length).toBe(2);
  });

  it("adds nothing that crosses a bracket", () => {
    const cleaned = new Cleaner(options, () => {}).clean({
      tokens,
      brackets: [[5, 8]],
      kinds: ["answer"],
      source: "mine",
      id: "1",
    });
    expect(cleaned?.brackets).not.toContainEqual([4, 7]);
    expect(cleaned?.brackets).toContainEqual([5, 8]);
  });
});
