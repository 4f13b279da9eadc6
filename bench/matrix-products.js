// What the encoder could reach: its matrix products and nothing else, in ONNX Runtime, with the operators,
// sizes and batches of the encoder. Everything between them (quantisation, normalisation, softmax, GELU, sums,
// other layouts) is left out, so no encoder on this runtime is faster.

import * as encoding from "../dist/encoder/index.js";
import { isLinearWeight } from "../dist/model/graph.js";
import { cutBatches } from "../dist/model/span-model.js";
import { Graph } from "../dist/tensor/graph.js";
import { compileInference, InferenceRunner, Session, Tape } from "../dist/tensor/index.js";
import { Tensor } from "../dist/tensor/session.js";

/** As in bulk: see BATCH_PIECES in src/model/span-model.ts. */
const BATCH_PIECES = 512;
const ONE_THREAD = { threads: 1 };

/** Both over the same sentences, one thread each. Each function returns its seconds. */
export async function encoderAndLimit(folder, precision, sentences) {
  const { config } = folder;
  const wordPieces = await folder.wordPieces();
  const batches = batchesOf(sentences, wordPieces, config.bert);
  const encoder = await startEncoder(folder, precision);
  const products = await startProducts(config, precision, batches);
  return {
    encode: () => seconds(batches, ({ feeds }) => encoder.run(feeds)),
    multiply: () => seconds(batches, products.run),
    close: () => Promise.all([encoder.release(), products.release()]),
  };
}

async function seconds(batches, run) {
  const started = performance.now();
  for (const batch of batches) await run(batch);
  return (performance.now() - started) / 1000;
}

function batchesOf(sentences, wordPieces, { maximumPieces, firstPosition }) {
  const pieces = sentences.map((words) => encoding.countPieces(words, wordPieces, maximumPieces));
  return cutBatches(pieces, BATCH_PIECES).map((indices) => {
    const words = indices.map((index) => sentences[index]);
    const { feeds } = encoding.makeBatch(words, wordPieces, maximumPieces, { firstPosition });
    const [rows, pieces] = feeds.ids.dims;
    // One word is read, lest copies of results be timed.
    const one = { data: Int32Array.of(1), dims: [1, 1] };
    return { rows, pieces, feeds: { ...feeds, words: one } };
  });
}

async function startEncoder(folder, precision) {
  const { config } = folder;
  const isQuantised = precision === "int8" ? isLinearWeight : undefined;
  const tape = new Tape({ training: false, isQuantised });
  const inputs = encoding.declareInputs(tape, { padded: false });
  const options = { layers: config.layers, mix: config.mix };
  const pieces = encoding.bert(tape, config.bert, inputs, options);
  tape.output("word", encoding.wordVectors(tape, pieces, inputs));
  const weights = new Map();
  for (const { name, shape } of tape.parameters) {
    weights.set(name, new Float32Array(shape.reduce((product, dim) => product * dim, 1)));
  }
  await folder.readWeights(tape.parameters, (name) => weights.get(name));
  const program = compileInference(tape, (name) => weights.get(name));
  return InferenceRunner.create(program, ONE_THREAD);
}

/** All products are outputs, so that all are computed; only a single number is fetched. */
async function startProducts({ bert: config, layers }, precision, batches) {
  const { hiddenSize: width, intermediateSize: wide, heads } = config;
  const dim = width / heads;
  const graph = new Graph("matrix products");
  const multiply = precision === "int8" ? int8Product : fp32Product;
  for (let layer = 0; layer < encoding.keptLayers(config, { layers }); layer++) {
    graph.scope = `layer ${layer}`;
    for (const name of ["query", "key", "value", "output"]) {
      multiply(graph, `${name} ${layer}`, width, width);
    }
    multiply(graph, `up ${layer}`, width, wide);
    multiply(graph, `down ${layer}`, wide, width);
    const headShape = ["rows", heads, "pieces", dim];
    const [query, key, value] = ["q", "k", "v"].map((name) =>
      graph.input(name, "float32", headShape),
    );
    const shares = graph.input("shares", "float32", ["rows", heads, "pieces", "pieces"]);
    // ONNX Runtime computes equal nodes once: each layer has its own factor.
    const alpha = { float: (layer + 1) / 8 };
    const scores = graph.emit("FusedMatMul", [query, key], { transB: 1, alpha });
    graph.output(scores, ["rows", heads, "pieces", "pieces"]);
    graph.output(graph.emit("FusedMatMul", [shares, value], { alpha }), headShape);
  }
  const end = graph.output(graph.emit("Neg", [graph.input("start", "float32", [1])]), [1]);
  const session = await Session.create("matrix products", graph.encode(), ONE_THREAD);
  const numbers = numbersFor(batches, Math.max(width, wide), heads);
  const feedsOf = ({ rows, pieces }) => {
    const matrix = (type, ...dims) => {
      const size = dims.reduce((product, dim) => product * dim, 1);
      return new Tensor(type, numbers[type].subarray(0, size), dims);
    };
    const vectors = matrix("float32", rows, heads, pieces, dim);
    const type = precision === "int8" ? "uint8" : "float32";
    return {
      [`of ${width}`]: matrix(type, rows * pieces, width),
      [`of ${wide}`]: matrix(type, rows * pieces, wide),
      ...{ q: vectors, k: vectors, v: vectors },
      shares: matrix("float32", rows, heads, pieces, pieces),
      start: matrix("float32", 1),
    };
  };
  const feeds = new Map(batches.map((batch) => [batch, feedsOf(batch)]));
  return {
    run: (batch) => session.run(feeds.get(batch), [end]),
    release: () => session.release(),
  };
}

function fp32Product(graph, name, from, to) {
  const input = graph.input(`of ${from}`, "float32", ["all", from]);
  const weight = graph.initialiser(name, "float32", [to, from], drawn(to * from));
  graph.output(graph.emit("Gemm", [input, weight], { transB: 1 }), ["all", to]);
}

function int8Product(graph, name, from, to) {
  const input = graph.input(`of ${from}`, "uint8", ["all", from]);
  const numbers = Int8Array.from(drawn(from * to), (value) => Math.round(126 * value));
  const weight = graph.initialiser(name, "int8", [from, to], numbers);
  const scales = graph.initialiser(`scales of ${name}`, "float32", [to], drawn(to));
  const zero = graph.initialiser("zero", "uint8", [], Uint8Array.of(128));
  const inputs = [input, weight, graph.scalar(1), scales, zero];
  graph.output(graph.emit("MatMulIntegerToFloat", inputs), ["all", to]);
}

function drawn(size) {
  return Float32Array.from({ length: size }, () => Math.random() - 0.5);
}

/** Enough numbers for the largest matrix of any batch. */
function numbersFor(batches, widest, heads) {
  const sizes = batches.map(({ rows, pieces }) => rows * pieces * Math.max(widest, heads * pieces));
  const float32 = drawn(Math.max(...sizes));
  return { float32, uint8: Uint8Array.from(float32, (value) => 255 * (value + 0.5)) };
}
