/**
 * Reads published weights into parameters. BERT's tensors have several names: with or without the
 * prefix `bert.` or `roberta.`, LayerNorm as gamma and beta or as weight and bias, in one file or in several.
 */

import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { InputError } from "../errors.js";
import { openSafetensors } from "../safetensors/open.js";
import type { SafetensorsFile } from "../safetensors/reader.js";
import type { Parameter } from "../tensor/index.js";

/** Parts of a published BERT that this one has no use for. */
const UNUSED = /^(pooler\.|cls\.|lm_head\.|embeddings\.(position_ids|token_type_ids)$)/;

/** Whether a parameter comes from published weights, and is not learnt from scratch. */
export function isPretrained(parameter: string): boolean {
  return /^(embeddings|encoder)\./.test(parameter);
}

/**
 * Reads the pretrained parameters from a safetensors file or the index of several, each into the array
 * that `target` gives for it. Every one must be there, and nothing that cannot be explained.
 */
export async function loadWeights(
  file: string,
  parameters: readonly Parameter[],
  target: (parameter: string) => Float32Array,
): Promise<void> {
  const files = await openFiles(file);
  try {
    const places = findTensors(files);
    const wanted = parameters.filter(({ name }) => isPretrained(name));
    refuseExtra(places, wanted);
    for (const parameter of wanted) {
      const place = places.get(parameter.name);
      if (!place) {
        throw new InputError(
          `tensor "${parameter.name}" is missing`,
          { file },
          "these weights do not belong to the config.json beside them, or are not BERT's",
        );
      }
      checkShape(place, parameter);
      const tensor = { name: place.tensor, shape: parameter.shape };
      await place.file.readAll([tensor], () => target(parameter.name));
    }
  } finally {
    await Promise.all(files.map((opened) => opened.close()));
  }
}

async function openFiles(file: string): Promise<SafetensorsFile[]> {
  const names = file.endsWith(".index.json") ? await shards(file) : [file];
  const opened: SafetensorsFile[] = [];
  try {
    for (const name of names) opened.push(await openSafetensors(name));
  } catch (error) {
    await Promise.all(opened.map((one) => one.close()));
    throw error;
  }
  return opened;
}

/** The files that an index names, each once. */
export async function shards(index: string): Promise<string[]> {
  const text = await readFile(index, "utf8").catch((error: Error) => {
    throw new InputError(error.message, { file: index });
  });
  try {
    const { weight_map: map } = JSON.parse(text) as { weight_map: Record<string, string> };
    const names = [...new Set(Object.values(map))].sort();
    if (names.every((name) => typeof name === "string" && !/[/\\]/.test(name))) {
      return names.map((name) => join(dirname(index), name));
    }
  } catch {
    // Told below, together with every other way to be wrong.
  }
  throw new InputError('no "weight_map" of tensors to files beside it', { file: index });
}

interface TensorPlace {
  readonly file: SafetensorsFile;
  readonly tensor: string;
}

function findTensors(files: readonly SafetensorsFile[]): Map<string, TensorPlace> {
  const places = new Map<string, TensorPlace>();
  for (const file of files) {
    for (const tensor of file.entries.keys()) places.set(parameterName(tensor), { file, tensor });
  }
  return places;
}

function parameterName(tensor: string): string {
  return tensor
    .replace(/^(?:bert|roberta)\./, "")
    .replace(/LayerNorm\.gamma$/, "LayerNorm.weight")
    .replace(/LayerNorm\.beta$/, "LayerNorm.bias");
}

/** Tensors of dropped layers are expected; any other leftover means that something is misread. */
function refuseExtra(places: ReadonlyMap<string, TensorPlace>, wanted: readonly Parameter[]): void {
  const names = new Set(wanted.map(({ name }) => name));
  const layers = new Set(wanted.map(({ name }) => layerOf(name)));
  for (const [name, { file, tensor }] of places) {
    const layer = layerOf(name);
    const isDropped = layer !== undefined && !layers.has(layer);
    if (names.has(name) || isDropped || UNUSED.test(name)) continue;
    throw new InputError(
      `this BERT has no tensor "${tensor}"`,
      { file: file.file },
      "only plain BERT and RoBERTa encoders are supported: check config.json and the weights",
    );
  }
}

function layerOf(name: string): string | undefined {
  return /^encoder\.layer\.(\d+)\./.exec(name)?.[1];
}

function checkShape({ file, tensor }: TensorPlace, { shape }: Parameter): void {
  const found = file.entries.get(tensor)?.shape ?? [];
  if (found.join() === shape.join()) return;
  throw new InputError(
    `tensor "${tensor}" has shape [${found.join(", ")}] where config.json has [${shape.join(", ")}]`,
    { file: file.file },
  );
}
