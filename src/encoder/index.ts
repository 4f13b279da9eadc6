/** BERT: its pieces of words, its graph, its weights and where they come from. */

export { countPieces, makeBatch, type PieceBatch } from "./batch.js";
export {
  type BertInputs,
  type BertOptions,
  bert,
  declareInputs,
  declarePackedInputs,
  keptLayers,
  wordVectors,
} from "./bert.js";
export { type BertConfig, parseConfig } from "./config.js";
export { readConfig, readWordPieces } from "./files.js";
export type { HubOptions } from "./hub.js";
export { hubCacheFolder } from "./hub-cache.js";
export { type PackedBatch, packBatch } from "./pack.js";
export { DEFAULT_ENCODER, type EncoderFiles, findEncoder } from "./source.js";
export { isPretrained, loadWeights } from "./weights.js";
export { plainWord, WordPieces } from "./wordpiece.js";
