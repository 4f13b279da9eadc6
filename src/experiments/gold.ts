/** The gold treebank of an experiment, and the rows of a table that need nothing else. */

import { join } from "node:path";
import { type BaselineName, scoreBaselines } from "../evaluation/score-baselines.js";
import { readTreebank } from "../treebanks/read-treebank.js";
import { readCache, writeCache } from "./cache.js";
import { commonName, contentHash } from "./inputs.js";
import { PAPER_SEEDS } from "./schedules.js";

export interface Gold {
  readonly files: readonly string[];
  /** What a reader knows it by. */
  readonly name: string;
  readonly hash: string;
}

export async function openGold(files: readonly string[]): Promise<Gold> {
  return { files, name: commonName(files), hash: await contentHash(files) };
}

export interface BaselineResults {
  /** How many sentences of the treebank are scored. */
  readonly sentences: number;
  /** Sentence F1 in percent: of random trees one for each seed, otherwise one. */
  readonly scores: Readonly<Record<string, readonly number[]>>;
}

const KINDS: readonly BaselineName[] = ["random", "left", "right", "upper-bound"];

const KEY = "nob, over words";

function baselinesFile(out: string, gold: Gold): string {
  return join(out, `baselines-${gold.hash.slice(0, 12)}.json`);
}

export async function findBaselines(out: string, gold: Gold): Promise<BaselineResults | undefined> {
  return readCache<BaselineResults>(baselinesFile(out, gold), `${KEY} ${gold.hash}`);
}

export async function measureBaselines(out: string, gold: Gold): Promise<BaselineResults> {
  const known = await findBaselines(out, gold);
  if (known) return known;
  const options = { protocol: "nob", seeds: PAPER_SEEDS, seed: 1 } as const;
  const { rows } = await scoreBaselines(KINDS, readTreebank(gold.files), options);
  const results: BaselineResults = {
    sentences: rows[0]?.runs[0]?.sentences ?? 0,
    scores: Object.fromEntries(
      rows.map(({ kind, runs }) => [kind, runs.map(({ sentenceF1 }) => sentenceF1 * 100)]),
    ),
  };
  return writeCache(baselinesFile(out, gold), `${KEY} ${gold.hash}`, results);
}
