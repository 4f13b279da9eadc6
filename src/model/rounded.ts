/** Which parameters of a model are stored in 8 bits, and how. */

import { scalesOf } from "../safetensors/reader.js";
import type { FloatTensor, NamedTensor } from "../safetensors/writer.js";
import { roundNumbers } from "../tensor/quantise.js";
import { isLinearWeight } from "./graph.js";

/** Embeddings are looked up and never multiplied in 8 bits, so all of the numbers up to 127 are theirs. */
const MOST_OF_EMBEDDING = 127;

/**
 * A tensor as it is stored in 8 bits, with its scales; others as they are. Linear weights are rounded as they are
 * to compute in int8, so that they are not rounded twice.
 */
export function roundTensor({ name, shape, data }: FloatTensor): NamedTensor[] {
  const isEmbedding = /^embeddings\.\w+_embeddings\.weight$/.test(name);
  if (!isEmbedding && !isLinearWeight(name)) return [{ name, shape, data }];
  const [rows = 1] = shape;
  const { numbers, scales } = roundNumbers(data, rows, isEmbedding ? MOST_OF_EMBEDDING : undefined);
  return [
    { name, shape, data: numbers },
    { name: scalesOf(name), shape: [rows], data: scales, type: "F32" },
  ];
}
