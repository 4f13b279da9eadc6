/**
 * What a bracken model is made of: the shape of its BERT and the options of the scorer on top. It is
 * the `config.json` of a model folder: BERT's own fields as published, and ours under "bracken".
 */

import { type BertConfig, parseConfig } from "../encoder/config.js";
import { InputError } from "../errors.js";

/** Raised when a folder written by a newer bracken could be misread by an older one. */
export const MODEL_FORMAT = 1;

export interface ScorerConfig {
  readonly width: number;
  readonly slope: number;
  /** Of the boundary vectors, in training. */
  readonly dropout: number;
}

export interface ModelConfig {
  readonly bert: BertConfig;
  /** BERT's fields as they stood in its config.json, to be written again. */
  readonly published: Readonly<Record<string, unknown>>;
  /** How many of BERT's layers are kept, from the bottom. */
  readonly layers: number;
  /** Whether words are a learnt mix of all kept layers. */
  readonly mix: boolean;
  readonly scorer: ScorerConfig;
}

export const PAPER_SCORER: ScorerConfig = { width: 256, slope: 0.1, dropout: 0.33 };

export interface ModelOptions {
  readonly layers?: number | undefined;
  readonly mix?: boolean | undefined;
  readonly scorer?: Partial<ScorerConfig> | undefined;
}

/** A new model on top of a published BERT. */
export function newModelConfig(
  published: Readonly<Record<string, unknown>>,
  { layers, mix = false, scorer = {} }: ModelOptions = {},
  file?: string,
): ModelConfig {
  const bert = parseConfig(published, file);
  return {
    bert,
    published,
    layers: layers ?? bert.layers,
    mix,
    scorer: { ...PAPER_SCORER, ...scorer },
  };
}

export function modelConfigToJson({ published, layers, mix, scorer }: ModelConfig): object {
  return { ...published, bracken: { format: MODEL_FORMAT, layers, mix, scorer } };
}

export function modelConfigFromJson(json: unknown, file?: string): ModelConfig {
  const { bracken, ...published } = json as Record<string, unknown>;
  if (typeof bracken !== "object" || bracken === null) {
    throw new InputError(
      'it has no "bracken" part',
      { file },
      "this is an encoder, not a parser: train one with bracken train --encoder",
    );
  }
  const { format, layers, mix, scorer } = bracken as Record<string, unknown>;
  if (format !== MODEL_FORMAT) {
    throw new InputError(
      `the model's format is ${JSON.stringify(format)}; this bracken reads format ${MODEL_FORMAT}`,
      { file },
      "use the bracken that made the model, or make the model again",
    );
  }
  const options = { layers, mix, scorer } as ModelOptions;
  return newModelConfig(published, options, file);
}
