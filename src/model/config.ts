/**
 * What a bracken model is made of: the shape of its BERT and the options of the scorer on top. It is
 * the `config.json` of a model folder: BERT's own fields as published, and ours under "bracken".
 */

import { type BertConfig, parseConfig } from "../encoder/config.js";
import { InputError } from "../errors.js";
import { DEFAULT_LANGUAGE, parseCode } from "../languages/codes.js";

/** Raised when a folder written by a newer bracken could be misread by an older one. */
export const MODEL_FORMAT = 1;

/** The shape of the span scorer. */
export interface ScorerConfig {
  readonly width: number;
  readonly slope: number;
  /** Of the boundary vectors, in training. */
  readonly dropout: number;
}

/** What a model is made of: its encoder, its scorer, and how it decodes. */
export interface ModelConfig {
  readonly bert: BertConfig;
  /** BERT's fields as they stood in its config.json, to be written again. */
  readonly published: Readonly<Record<string, unknown>>;
  /** How many of BERT's layers are kept, from the bottom. */
  readonly layers: number;
  /** Whether words are a learnt mix of all kept layers. */
  readonly mix: boolean;
  readonly scorer: ScorerConfig;
  readonly decoding: Decoding;
  /** The code of the language that it parses. */
  readonly language: string;
}

/**
 * Which tree is given unless another is asked for: the binary tree with the best score; the binary one
 * with the most spans expected to be right, where the model has learnt probabilities and not only which
 * tree is best; or the tree, binary or not, with the best phrases, where it has also learnt phrase probabilities.
 */
export const DECODINGS = ["best", "risk", "phrases"] as const;

/** How a tree is chosen: "best", "risk" or "phrases". */
export type Decoding = (typeof DECODINGS)[number];

/** The precisions that there are. */
export const PRECISIONS = ["fp32", "int8"] as const;

/** Numbers in 32 bits, or the encoder's weights in 8: faster, and a little less exact. */
export type Precision = (typeof PRECISIONS)[number];

/** The way to read a model's scores: as asked, if the model can be read so, or its own. */
export function chooseDecoding({ decoding }: ModelConfig, asked: Decoding | undefined): Decoding {
  if (asked !== "phrases" || decoding === "phrases") return asked ?? decoding;
  throw new InputError(
    "the model has learnt which trees are good, not which of their spans are phrases",
    {},
    "train one with --phrase-weight, or ask for another decoding",
  );
}

export const PAPER_SCORER: ScorerConfig = { width: 256, slope: 0.1, dropout: 0.33 };

/** What may be chosen for a new model. */
export interface ModelOptions {
  readonly layers?: number | undefined;
  readonly mix?: boolean | undefined;
  readonly scorer?: Partial<ScorerConfig> | undefined;
  readonly decoding?: Decoding | undefined;
  /** Default English, which models were for before they recorded it. */
  readonly language?: string | undefined;
}

/**
 * A new model on top of a published BERT.
 *
 * @throws InputError if the BERT cannot be used or `language` is no language code
 */
export function newModelConfig(
  published: Readonly<Record<string, unknown>>,
  options: ModelOptions = {},
  file?: string,
): ModelConfig {
  const { layers, mix = false, scorer = {}, decoding = "best" } = options;
  const bert = parseConfig(published, file);
  return {
    bert,
    published,
    layers: layers ?? bert.layers,
    mix,
    scorer: { ...PAPER_SCORER, ...scorer },
    decoding,
    language: languageCode(options.language ?? DEFAULT_LANGUAGE, file),
  };
}

function languageCode(value: unknown, file: string | undefined): string {
  const code = typeof value === "string" ? parseCode(value) : undefined;
  if (code !== undefined) return code;
  throw new InputError(
    `"language" of "bracken" must be a language code such as en, not ${JSON.stringify(value)}`,
    { file },
  );
}

export function modelConfigToJson(config: ModelConfig): object {
  const { published, layers, mix, scorer, decoding, language } = config;
  const bracken = { format: MODEL_FORMAT, layers, mix, scorer, decoding, language };
  return { ...published, bracken };
}

/** Fields that this version does not know are passed over: one that must not be raises the format. */
export function modelConfigFromJson(json: unknown, file?: string): ModelConfig {
  const { bracken, ...published } = (json ?? {}) as Record<string, unknown>;
  if (typeof bracken !== "object" || bracken === null) {
    throw new InputError(
      'it has no "bracken" part',
      { file },
      "this is an encoder, not a parser: train one with bracken train --encoder",
    );
  }
  const { format, layers, mix, scorer, decoding, language } = bracken as Record<string, unknown>;
  if (format !== MODEL_FORMAT) throw otherFormat(format, file);
  const options = { layers, mix, scorer, decoding, language } as ModelOptions;
  checkOptions(options, published, file);
  return newModelConfig(published, options, file);
}

function otherFormat(format: unknown, file: string | undefined): InputError {
  const isNewer = typeof format === "number" && format > MODEL_FORMAT;
  return new InputError(
    `the model's format is ${JSON.stringify(format)}; this bracken reads format ${MODEL_FORMAT}`,
    { file },
    isNewer
      ? "a newer bracken made it: update this one, or make the model again"
      : "use the bracken that made the model, or make the model again",
  );
}

/** Wider than any use for it. */
const MOST_WIDTH = 1 << 16;

/** What is missing has a default; what is there must make sense. */
function checkOptions(
  { layers, mix, scorer, decoding }: ModelOptions,
  { num_hidden_layers: all }: Readonly<Record<string, unknown>>,
  file: string | undefined,
): void {
  const check = (name: string, value: unknown, isRight: boolean, expected: string) => {
    if (value === undefined || isRight) return;
    throw new InputError(
      `"${name}" of "bracken" must be ${expected}, not ${JSON.stringify(value)}`,
      { file },
    );
  };
  const isWhole = (value: unknown, least: number) =>
    Number.isInteger(value) && (value as number) >= least;
  const isLayers = isWhole(layers, 0) && Number(layers) <= Number(all);
  check("layers", layers, isLayers, `a whole number up to ${all}`);
  const isDecoding = DECODINGS.some((known) => known === decoding);
  check("decoding", decoding, isDecoding, `one of ${DECODINGS.join(", ")}`);
  check("mix", mix, typeof mix === "boolean", "true or false");
  check("scorer", scorer, typeof scorer === "object" && scorer !== null, "an object");
  const { width, slope, dropout } = scorer ?? {};
  check("scorer.width", width, isWhole(width, 1), "a whole number above 0");
  check("scorer.width", width, Number(width) <= MOST_WIDTH, `at most ${MOST_WIDTH}`);
  check("scorer.slope", slope, Number.isFinite(slope), "a number");
  check("scorer.dropout", dropout, Number(dropout) >= 0 && Number(dropout) < 1, "from 0 to 1");
}
