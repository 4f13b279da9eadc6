/** Attention with several heads (Vaswani et al. 2017). */

import { type Dim, times } from "../shape.js";
import { type Tape, type Value, widthOf } from "../tape.js";
import { dropout } from "./arithmetic.js";
import { reshape, transpose } from "./layout.js";
import { batchedMatMul } from "./linear.js";
import { softmax } from "./normalise.js";

export interface AttentionShape {
  readonly rows: Dim;
  readonly pieces: Dim;
  readonly heads: number;
}

export interface AttentionInputs {
  /** All three are [rows*pieces, width]. */
  readonly query: Value;
  readonly key: Value;
  readonly value: Value;
  /** Added to the scores, [rows, 1, 1, pieces]; see `hidingMask`. Absent where no row is padded. */
  readonly hiding?: Value | undefined;
}

/**
 * Each piece's mean of the values of its row's pieces, weighted by softmax(q · k / √dim), one head at
 * a time. ONNX Runtime's own operator showed no clear gain, so inference has no other graph.
 */
export function attention(
  tape: Tape,
  { query, key, value, hiding }: AttentionInputs,
  { rows, pieces, heads }: AttentionShape,
  dropoutRate: number,
): Value {
  const width = widthOf(query);
  const dim = width / heads;
  const byHead = (x: Value) =>
    transpose(tape, reshape(tape, x, [rows, pieces, heads, dim]), [0, 2, 1, 3]);
  const scores = batchedMatMul(tape, byHead(query), byHead(key), {
    transposeB: true,
    scale: 1 / Math.sqrt(dim),
  });
  const shares = dropout(tape, softmax(tape, scores, hiding), dropoutRate);
  const mixed = batchedMatMul(tape, shares, byHead(value));
  return reshape(tape, transpose(tape, mixed, [0, 2, 1, 3]), [times(rows, pieces), width]);
}
