/** What can be told of a model without running it. */

import { MODEL_FORMAT, type ScorerConfig } from "./config.js";
import type { ModelFolder } from "./folder.js";
import { modelTape } from "./graph.js";
import type { FileDescription } from "./source.js";

/** What a model is made of, with sizes and hashes of its files. */
export interface ModelInfo {
  readonly folder: string;
  readonly format: number;
  /** The code of the language that it parses. */
  readonly language: string;
  readonly encoder: {
    /** What its publisher calls it. */
    readonly name: string | undefined;
    /** How many layers are kept, of how many. */
    readonly layers: number;
    readonly publishedLayers: number;
    readonly mix: boolean;
    readonly width: number;
    readonly heads: number;
    readonly innerWidth: number;
    readonly vocabulary: number;
    /** How many pieces it sees at once. */
    readonly pieces: number;
  };
  readonly scorer: ScorerConfig;
  readonly parameters: number;
  /** Of the numbers on disk: how many tensors have each type. */
  readonly stored: Readonly<Record<string, number>>;
  readonly bytes: number;
  readonly files: Readonly<Record<string, FileDescription>>;
  readonly card: string;
}

/** Describes a model without running it. */
export async function modelInfo(model: ModelFolder): Promise<ModelInfo> {
  const { bert, published, layers, mix, scorer, language } = model.config;
  const name = published._name_or_path;
  const { parameters } = modelTape(model.config, { training: false });
  const sizes = parameters.map(({ shape }) => shape.reduce((product, dim) => product * dim, 1));
  const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
  return {
    folder: model.folder,
    format: MODEL_FORMAT,
    language,
    encoder: {
      name: typeof name === "string" && name !== "" ? name : undefined,
      layers,
      publishedLayers: bert.layers,
      mix,
      width: bert.hiddenSize,
      heads: bert.heads,
      innerWidth: bert.intermediateSize,
      vocabulary: bert.vocabularySize,
      pieces: bert.maximumPieces,
    },
    scorer,
    parameters: sum(sizes),
    stored: Object.fromEntries(await model.storedTypes()),
    bytes: sum(Array.from(model.files.values(), ({ bytes }) => bytes)),
    files: Object.fromEntries(model.files),
    card: await model.card(),
  };
}
