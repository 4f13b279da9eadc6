/** Texts made to hurt: a rule that looks back or ahead without bound takes minutes on one of them. */

import { test } from "vitest";
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
