/** Describes a model without running it. */

import { labelTable, MODEL_FORMAT, type ScorerConfig } from "./config.js";
import type { ModelFolder } from "./folder.js";
import { modelTape } from "./graph.js";
import type { FileDescription } from "./source.js";

/** The shape, sizes and files of a model. */
export interface ModelInfo {
  /** The path of the model folder. */
  readonly folder: string;
  /** The number of the model format. */
  readonly format: number;
  /** The BCP 47 code of the language that it parses; of several, the first. */
  readonly language: string;
  /** All languages that it parses. */
  readonly languages: readonly string[];
  /** The shape of the encoder. */
  readonly encoder: {
    /** Its name, as published. */
    readonly name: string | undefined;
    /** How many layers are kept. */
    readonly layers: number;
    /** How many layers the published encoder has. */
    readonly publishedLayers: number;
    /** Whether word vectors are a learnt mix of all kept layers. */
    readonly mix: boolean;
    /** The size of its vectors. */
    readonly width: number;
    /** Attention heads per layer. */
    readonly heads: number;
    /** The size of the vectors inside the feed-forward layers. */
    readonly innerWidth: number;
    /** The number of pieces it knows. */
    readonly vocabulary: number;
    /** The most pieces it can take at once. */
    readonly pieces: number;
  };
  /** The shape of the span scorer. */
  readonly scorer: ScorerConfig;
  /** The names that it has for phrases; none if it does not name them. */
  readonly labels: readonly string[];
  /** What people call the labels that the model has learnt, where they have named them. */
  readonly names: Readonly<Record<string, string>>;
  /** The number of parameters. */
  readonly parameters: number;
  /** How many tensors of each number type the weights have on disk. */
  readonly stored: Readonly<Record<string, number>>;
  /** The size of all files together. */
  readonly bytes: number;
  /** Size and hash of each file, by name. */
  readonly files: Readonly<Record<string, FileDescription>>;
  /** The model card, in Markdown. */
  readonly card: string;
}

/** Describes a model without running it. */
export async function modelInfo(model: ModelFolder): Promise<ModelInfo> {
  const { bert, published, layers, mix, scorer, labels, language, languages } = model.config;
  const name = published._name_or_path;
  const { parameters } = modelTape(model.config, { training: false });
  const sizes = parameters.map(({ shape }) => shape.reduce((product, dim) => product * dim, 1));
  const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
  return {
    folder: model.folder,
    format: MODEL_FORMAT,
    language,
    languages,
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
    labels: labels ? labelTable(labels).labels.slice(1) : [],
    names: labels?.names ?? {},
    parameters: sum(sizes),
    stored: Object.fromEntries(await model.storedTypes()),
    bytes: sum(Array.from(model.files.values(), ({ bytes }) => bytes)),
    files: Object.fromEntries(model.files),
    card: await model.card(),
  };
}
