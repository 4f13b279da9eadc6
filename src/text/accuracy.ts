/**
 * Measures how far the tokeniser and the splitter agree with a corpus that people split by hand. The
 * corpus has tokens only, so its text is laid out again first. Both the benchmark and the tests use
 * these functions, so that they cannot drift apart.
 */

import { english } from "../languages/english.js";
import type { Language } from "../languages/language.js";
import { leaves, type Tree } from "../trees/tree.js";
import { layOut } from "./detokenise.js";
import { splitSentences } from "./sentences.js";
import { tokenise } from "./tokens.js";

/** A printed word as the corpus cuts it: mostly one token, `["Thirty", "-", "four"]` where not. */
export type GoldWord = readonly string[];
export type GoldSentence = readonly GoldWord[];

export interface Accuracy {
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
  /** How many the corpus has. */
  readonly gold: number;
}

/** Half-open, in code units of the text. */
export interface Place {
  readonly begin: number;
  readonly end: number;
}

const ESCAPED_BRACKET = /^-[LR][CRS]B-$/;

/**
 * The words of a tree, parts of a hyphenated word (tag `HYPH`) put together as they are printed. A leaf of several
 * words, such as a name in Greynir's trees, is that many words.
 */
export function goldSentence(tree: Tree): GoldSentence {
  const sentence: string[][] = [];
  let afterHyphen = false;
  const words = leaves(tree).flatMap(({ word, tag }) =>
    word.split(" ").map((part) => ({ word: part, tag })),
  );
  for (const { word, tag } of words) {
    const hyphen = tag === "HYPH";
    const last = sentence.at(-1);
    const printable = ![word, last?.at(-1) ?? ""].some((part) => ESCAPED_BRACKET.test(part));
    if (last && printable && (hyphen || afterHyphen)) last.push(word);
    else sentence.push([word]);
    afterHyphen = hyphen;
  }
  return sentence;
}

/** Text and token places of a sentence of the corpus. */
export function layOutGold(
  sentence: GoldSentence,
  language: Language = english,
): { text: string; places: Place[] } {
  const { text, tokens } = layOut(
    sentence.map((parts) => parts.join("")),
    { language },
  );
  const places = tokens.flatMap(({ begin, end }, index) => {
    const parts = sentence[index] as GoldWord;
    if (parts.length === 1) return [{ begin, end }];
    const begins = parts.map((_, part) => begin + parts.slice(0, part).join("").length);
    return begins.map((from, part) => ({ begin: from, end: begins[part + 1] ?? end }));
  });
  return { text, places };
}

/** Tokens with both ends right, each sentence tokenised on its own. */
export function tokenAccuracy(
  sentences: readonly GoldSentence[],
  language: Language = english,
  tokeniser: (text: string) => readonly Place[] = (text) => tokeniseWhole(text, language),
): Accuracy {
  const count = { right: 0, found: 0, gold: 0 };
  for (const sentence of sentences) {
    const { text, places } = layOutGold(sentence, language);
    tally(places.map(key), tokeniser(text).map(key), count);
  }
  return summarise(count);
}

/** The corpus says that the text is one sentence, whatever the splitter would make of it. */
function tokeniseWhole(text: string, language: Language): readonly Place[] {
  return tokenise(text, { language, sentences: [{ begin: 0, end: text.length }] });
}

/**
 * Sentence ends inside each document; its last end, which nobody can miss, is not counted. A blank is between
 * sentences unless the language sets none.
 */
export function sentenceAccuracy(
  documents: readonly (readonly string[])[],
  language: Language = english,
  splitter: (text: string) => readonly Place[] = (text) => splitSentences(text, { language }),
): Accuracy {
  const between = language.unspaced ? "" : " ";
  const count = { right: 0, found: 0, gold: 0 };
  for (const document of documents) {
    const ends: string[] = [];
    let length = -between.length;
    for (const sentence of document) {
      length += between.length + sentence.length;
      ends.push(`${length}`);
    }
    const found = splitter(document.join(between)).map(({ end }) => `${end}`);
    tally(ends.slice(0, -1), found.slice(0, -1), count);
  }
  return summarise(count);
}

function key({ begin, end }: Place): string {
  return `${begin}-${end}`;
}

function tally(
  gold: readonly string[],
  found: readonly string[],
  count: { right: number; found: number; gold: number },
): void {
  const known = new Set(gold);
  count.right += found.filter((place) => known.has(place)).length;
  count.found += found.length;
  count.gold += gold.length;
}

function summarise({
  right,
  found,
  gold,
}: {
  right: number;
  found: number;
  gold: number;
}): Accuracy {
  const share = (whole: number) => (whole === 0 ? 1 : right / whole);
  const f1 = found + gold === 0 ? 1 : (2 * right) / (found + gold);
  return { precision: share(found), recall: share(gold), f1, gold };
}
