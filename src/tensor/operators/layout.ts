/** The same numbers in another arrangement. */

import type { Shape } from "../shape.js";
import type { Tape, Value } from "../tape.js";

export function reshape(tape: Tape, x: Value, shape: Shape): Value {
  const y = tape.apply("Reshape", [x], shape, { constants: [tape.graph.shape(shape)] });
  return tape.record(y, (dy, back) => {
    back.add(x, back.graph.emit("Reshape", [dy, back.graph.shape(x.shape)]));
  });
}

/** Axis i of the result is axis order[i] of x. */
export function transpose(tape: Tape, x: Value, order: readonly number[]): Value {
  const shape = order.map((axis) => x.shape[axis] as string | number);
  const y = tape.apply("Transpose", [x], shape, { attributes: { perm: order } });
  return tape.record(y, (dy, back) => {
    const inverse = order.map((_, axis) => order.indexOf(axis));
    back.add(x, back.graph.emit("Transpose", [dy], { perm: inverse }));
  });
}
