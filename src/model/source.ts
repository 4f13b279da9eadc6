/**
 * The names of a model's files, and what the parser reads from them, whether they are in a folder on disk
 * (folder.ts) or at a URL (remote.ts).
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

/** Written last and checked first, so that an incomplete folder is not taken for a model. */
export const MANIFEST = "manifest.json";

/** Manifests and configurations have a few hundred bytes; a much larger file is neither. */
export const LARGEST_MANIFEST = 1 << 20;

/** An entry of the manifest. */
export interface FileDescription {
  /** The size of the file. */
  readonly bytes: number;
  /** The SHA-256 of its contents, in hexadecimal. */
  readonly sha256: string;
}

/** Where a model is loaded from: a folder or a URL. */
export interface ModelSource {
  /** The model's configuration. */
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

/** The error for a damaged file of a model. */
export function broken(file: string, problem: string): InputError {
  return new InputError(
    problem,
    { file },
    "the model is damaged or was altered: download or train it again",
  );
}
