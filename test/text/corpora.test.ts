/**
 * The accuracy that docs/text.md states, kept by tests. The corpora may not be part of the project,
 * so without them these tests are skipped and say so.
 */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { findLanguage } from "../../src/languages/index.js";
import {
  type GoldSentence,
  goldSentence,
  layOutGold,
  sentenceAccuracy,
  tokenAccuracy,
} from "../../src/text/accuracy.js";
import { readTreebank } from "../../src/treebanks/index.js";

const DATA =
  process.env.BRACKEN_DATA ?? fileURLToPath(new URL("../../../shared/data", import.meta.url));

/** One document per file. */
async function readTrees(folder: string): Promise<GoldSentence[][]> {
  const documents: GoldSentence[][] = [];
  for (const file of readdirSync(folder)) {
    if (!/\.(?:mrg|tree|psd|gld)$/.test(file)) continue;
    const document: GoldSentence[] = [];
    for await (const { tree } of readTreebank(join(folder, file))) {
      document.push(goldSentence(tree));
    }
    documents.push(document);
  }
  return documents;
}

async function readAnswers(file: string): Promise<GoldSentence[][]> {
  const lines = gunzipSync(readFileSync(file)).toString("utf8").split("\n");
  const records = lines.filter((line) => line !== "").map((line) => JSON.parse(line));
  return [records.map(({ sentenceTokens }) => sentenceTokens.map((word: string) => [word]))];
}

interface Corpus {
  readonly path: string;
  /** English if it does not say. */
  readonly code?: string;
  readonly read: (place: string) => Promise<GoldSentence[][]>;
  readonly leastTokenF1: number;
  readonly leastSentenceF1: number;
}

const CORPORA: Corpus[] = [
  {
    path: "treebanks/wsj-sample-0001-0099",
    read: readTrees,
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
  { path: "treebanks/craft-a", read: readTrees, leastTokenF1: 0.94, leastSentenceF1: 0.92 },
  {
    path: "treebanks/id-icon-dev",
    code: "id",
    read: readTrees,
    leastTokenF1: 0.998,
    leastSentenceF1: 0.995,
  },
  // Headings have no full stop.
  {
    path: "treebanks/is-greynir-dev",
    code: "is",
    read: readTrees,
    leastTokenF1: 0.998,
    leastSentenceF1: 0.975,
  },
  // Readings in brackets are part of their word, and titles have no full stop.
  {
    path: "treebanks/ja-keyaki-dev",
    code: "ja",
    read: readTrees,
    leastTokenF1: 0.79,
    leastSentenceF1: 0.87,
  },
  {
    path: "treebanks/zh-mctb-dev",
    code: "zh",
    read: readTrees,
    leastTokenF1: 0.755,
    leastSentenceF1: 0.93,
  },
];

describe.each(CORPORA)("$path", ({ path, code = "en", read, leastTokenF1, leastSentenceF1 }) => {
  const language = findLanguage(code);
  const place = join(DATA, path);
  const missing = !existsSync(place);
  if (missing)
    console.warn(`skipped: no ${place}; set BRACKEN_DATA to the folder that holds ${path}`);

  test.skipIf(missing)(`tokens agree, F1 at least ${leastTokenF1}`, async () => {
    const sentences = (await read(place)).flat();
    expect(tokenAccuracy(sentences, language).f1).toBeGreaterThanOrEqual(leastTokenF1);
  });

  test.skipIf(missing)(`sentence ends agree, F1 at least ${leastSentenceF1}`, async () => {
    const texts = (await read(place)).map((document) =>
      document.map((each) => layOutGold(each, language).text),
    );
    expect(sentenceAccuracy(texts, language).f1).toBeGreaterThanOrEqual(leastSentenceF1);
  });
});
