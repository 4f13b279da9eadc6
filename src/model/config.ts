/**
 * The configuration of a model: the shape of its BERT and the options of the scorer on top. In a model
 * folder it is `config.json`, with BERT's own fields as published, and ours under "bracken".
 */

import { type BertConfig, parseConfig } from "../encoder/config.js";
import { InputError } from "../errors.js";
import { DEFAULT_LANGUAGE, parseCode } from "../languages/codes.js";
import { isLabel, NO_PHRASE } from "../trees/labels.js";

/** Increased when an older bracken could misread a folder written by a newer one. */
export const MODEL_FORMAT = 1;

/** The shape of the span scorer. */
export interface ScorerConfig {
  /** The size of the vectors for the left and the right boundary of a span. */
  readonly width: number;
  /** The slope of the leaky ReLU below 0. */
  readonly slope: number;
  /** The dropout of the boundary vectors in training. */
  readonly dropout: number;
}

/** The labels that a model gives to phrases, and the shape of the scorer that chooses one. */
export interface LabelConfig {
  /** `-` (a single word that is not a phrase), then the labels; `S+VP` is a unary chain. */
  readonly classes: readonly string[];
  /** The size of the vectors for the left and the right boundary of a span. */
  readonly width: number;
  /** The size of the vectors whose product scores a label. */
  readonly rank: number;
  /** What people call the labels, where they have named them; labels with the same name are one. */
  readonly names?: Readonly<Record<string, string>> | undefined;
}

/** The configuration of a model: its encoder, its scorer, and how it decodes. */
export interface ModelConfig {
  /** The shape of the encoder. */
  readonly bert: BertConfig;
  /** All fields of BERT's config.json, to be written again. */
  readonly published: Readonly<Record<string, unknown>>;
  /** How many of BERT's layers are kept, from the bottom. */
  readonly layers: number;
  /** Whether word vectors are a learnt mix of all kept layers. */
  readonly mix: boolean;
  /** The shape of the span scorer. */
  readonly scorer: ScorerConfig;
  /** Its labels; missing if the model does not label phrases. */
  readonly labels?: LabelConfig | undefined;
  /** How trees are chosen by default. */
  readonly decoding: Decoding;
  /** The BCP 47 code of the language that it parses; of several, the first. */
  readonly language: string;
  /** All languages that it parses. */
  readonly languages: readonly string[];
}

/**
 * The ways to choose a tree:
 *
 * - `best`: the binary tree with the highest score (CKY).
 * - `risk`: the binary tree with the most spans expected to be right (minimum Bayes risk). It is for models
 *   trained with a probabilistic loss, not only to rank trees.
 * - `phrases`: the tree, binary or flat, with the highest expected F1. It needs a model that has learnt phrase
 *   probabilities.
 */
export const DECODINGS = ["best", "risk", "phrases"] as const;

/** How a tree is chosen; see `DECODINGS`. */
export type Decoding = (typeof DECODINGS)[number];

/** The precisions in which a model can compute. */
export const PRECISIONS = ["fp32", "int8"] as const;

/** `fp32`, or `int8` for weights in 8 bits, which is faster and slightly less accurate. */
export type Precision = (typeof PRECISIONS)[number];

/** The requested decoding, or the model's own. */
export function chooseDecoding({ decoding }: ModelConfig, asked: Decoding | undefined): Decoding {
  if (asked !== "phrases" || decoding === "phrases") return asked ?? decoding;
  throw new InputError(
    'the model has no phrase probabilities, which the decoding "phrases" needs',
    {},
    "use the decoding best or risk, or train a model with --phrase-weight",
  );
}

export const PAPER_SCORER: ScorerConfig = { width: 256, slope: 0.1, dropout: 0.33 };

const LABEL_SCORER: Pick<LabelConfig, "width" | "rank"> = { width: 128, rank: 8 };

/** Options of a new model. */
export interface ModelOptions {
  /** How many of the encoder's layers to keep, from the bottom; by default all. */
  readonly layers?: number | undefined;
  /** Whether word vectors are a learnt mix of all kept layers; false by default. */
  readonly mix?: boolean | undefined;
  /** The shape of the span scorer; by default the paper's. */
  readonly scorer?: Partial<ScorerConfig> | undefined;
  /** The labels of phrases; none by default. */
  readonly labels?: Pick<LabelConfig, "classes"> & Partial<LabelConfig>;
  /** How trees are chosen by default; "best" if not given. */
  readonly decoding?: Decoding | undefined;
  /** The language of the data, a BCP 47 code, or several; English by default. */
  readonly language?: string | readonly string[] | undefined;
}

/**
 * A new model on top of a published BERT.
 *
 * @throws InputError if the BERT is not supported or `language` is not a language code.
 */
export function newModelConfig(
  published: Readonly<Record<string, unknown>>,
  options: ModelOptions = {},
  file?: string,
): ModelConfig {
  const { layers, mix = false, scorer = {}, decoding = "best" } = options;
  const bert = parseConfig(published, file);
  const languages = languageCodes(options.language ?? DEFAULT_LANGUAGE, file);
  return {
    bert,
    published,
    layers: layers ?? bert.layers,
    mix,
    scorer: { ...PAPER_SCORER, ...scorer },
    ...(options.labels ? { labels: { ...LABEL_SCORER, ...options.labels } } : {}),
    decoding,
    language: languages[0],
    languages,
  };
}

