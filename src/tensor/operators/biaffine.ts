/** Scores of pairs: the biaffine product of Dozat and Manning (2017). */

import type { Dim } from "../shape.js";
import { type Tape, type Value, widthOf } from "../tape.js";
import { reshape } from "./layout.js";
import { batchedMatMul, project } from "./linear.js";
import { appendOne } from "./rows.js";

/**
 * sᵢⱼ = [lᵢ; 1]ᵀ W [rⱼ; 1] within each of the groups, for left and right [groups*size, width] and
 * W [width + 1, width + 1]: a value [groups, size, size].
 */
export function biaffine(
  tape: Tape,
  left: Value,
  right: Value,
  matrix: Value,
  groups: Dim,
  size: Dim,
): Value {
  const width = widthOf(matrix);
  const byGroup = (rows: Value) => reshape(tape, rows, [groups, size, width]);
  const projected = project(tape, appendOne(tape, left), matrix);
  return batchedMatMul(tape, byGroup(projected), byGroup(appendOne(tape, right)), {
    transposeB: true,
  });
}
