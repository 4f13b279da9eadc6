/**
 * Texts made to hurt: each unit is repeated to a million characters. A rule that looks back or
 * ahead without bound takes minutes on one of them, a linear one well under a second.
 */

import { expect, test } from "vitest";
import { splitSentences, tokenise } from "../../src/text/index.js";

const LENGTH = 1_000_000;
const LIMIT_MS = 5000;

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

function elapsed(text: string): number {
  const start = performance.now();
  tokenise(text, { sentences: splitSentences(text) });
  return performance.now() - start;
}

test.each(UNITS)("a million characters of %j", (unit) => {
  expect(elapsed(unit.repeat(LENGTH / unit.length))).toBeLessThan(LIMIT_MS);
});

test("brackets opened by the hundred thousand and closed one after the other", () => {
  expect(elapsed("(".repeat(LENGTH / 2) + ".) ".repeat(LENGTH / 6))).toBeLessThan(LIMIT_MS);
});
