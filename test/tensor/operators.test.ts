import { describe, test } from "vitest";
import {
  add,
  appendOne,
  attention,
  batchedMatMul,
  biaffine,
  dropout,
  embed,
  type Feed,
  gatherRows,
  gelu,
  hidingMask,
  layerNorm,
  leakyRelu,
  linear,
  mix,
  type Packing,
  project,
  reshape,
  scale,
  softmax,
  type Tape,
  tanh,
  transpose,
  type Value,
} from "../../src/tensor/index.js";
import { expectRightGradients, type GradientCase } from "./gradients.js";

type V = Record<string, Value>;
const of = (values: V, name: string) => values[name] as Value;

const indices = (...data: number[]): Feed => ({ data: Int32Array.from(data), dims: [data.length] });

/** Rows [2, 3] of which the second ends early. */
const seen: Feed = { data: Float32Array.from([1, 1, 1, 1, 1, 0]), dims: [2, 3] };

function attend(tape: Tape, values: V, rate: number, packing?: Packing): Value {
  const hiding = hidingMask(tape, of(values, "seen"), ["rows", 1, 1, "pieces"]);
  const [query, key, value] = ["q", "k", "v"].map((name) => of(values, name)) as [
    Value,
    Value,
    Value,
  ];
  return attention(
    tape,
    { query, key, value, hiding, packing },
    { rows: "rows", pieces: "pieces", heads: 2 },
    rate,
  );
}

/** The same rows without padding, for two heads. */
const padded: Feed = {
  data: Int32Array.from([0, 2, 4, 1, 3, 5, 6, 8, -1, 7, 9, -1]),
  dims: [2, 2, 3],
};
const packed: Feed = { data: Int32Array.from([0, 3, 1, 4, 2, 5, 6, 9, 7, 10]), dims: [5, 2] };

const packedAttentionCase = (rate: number): GradientCase => ({
  operands: { q: [5, 4], k: [5, 4], v: [5, 4] },
  batch: { seen, padded, packed },
  shapes: {
    seen: ["rows", "pieces"],
    padded: ["rows", 2, "pieces"],
    packed: ["packed", 2],
  },
  build: (tape, v) => attend(tape, v, rate, { padded: of(v, "padded"), packed: of(v, "packed") }),
});

const attentionCase = (rate: number): GradientCase => ({
  operands: { q: [6, 4], k: [6, 4], v: [6, 4] },
  batch: { seen },
  shapes: { seen: ["rows", "pieces"] },
  build: (tape, v) => attend(tape, v, rate),
});

const CASES: Readonly<Record<string, GradientCase>> = {
  "linear with bias": {
    operands: { x: [3, 4], w: [5, 4], b: [5] },
    build: (tape, v) => linear(tape, of(v, "x"), of(v, "w"), of(v, "b")),
  },
  "linear without bias": {
    operands: { x: [3, 4], w: [5, 4] },
    build: (tape, v) => linear(tape, of(v, "x"), of(v, "w")),
  },
  project: {
    operands: { x: [3, 4], w: [4, 5] },
    build: (tape, v) => project(tape, of(v, "x"), of(v, "w")),
  },
  "product of batches": {
    operands: { a: [2, 3, 4], b: [2, 4, 5] },
    build: (tape, v) => batchedMatMul(tape, of(v, "a"), of(v, "b"), { scale: 0.7 }),
  },
  "product with the transpose": {
    operands: { a: [2, 3, 4], b: [2, 5, 4] },
    build: (tape, v) =>
      batchedMatMul(tape, of(v, "a"), of(v, "b"), { transposeB: true, scale: 0.7 }),
  },
  add: {
    operands: { a: [3, 4], b: [3, 4] },
    build: (tape, v) => add(tape, of(v, "a"), of(v, "b")),
  },
  "a value used three times": {
    operands: { a: [3, 4] },
    build: (tape, v) => {
      const a = of(v, "a");
      return add(tape, add(tape, a, gelu(tape, a)), tanh(tape, a));
    },
  },
  scale: { operands: { x: [3, 4] }, build: (tape, v) => scale(tape, of(v, "x"), -2.5) },
  gelu: { operands: { x: [4, 5] }, build: (tape, v) => gelu(tape, of(v, "x")) },
  tanh: { operands: { x: [4, 5] }, build: (tape, v) => tanh(tape, of(v, "x")) },
  "leaky ReLU": { operands: { x: [4, 5] }, build: (tape, v) => leakyRelu(tape, of(v, "x"), 0.1) },
  "layer norm": {
    operands: { x: [3, 6], gamma: [6], beta: [6] },
    build: (tape, v) => layerNorm(tape, of(v, "x"), of(v, "gamma"), of(v, "beta"), 1e-12),
  },
  softmax: { operands: { x: [3, 5] }, build: (tape, v) => softmax(tape, of(v, "x")) },
  "softmax under a mask": {
    operands: { x: [2, 2, 3, 3] },
    batch: { seen },
    build: (tape, v) => {
      const hiding = hidingMask(tape, of(v, "seen"), [2, 1, 1, 3]);
      return softmax(tape, of(v, "x"), hiding);
    },
  },
  dropout: { operands: { x: [6, 7] }, build: (tape, v) => dropout(tape, of(v, "x"), 0.4) },
  mix: {
    operands: { a: [3, 4], b: [3, 4], c: [3, 4], weights: [3], factor: [1] },
    build: (tape, v) => {
      const values = ["a", "b", "c"].map((name) => of(v, name));
      return mix(tape, values, of(v, "weights"), of(v, "factor"));
    },
  },
  "embedding rows, one of them twice": {
    operands: { table: [5, 3] },
    batch: { ids: indices(4, 0, 4, 2) },
    build: (tape, v) => tanh(tape, embed(tape, of(v, "table"), of(v, "ids"))),
  },
  "gathered rows, one of them twice": {
    operands: { x: [5, 3] },
    batch: { ids: indices(4, 0, 4, 2) },
    build: (tape, v) => tanh(tape, gatherRows(tape, of(v, "x"), of(v, "ids"))),
  },
  "append one": {
    operands: { x: [3, 4] },
    build: (tape, v) => tanh(tape, appendOne(tape, of(v, "x"))),
  },
  reshape: {
    operands: { x: [4, 6] },
    build: (tape, v) => softmax(tape, reshape(tape, of(v, "x"), [8, 3])),
  },
  transpose: {
    operands: { x: [2, 3, 4] },
    build: (tape, v) => softmax(tape, transpose(tape, of(v, "x"), [2, 0, 1])),
  },
  biaffine: {
    operands: { left: [6, 3], right: [6, 3], matrix: [4, 4] },
    build: (tape, v) => biaffine(tape, of(v, "left"), of(v, "right"), of(v, "matrix"), 2, 3),
  },
  attention: attentionCase(0),
  "attention with dropout": attentionCase(0.3),
  "attention without padding": packedAttentionCase(0),
  "attention without padding, with dropout": packedAttentionCase(0.3),
};

describe("gradients agree with differences of the outputs", () => {
  for (const [name, example] of Object.entries(CASES)) {
    test(name, () => expectRightGradients(example));
  }
});
