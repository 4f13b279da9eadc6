/** A corpus of simple sentences, of which the tiny encoder knows the words. */

import { writeFileSync } from "node:fs";
import { Random } from "../../src/random.js";

export function writeTinyCorpus(file: string, sentences = 40, seed = 1): void {
  const random = new Random(seed);
  const pick = (...words: string[]) => words[random.below(words.length)];
  const nounPhrase = () =>
    `${pick("the", "a")} ${pick("old ", "red ", "")}${pick("man", "dog", "bench", "door")}`;
  const line = () =>
    `${nounPhrase()} ${pick("sat", "ran")} ${pick("on", "by")} ${nounPhrase()} ${pick("on", "by")} ${nounPhrase()} .`;
  // A paragraph each, so that no rule for the ends of sentences matters.
  writeFileSync(file, Array.from({ length: sentences }, () => `${line()}\n\n`).join(""));
}
