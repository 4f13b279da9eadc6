/** The sign test, for pairs of which only the direction counts: what one system has right and the other wrong. */

/**
 * The probability of a split at least as uneven as this one if both directions were equally likely (two-sided).
 *
 * @example
 * ```ts
 * import { signTest } from "bracken/evaluation";
 *
 * console.log(signTest(9, 1)); // 0.021
 * ```
 */
export function signTest(one: number, other: number): number {
  const pairs = one + other;
  const fewer = Math.min(one, other);
  // The binomial coefficients in logarithms: their product would overflow.
  let log = -pairs * Math.LN2;
  let sum = 0;
  for (let k = 0; k <= fewer; k++) {
    sum += Math.exp(log);
    log += Math.log((pairs - k) / (k + 1));
  }
  return Math.min(1, 2 * sum);
}
