/**
 * A model's files by name, and what the parser needs of them, wherever they are: a folder on disk
 * (model-folder.ts) or an address (model-url.ts).
 */

import type { WordPieces } from "../encoder/wordpiece.js";
import { InputError } from "../errors.js";
import type { Parameter } from "../tensor/index.js";
import type { ModelConfig } from "./config.js";

export const FILES = {
  config: "config.json",
  weights: "model.safetensors",
  tokenizer: "tokenizer.json",
  card: "README.md",
} as const;

/** Written last and checked first, so that a model that is not whole is not taken for one. */
export const MANIFEST = "manifest.json";

/** Manifests and configurations have a few hundred bytes; what is much larger is none. */
export const LARGEST_MANIFEST = 1 << 20;

/** What the manifest says of a file. */
export interface FileDescription {
  readonly bytes: number;
  readonly sha256: string;
}

/** Where a model comes from: a folder, or an address. */
export interface ModelSource {
  readonly config: ModelConfig;
  /** @internal */
  wordPieces(): Promise<WordPieces>;
  /**
   * Reads every parameter into the array that `target` gives for it.
   * @internal
   */
  readWeights(
    parameters: readonly Parameter[],
    target: (parameter: string) => Float32Array,
  ): Promise<void>;
}

/** What is wrong with one of a model's files. */
export function broken(file: string, problem: string): InputError {
  return new InputError(
    problem,
    { file },
    "the model is damaged or was altered: fetch or make it again",
  );
}
