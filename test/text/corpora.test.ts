/**
 * The accuracy that docs/text.md states, kept by tests. The corpora may not be part of the project,
 * so without them these tests are skipped and say so.
 */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import {
  type GoldSentence,
  goldSentence,
  layOutGold,
  sentenceAccuracy,
  tokenAccuracy,
} from "../../src/text/accuracy.js";
import { parsePenn } from "../../src/trees/index.js";

const DATA =
  process.env.BRACKEN_DATA ?? fileURLToPath(new URL("../../../shared/data", import.meta.url));

function readTreebank(folder: string): GoldSentence[][] {
  return readdirSync(folder)
    .filter((name) => /\.(?:mrg|tree)$/.test(name))
    .map((file) => parsePenn(readFileSync(join(folder, file), "utf8"), { file }).map(goldSentence));
}

function readAnswers(file: string): GoldSentence[][] {
  const lines = gunzipSync(readFileSync(file)).toString("utf8").split("\n");
  const records = lines.filter((line) => line !== "").map((line) => JSON.parse(line));
  return [records.map(({ sentenceTokens }) => sentenceTokens.map((word: string) => [word]))];
}

interface Corpus {
  readonly path: string;
  readonly read: (place: string) => GoldSentence[][];
  readonly leastTokenF1: number;
  readonly leastSentenceF1: number;
}

const CORPORA: Corpus[] = [
  {
    path: "treebanks/wsj-sample-0001-0099",
    read: readTreebank,
    leastTokenF1: 0.998,
    leastSentenceF1: 0.985,
  },
  {
    path: "answers/qasrl-bank-2.1/orig-dev.jsonl.gz",
    read: readAnswers,
    leastTokenF1: 0.999,
    leastSentenceF1: 0.99,
  },
  // Cuts at hyphens and slashes, and has headings without a full stop.
  { path: "treebanks/craft-a", read: readTreebank, leastTokenF1: 0.94, leastSentenceF1: 0.92 },
];

describe.each(CORPORA)("$path", ({ path, read, leastTokenF1, leastSentenceF1 }) => {
  const place = join(DATA, path);
  const missing = !existsSync(place);
  if (missing)
    console.warn(`skipped: no ${place}; set BRACKEN_DATA to the folder that holds ${path}`);

  test.skipIf(missing)(`tokens agree, F1 at least ${leastTokenF1}`, () => {
    expect(tokenAccuracy(read(place).flat()).f1).toBeGreaterThanOrEqual(leastTokenF1);
  });

  test.skipIf(missing)(`sentence ends agree, F1 at least ${leastSentenceF1}`, () => {
    const texts = read(place).map((document) => document.map((each) => layOutGold(each).text));
    expect(sentenceAccuracy(texts).f1).toBeGreaterThanOrEqual(leastSentenceF1);
  });
});
