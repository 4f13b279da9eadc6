/** Starting values of parameters. */

import type { Random } from "../random.js";
import type { Parameter } from "./tape.js";

/**
 * Glorot and Bengio (2010): matrices uniform in ±√(6 / (in + out)), biases 0. Both dimensions of a
 * matrix count the same, so it does not matter which is `in`.
 */
export function fillInitial(
  values: Float32Array,
  { name, shape, initial }: Parameter,
  random: Random,
): void {
  if (initial === "zeros") values.fill(0);
  else if (initial === "ones") values.fill(1);
  else {
    const [rows, columns] = shape;
    if (shape.length !== 2 || rows === undefined || columns === undefined) {
      throw new Error(`"${name}" is no matrix, so it has no Glorot initialisation`);
    }
    const bound = Math.sqrt(6 / (rows + columns));
    for (let i = 0; i < values.length; i++) values[i] = (2 * random.unit() - 1) * bound;
  }
}
