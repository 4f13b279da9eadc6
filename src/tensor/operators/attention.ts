/** Attention with several heads (Vaswani et al. 2017). */

import { type Dim, type Shape, times } from "../shape.js";
import { type Tape, type Value, widthOf } from "../tape.js";
import { dropout } from "./arithmetic.js";
import { reshape, transpose } from "./layout.js";
import { batchedMatMul } from "./linear.js";
import { softmax } from "./normalise.js";

export interface HeadShape {
  readonly rows: Dim;
  readonly pieces: Dim;
  readonly heads: number;
}

/**
 * How pieces without padding, [packed, width], stand in the rows of attention. Where there is padding,
 * attention takes numbers of another piece, which have to be hidden there; they get no gradient.
 */
export interface Packing {
  /** At each place the packed piece and head, piece · heads + head, or -1 for padding; [rows, heads, pieces]. */
  readonly padded: Value;
  /** The place of each packed piece and head; [packed, heads]. */
  readonly packed: Value;
}

export interface AttentionInputs {
  /** All three are [rows*pieces, width], or [packed, width]. */
  readonly query: Value;
  readonly key: Value;
  readonly value: Value;
  /** Added to the scores, [rows, 1, 1, pieces]; see `hidingMask`. Absent where no row is padded. */
  readonly hiding?: Value | undefined;
  /** Present where the pieces are without padding. */
  readonly packing?: Packing | undefined;
}

/**
 * Each piece's mean of the values of its row's pieces, weighted by softmax(q · k / √dim), one head at
 * a time. ONNX Runtime's own operator showed no clear gain, so inference has no other graph.
 */
export function attention(
  tape: Tape,
  { query, key, value, hiding, packing }: AttentionInputs,
  shape: HeadShape,
  dropoutRate: number,
): Value {
  const byHead = (x: Value) => splitHeads(tape, x, shape, packing);
  const scores = batchedMatMul(tape, byHead(query), byHead(key), {
    transposeB: true,
    scale: 1 / Math.sqrt(widthOf(query) / shape.heads),
  });
  const shares = dropout(tape, softmax(tape, scores, hiding), dropoutRate);
  return joinHeads(tape, batchedMatMul(tape, shares, byHead(value)), packing);
}

/** x [rows*pieces, width], or packed [packed, width], as [rows, heads, pieces, dim]. */
function splitHeads(tape: Tape, x: Value, shape: HeadShape, packing?: Packing): Value {
  const { rows, pieces, heads } = shape;
  const dim = widthOf(x) / heads;
  if (!packing) {
    return transpose(tape, reshape(tape, x, [rows, pieces, heads, dim]), [0, 2, 1, 3]);
  }
  const { graph } = tape;
  const split = graph.emit("Reshape", [x.name, graph.shape(oneHeadPerRow(x, heads))]);
  const taken = graph.emit("Gather", [split, packing.padded.name]);
  const y = tape.computed(taken, [rows, heads, pieces, dim], [x]);
  return tape.record(y, (dy, back) => {
    const flat = back.graph.emit("Reshape", [dy, back.graph.shape(onePlacePerRow(y))]);
    const own = back.graph.emit("Gather", [flat, back.use(packing.packed)]);
    back.add(x, back.graph.emit("Reshape", [own, back.graph.shape(x.shape)]));
  });
}

/** The inverse of `splitHeads`. */
function joinHeads(tape: Tape, x: Value, packing?: Packing): Value {
  const [rows, heads, pieces, dim] = x.shape as [Dim, number, Dim, number];
  const width = heads * dim;
  if (!packing) {
    return reshape(tape, transpose(tape, x, [0, 2, 1, 3]), [times(rows, pieces), width]);
  }
  const { graph } = tape;
  const flat = graph.emit("Reshape", [x.name, graph.shape(onePlacePerRow(x))]);
  const taken = graph.emit("Gather", [flat, packing.packed.name]);
  const shape = [packing.packed.shape[0] as Dim, width];
  const y = tape.computed(graph.emit("Reshape", [taken, graph.shape(shape)]), shape, [x]);
  return tape.record(y, (dy, back) => {
    const split = back.graph.emit("Reshape", [dy, back.graph.shape(oneHeadPerRow(y, heads))]);
    // The index -1 of padding takes the last row.
    const zeros = back.graph.initialiser(
      `zeros ${dim}`,
      "float32",
      [1, dim],
      new Float32Array(dim),
    );
    const withZeros = back.graph.emit("Concat", [split, zeros], { axis: 0 });
    back.add(x, back.graph.emit("Gather", [withZeros, back.use(packing.padded)]));
  });
}

function oneHeadPerRow(x: Value, heads: number): Shape {
  return [times(x.shape[0] as Dim, heads), widthOf(x) / heads];
}

function onePlacePerRow(x: Value): Shape {
  return [x.shape.slice(0, -1).reduce(times), widthOf(x)];
}