function languageCodes(value: unknown, file: string | undefined): readonly [string, ...string[]] {
  const codes = [value].flat().map((code) => (typeof code === "string" ? parseCode(code) : code));
  const [first, ...others] = codes;
  const isCode = (code: unknown): code is string => typeof code === "string";
  if (isCode(first) && others.every(isCode)) return [first, ...others];
  throw new InputError(
    `"language" of "bracken" must be a language code such as en, or a list of them, not ${JSON.stringify(value)}`,
    { file },
  );
}

/** The name of each class that has one. */
export type LabelNames = Readonly<Record<string, string>>;

/** The labels of a model, as trees have them. */
export interface LabelTable {
  /** `-`, then each label once. */
  readonly labels: readonly string[];
  /** The index of the label of each class. */
  readonly indexOf: Uint16Array;
}

export function labelTable(config: LabelConfig): LabelTable {
  const known = TABLES.get(config);
  if (known) return known;
  const table = makeTable(config);
  TABLES.set(config, table);
  return table;
}

/** Every sentence needs the table of its model. */
const TABLES = new WeakMap<LabelConfig, LabelTable>();

function makeTable({ classes, names = {} }: LabelConfig): LabelTable {
  const ofClasses = classes.map((name) => names[name] ?? name);
  const labels = [...new Set(ofClasses)];
  return { labels, indexOf: Uint16Array.from(ofClasses, (label) => labels.indexOf(label)) };
}

/**
 * A configuration with the names of a manifest, if it has any. They are there because a manifest is replaced as a whole:
 * a model never has half of its names, and no other file changes.
 */
export function withNames(config: ModelConfig, names: unknown, manifest: string): ModelConfig {
  if (names === undefined) return config;
  const { labels } = config;
  const isNames = typeof names === "object" && names !== null && !Array.isArray(names);
  const isNamed = ([name, label]: [string, unknown]) =>
    labels?.classes.includes(name) &&
    name !== NO_PHRASE &&
    typeof label === "string" &&
    isName(label);
  if (!labels || !isNames || !Object.entries(names).every(isNamed)) {
    throw new InputError(
      '"names" must have names for labels of the model',
      { file: manifest },
      "the model was altered: download or train it again",
    );
  }
  return { ...config, labels: { ...labels, names: names as LabelNames } };
}

/** Whether people can call a phrase so. */
export function isName(text: string): boolean {
  return isLabel(text) && text !== NO_PHRASE;
}

/** Without the names of labels, which are in the manifest. */
export function modelConfigToJson(config: ModelConfig): object {
  const { published, bert, languages, labels, ...own } = config;
  const { names, ...unnamed } = labels ?? {};
  const bracken = {
    format: MODEL_FORMAT,
    ...own,
    ...(labels ? { labels: unnamed } : {}),
    language: languages.length > 1 ? languages : own.language,
  };
  return { ...published, bracken };
}

/** Ignores unknown fields: a field that must not be ignored increases the format number. */
export function modelConfigFromJson(json: unknown, file?: string): ModelConfig {
  const { bracken, ...published } = (json ?? {}) as Record<string, unknown>;
  if (typeof bracken !== "object" || bracken === null) {
    throw new InputError(
      'it has no "bracken" part',
      { file },
      "this is an encoder, not a parser: train a parser with bracken train --encoder",
    );
  }
  const { format, ...fields } = bracken as Record<string, unknown>;
  if (format !== MODEL_FORMAT) throw otherFormat(format, file);
  const { layers, mix, scorer, labels, decoding, language } = fields;
  const options = { layers, mix, scorer, labels, decoding, language } as ModelOptions;
  checkOptions(options, published, file);
  return newModelConfig(published, options, file);
}

function otherFormat(format: unknown, file: string | undefined): InputError {
  const isNewer = typeof format === "number" && format > MODEL_FORMAT;
  return new InputError(
    `the model's format is ${JSON.stringify(format)}; this bracken reads format ${MODEL_FORMAT}`,
    { file },
    isNewer
      ? "a newer bracken made it: update this one, or train the model again"
      : "use the bracken that made the model, or train the model again",
  );
}

/** Far more than anyone needs. */
const MOST_WIDTH = 1 << 16;

/** Missing options have defaults; the others must be valid. */
function checkOptions(
  { layers, mix, scorer, labels, decoding }: ModelOptions,
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
  if (labels === undefined) return;
  check("labels", labels, typeof labels === "object" && labels !== null, "an object");
  const { classes, width: labelWidth, rank } = labels;
  check(
    "labels.classes",
    classes ?? null,
    isClassList(classes),
    `a list of "${NO_PHRASE}" and labels`,
  );
  const isSize = (value: unknown) => isWhole(value, 1) && Number(value) <= MOST_WIDTH;
  check("labels.width", labelWidth, isSize(labelWidth), `a whole number from 1 to ${MOST_WIDTH}`);
  check("labels.rank", rank, isSize(rank), `a whole number from 1 to ${MOST_WIDTH}`);
}

function isClassList(value: unknown): boolean {
  if (!Array.isArray(value) || value.length < 2 || value[0] !== NO_PHRASE) return false;
  const isClass = (label: unknown) => typeof label === "string" && isLabel(label);
  return value.every(isClass) && new Set(value).size === value.length;
}
