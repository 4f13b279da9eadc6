/**
 * Linear layers in 8 bits. Each output of a weight has a scale and whole numbers from -63 to 63. Up to
 * 127 would be finer, but on processors without an instruction for 8-bit products, pairs of them are
 * added in 16 bits and would overflow. The inputs of a layer are rounded at run time, each row with its
 * own scale, so that the result of a row does not depend on the other rows.
 */

import type { Graph } from "./graph.js";
import type { Dim } from "./shape.js";
import type { Value } from "./tape.js";

const LARGEST = 63;

/** The graph's names for the two parts of a weight. */
export function roundedNames(weight: string): { matrix: string; scales: string } {
  return { matrix: `${weight} in 8 bits`, scales: `${weight} scales` };
}

export interface RoundedMatrix {
  /** [in, out], transposed from the weight's [out, in]. */
  readonly matrix: Int8Array;
  /** One for each output. */
  readonly scales: Float32Array;
}

export function roundMatrix(weight: Float32Array, outputs: number): RoundedMatrix {
  const inputs = weight.length / outputs;
  const { numbers, scales } = roundNumbers(weight, outputs);
  const matrix = new Int8Array(weight.length);
  for (let out = 0; out < outputs; out++) {
    for (let at = 0; at < inputs; at++) {
      matrix[at * outputs + out] = numbers[out * inputs + at] as number;
    }
  }
  return { matrix, scales };
}

/** The rows of a matrix as whole numbers. */
export interface RoundedNumbers {
  readonly numbers: Int8Array;
  /** What the numbers of each row are multiplied by. */
  readonly scales: Float32Array;
}

/** Rounds each row to whole numbers up to `most` in size. Rounding what was rounded so changes nothing. */
export function roundNumbers(matrix: Float32Array, rows: number, most = LARGEST): RoundedNumbers {
  const columns = matrix.length / rows;
  const numbers = new Int8Array(matrix.length);
  const scales = new Float32Array(rows);
  for (let row = 0; row < rows; row++) {
    const begin = row * columns;
    let largest = 0;
    for (let at = begin; at < begin + columns; at++) {
      largest = Math.max(largest, Math.abs(matrix[at] as number));
    }
    const scale = largest > 0 ? largest / most : 1;
    scales[row] = scale;
    for (let at = begin; at < begin + columns; at++) {
      numbers[at] = Math.round((matrix[at] as number) / scale);
    }
  }
  return { numbers, scales };
}

/** What stands for 0 in a rounded row, whose numbers are 1 to 255. */
const ZERO = 128;

/** Names of a matrix of rows in 8 bits. */
export interface RoundedRows {
  readonly matrix: string;
  readonly zero: string;
  /** [rows, 1]. */
  readonly scales: string;
}

/**
 * Rounds each row of x [rows, in] by its own largest number. Where several layers round the same x,
 * ONNX Runtime finds that their nodes are the same and keeps one of each.
 */
export function roundRows(graph: Graph, { name, shape, lowerBound }: Value): RoundedRows {
  const last = graph.integers([-1]);
  const depth =
    lowerBound === undefined
      ? graph.emit("Neg", [graph.emit("ReduceMin", [name, last])])
      : graph.scalar(-lowerBound);
  const largest = graph.emit("Max", [graph.emit("ReduceMax", [name, last]), depth]);
  // 0 for a row of zeros: whatever that is rounded to, its product times 0 is right.
  const scales = graph.emit("Mul", [largest, graph.scalar(1 / (ZERO - 1))]);
  const zero = graph.initialiser("zero in 8 bits", "uint8", [], Uint8Array.of(ZERO));
  const byRow = [
    graph.emit("Reshape", [scales, graph.integers([-1])]),
    graph.emit("Expand", [zero, graph.shape([shape[0] as Dim])]),
  ];
  return { matrix: graph.emit("QuantizeLinear", [name, ...byRow], { axis: 0 }), zero, scales };
}
