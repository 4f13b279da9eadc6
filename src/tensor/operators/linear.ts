/** Products with matrices: the linear layer, and products of batches of matrices. */

import { roundedNames, roundRows } from "../quantise.js";
import type { Dim, Shape } from "../shape.js";
import type { Backward, Tape, Value } from "../tape.js";

/** y = x Wᵀ + b for x [rows, in], W [out, in] and b [out], which is how PyTorch stores them. */
export function linear(tape: Tape, x: Value, weight: Value, bias?: Value): Value {
  const inputs = bias ? [x, weight, bias] : [x, weight];
  const shape = [x.shape[0] as Dim, weight.shape[0] as Dim];
  if (tape.isQuantised(weight)) return roundedLinear(tape, inputs, shape);
  const y = tape.apply("Gemm", inputs, shape, { attributes: { transB: 1 } });
  return tape.record(y, (dy, back) => {
    if (back.wants(x)) back.add(x, back.graph.emit("Gemm", [dy, back.use(weight)]));
    if (back.wants(weight)) {
      const columns = columnsOf(dy, weight.shape[0] as number, back);
      back.add(weight, back.graph.emit("Gemm", [columns, back.use(x)]));
    }
    if (bias && back.wants(bias)) back.add(bias, sumOfRows(dy, shape[0] as Dim, back));
  });
}

/** The same in 8 bits: the product of whole numbers is exact, and scaled by column and row. */
function roundedLinear(tape: Tape, inputs: readonly Value[], shape: Shape): Value {
  const [x, weight, bias] = inputs as [Value, Value, Value?];
  const { graph } = tape;
  const { matrix, scales } = roundedNames(weight.name);
  const rows = roundRows(graph, x);
  const factors = [rows.matrix, matrix, graph.scalar(1), scales, rows.zero];
  const product = graph.emit("MatMulIntegerToFloat", factors);
  const scaled = graph.emit("Mul", [product, rows.scales]);
  if (!bias) return tape.computed(scaled, shape, inputs);
  // Of two dimensions, lest ONNX Runtime join the sum with a GELU after it, which it does slowly.
  const row = graph.emit("Reshape", [bias.name, graph.integers([1, -1])]);
  return tape.computed(graph.emit("Add", [scaled, row]), shape, inputs);
}

/**
 * The transpose of [rows, width]. Making it and multiplying takes less time than `transA`, probably because
 * that transposes the same numbers again for every block of columns of the result. Without the third axis,
 * ONNX Runtime would make `transA` of it again.
 */
function columnsOf(matrix: string, width: number, { graph }: Backward): string {
  const deep = graph.emit("Reshape", [matrix, graph.integers([1, -1, width])]);
  const turned = graph.emit("Transpose", [deep], { perm: [0, 2, 1] });
  return graph.emit("Reshape", [turned, graph.integers([width, -1])]);
}

/** Σ over the rows of [rows, width], as a product with ones, which is faster than a reduction. */
export function sumOfRows(rows: string, count: Dim, { graph }: Backward): string {
  const ones = graph.emit("Expand", [graph.scalar(1), graph.shape([count])]);
  return graph.emit("MatMul", [ones, rows]);
}

export interface MatMulOptions {
  /** Whether b's last two axes are swapped first. */
  readonly transposeB?: boolean;
  readonly scale?: number;
}

/** scale · a b over the last two axes; all axes before them are the same in a and b. */
export function batchedMatMul(
  tape: Tape,
  a: Value,
  b: Value,
  { transposeB = false, scale = 1 }: MatMulOptions = {},
): Value {
  const alpha = { float: scale };
  const columns = b.shape.at(transposeB ? -2 : -1) as Dim;
  const y = tape.apply("FusedMatMul", [a, b], [...a.shape.slice(0, -1), columns], {
    attributes: { transB: Number(transposeB), alpha },
  });
  return tape.record(y, (dy, back) => {
    if (back.wants(a)) {
      const attributes = { transB: Number(!transposeB), alpha };
      back.add(a, back.graph.emit("FusedMatMul", [dy, back.use(b)], attributes));
    }
    if (back.wants(b)) {
      const pair = transposeB ? [dy, back.use(a)] : [back.use(a), dy];
      back.add(b, back.graph.emit("FusedMatMul", pair, { transA: 1, alpha }));
    }
  });
}

/** x W for x [rows, in] and W [in, out]. */
export function project(tape: Tape, x: Value, matrix: Value): Value {
  const shape = [x.shape[0] as Dim, matrix.shape[1] as Dim];
  const y = tape.apply("Gemm", [x, matrix], shape);
  return tape.record(y, (dy, back) => {
    if (back.wants(x)) back.add(x, back.graph.emit("Gemm", [dy, back.use(matrix)], { transB: 1 }));
    if (back.wants(matrix)) {
      back.add(matrix, back.graph.emit("Gemm", [back.use(x), dy], { transA: 1 }));
    }
  });
}
