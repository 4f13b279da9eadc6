import { test } from "vitest";
import {
  type BertOptions,
  bert,
  declareInputs,
  declarePackedInputs,
  wordVectors,
} from "../../src/encoder/bert.js";
import { parseConfig } from "../../src/encoder/config.js";
import { packBatch } from "../../src/encoder/pack.js";
import { spanScores } from "../../src/model/span-scorer.js";
import { expectRightGradients } from "../tensor/gradients.js";

const CONFIG = parseConfig({
  hidden_size: 4,
  num_hidden_layers: 2,
  num_attention_heads: 2,
  intermediate_size: 5,
  max_position_embeddings: 4,
  type_vocab_size: 1,
  vocab_size: 6,
});

/** Two sentences of three words in rows of four pieces, the second one padded. */
const BATCH = {
  ids: { data: Int32Array.from([1, 3, 4, 2, 1, 5, 2, 0]), dims: [2, 4] },
  positions: { data: Int32Array.from([0, 1, 2, 3, 0, 1, 2, 3]), dims: [2, 4] },
  types: { data: new Int32Array(8), dims: [2, 4] },
  seen: { data: Float32Array.from([1, 1, 1, 1, 1, 1, 1, 0]), dims: [2, 4] },
  words: { data: Int32Array.from([1, 2, 3, 5, 0, 0]), dims: [2, 3] },
};

function expectRight(options: BertOptions, packed = false): Promise<void> {
  return expectRightGradients({
    operands: {},
    inputs: packed ? packBatch({ feeds: BATCH, lengths: [3, 1] }, CONFIG.heads).feeds : BATCH,
    // Errors of rounding grow through the layers: they rise as the step shrinks.
    tolerance: 5e-3,
    // It shifts all of a query's scores alike, which softmax does not see.
    vanishing: /attention\.self\.key\.bias$/,
    build: (tape) => {
      const inputs = packed ? declarePackedInputs(tape, CONFIG) : declareInputs(tape);
      const words = wordVectors(tape, bert(tape, CONFIG, inputs, options), inputs);
      // A slope of 1 has no corner for a difference to fall across.
      return spanScores(tape, words, { width: 3, slope: 1 });
    },
  });
}

test("gradients of a small BERT with a span scorer and dropout agree with differences", () =>
  expectRight({}));

test("so do those of a batch without padding", () => expectRight({}, true));

test("so do those of a mix of its layers", () => expectRight({ layers: 1, mix: true }));
