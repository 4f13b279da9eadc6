/** Texts made to hurt: a rule that looks back or ahead without bound takes minutes on one of them. */

import { test } from "vitest";
import { findLanguage } from "../../src/languages/index.js";
import { splitSentences, tokenise } from "../../src/text/index.js";
import { expectLinear, repeated } from "../linear.js";

const UNITS = [
  "(",
  ")",
  "a.",
  "a. ",
  "'",
  '"',
  "a",
  ".",
  ". ",
  "(.) ",
  ".)",
  "-",
  "a-",
  "a's",
  "a/",
  "a.aa/",
  "http://",
  "a@",
  "#a",
  "\n ",
  "1,",
  ".[a]",
  ". [",
  "/a",
  " ",
  "? ",
  "👩‍👩‍👧",
  "\ud83d",
  ". -",
  '." ',
  "n't've",
  "U.S. ",
  "((((.) ",
  "。",
];

const read = (text: string) => tokenise(text, { sentences: splitSentences(text) });

test.each(UNITS)("%j again and again", (unit) => expectLinear(read, repeated(unit)));

test("brackets opened by the thousand and closed one after the other", () => {
  expectLinear(read, (length) => "(".repeat(length / 2) + ".) ".repeat(length / 6));
});

/** Texts made to hurt the rules of one language. */
const OWN: [code: string, unit: string][] = [
  ["ja", "食べられた"],
  ["ja", "食"],
  ["ja", "「。"],
  ["ja", "a食"],
  ["ja", "「"],
  ["zh", "的"],
  ["zh", "“。"],
  ["zh", "：“。"],
  ["zh", "1月"],
  ["zh", "1"],
  ["th", "ไทย"],
  ["fr", "l'"],
  ["fr", "a-t-il"],
  ["fr", ". » "],
  ["it", "dell'"],
  ["pt", "-lo"],
];

test.each(OWN)("%s: %j again and again", (code, unit) => {
  const language = findLanguage(code);
  expectLinear(
    (text) => tokenise(text, { language, sentences: splitSentences(text, { language }) }),
    repeated(unit),
  );
});
