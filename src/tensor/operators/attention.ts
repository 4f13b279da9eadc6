/** Attention with several heads (Vaswani et al. 2017). */

import { type Tape, type Value, widthOf } from "../tape.js";
import { dropout } from "./arithmetic.js";
import { type HeadShape, joinHeads, type Packing, splitHeads } from "./heads.js";
import { batchedMatMul } from "./linear.js";
import { softmax } from "./normalise.js";

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
