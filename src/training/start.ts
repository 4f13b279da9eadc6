/**
 * Where a run starts: from an encoder, with a new scorer on top, or from all weights of a trained parser. A parser
 * keeps its shape and its labels, in their order; labels that only the new data has are added behind them.
 */

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { findEncoder, type HubOptions } from "../encoder/index.js";
import { isPretrained, loadWeights } from "../encoder/weights.js";
import { InputError } from "../errors.js";
import { type ModelConfig, type ModelOptions, newModelConfig } from "../model/config.js";
import { findModel, isBundled } from "../model/find-model.js";
import { ModelFolder } from "../model/folder.js";
import { modelTape } from "../model/graph.js";
import { readTrainedOn } from "../model/trained-on.js";
import type { Random } from "../random.js";
import type { ParameterStore } from "../tensor/train.js";
import type { DataSet } from "./examples.js";
import type { TrainSettings } from "./settings.js";
import { addLabels, decodingFor, labelsFor, laterDecoding } from "./shape.js";

/** The model that a run started from. */
export interface StartModel {
  /** Its name or folder, as given. */
  readonly name: string;
  /** Equal for two models only if they give the same trees. */
  readonly sha256: string;
}

/** What a run started from, for its description: one of the two. */
export interface Origin {
  /** The name of the encoder. */
  readonly encoder?: string;
  /** The trained parser. */
  readonly from?: StartModel;
}

export interface Start {
  readonly origin: Origin;
  /** The path of tokenizer.json. */
  readonly tokenizer: string;
  /** The configuration of the model that is trained on this data. */
  configFor(settings: TrainSettings, sets: readonly DataSet[]): ModelConfig;
  /** The sentences whose gold trees the weights have seen; see model/trained-on.ts. */
  readonly trainedOn: ReadonlySet<string>;
  /** Fills the store: with the weights that there are, with random numbers elsewhere. */
  fill(store: ParameterStore, random: Random, settings: TrainSettings): Promise<void>;
}

/** The encoder that `name` stands for, with a new scorer on top. */
export async function startFromEncoder(name: string, hub?: HubOptions): Promise<Start> {
  if (isBundled(name)) throw parserAsEncoder(name, name);
  const { config: file, tokenizer, weights } = await findEncoder(name, hub);
  const published = await readPublished(file);
  if ("bracken" in published) throw parserAsEncoder(name, file);
  return {
    origin: { encoder: name },
    tokenizer,
    trainedOn: new Set(),
    configFor(settings, sets) {
      const decoding = decodingFor(settings, sets);
      const labels = labelsFor(settings, sets);
      const shape = { decoding, ...(labels ? { labels } : {}), ...settings.model } as const;
      return newModelConfig(published, shape, file);
    },
    async fill(store, random) {
      await loadWeights(weights, store.parameters, (parameter) => store.value(parameter));
      store.initialise(random, (parameter) => !isPretrained(parameter));
    },
  };
}

function parserAsEncoder(name: string, file: string): InputError {
  return new InputError("this is a trained parser, not an encoder", { file }, `use --from ${name}`);
}

async function readPublished(file: string): Promise<Record<string, unknown>> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as Record<string, unknown>;
  } catch (error) {
    throw new InputError((error as Error).message, { file }, "check the encoder's folder");
  }
}

/**
 * All weights of the parser that `name` stands for.
 *
 * @throws InputError if the model is damaged, or if `options` ask for another shape than the model's.
 */
export async function startFromModel(name: string, options: ModelOptions): Promise<Start> {
  const folder = await ModelFolder.open(await findModel(name));
  checkShape(folder, options);
  const { config } = folder;
  return {
    origin: {
      from: { name, sha256: createHash("sha256").update(folder.identity).digest("hex") },
    },
    tokenizer: folder.tokenizer,
    trainedOn: await readTrainedOn(folder),
    configFor(settings, sets) {
      const found = labelsFor(settings, sets);
      const labels = keepsLabels(settings) ? addLabels(config.labels, found) : found;
      const { labels: _, ...others } = config;
      const shape: ModelOptions = {
        ...others,
        language: config.languages,
        decoding: laterDecoding(config.decoding, decodingFor(settings, sets), settings.loss),
        scorer: { ...config.scorer, ...settings.model.scorer },
        ...(labels ? { labels } : {}),
      };
      return newModelConfig(config.published, shape, folder.folder);
    },
    fill: (store, random, settings) => {
      const { labels: _, ...unlabelled } = config;
      return fillFromModel(store, random, folder, keepsLabels(settings) ? config : unlabelled);
    },
  };
}

/** Induced categories are the only labels of a model: those that it had would mix with them. */
function keepsLabels({ inducedLabels }: TrainSettings): boolean {
  return inducedLabels === undefined;
}

/** Labels that were added are the last rows of their tensors, so a tensor of the model is always a beginning. */
async function fillFromModel(
  store: ParameterStore,
  random: Random,
  folder: ModelFolder,
  kept: ModelConfig,
): Promise<void> {
  const { parameters } = modelTape(kept, { training: false });
  const sizes = new Map(
    parameters.map(({ name, shape }) => [name, shape.reduce((product, dim) => product * dim, 1)]),
  );
  store.initialise(random, (name) => store.value(name).length !== sizes.get(name));
  await folder.readWeights(parameters, (name) => store.value(name).subarray(0, sizes.get(name)));
}

/** Dropout is not part of the shape. */
function checkShape(
  { folder: file, config }: ModelFolder,
  { language, scorer, ...others }: ModelOptions,
): void {
  const [fixed] = [
    ...Object.entries(others).flatMap(([name, value]) => (value === undefined ? [] : [name])),
    ...Object.keys(scorer ?? {}).filter((name) => name !== "dropout"),
  ];
  if (fixed) {
    throw new InputError(
      `a run that starts from a model keeps the model's shape: "${fixed}" cannot be set`,
      { file },
      "leave it out, or start from an encoder",
    );
  }
  if (language === undefined || String(language) === String(config.languages)) return;
  throw new InputError(
    `the model's language is ${config.languages}, not ${language}`,
    { file },
    "leave out --language, or start from a model or an encoder for that language",
  );
}
