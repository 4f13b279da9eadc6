/** The semirings whose values are single numbers. Each has its own loop over the splits of a span. */

import type { Semiring } from "./chart.js";

/** The score of the best tree, without back-pointers. */
export const MAX: Semiring = {
  width: 1,
  token(weight, values, target) {
    values[target] = weight;
  },
  span(weight, rows, left, columns, right, splits, target) {
    rows[target] = weight + bestSum(rows, left, columns, right, splits);
  },
};

function bestSum(
  rows: Float64Array,
  left: number,
  columns: Float64Array,
  right: number,
  splits: number,
): number {
  let best = Number.NEGATIVE_INFINITY;
  for (let split = 0; split < splits; split++) {
    const sum = (rows[left + split] as number) + (columns[right + split] as number);
    if (sum > best) best = sum;
  }
  return best;
}

/**
 * The logarithm of the sum of exp(score) over all trees. The largest term is factored out, so no term
 * overflows and the sum is at least 1.
 */
export const LOG: Semiring = {
  width: 1,
  token(weight, values, target) {
    values[target] = weight;
  },
  span(weight, rows, left, columns, right, splits, target) {
    const best = bestSum(rows, left, columns, right, splits);
    if (best === Number.NEGATIVE_INFINITY) {
      rows[target] = best;
      return;
    }
    let sum = 0;
    for (let split = 0; split < splits; split++) {
      const term = (rows[left + split] as number) + (columns[right + split] as number);
      sum += Math.exp(term - best);
    }
    rows[target] = weight + best + Math.log(sum);
  },
};

/** The number of trees without a forbidden span. */
export const COUNT: Semiring = {
  width: 1,
  token(weight, values, target) {
    values[target] = weight > Number.NEGATIVE_INFINITY ? 1 : 0;
  },
  span(weight, rows, left, columns, right, splits, target) {
    let sum = 0;
    if (weight > Number.NEGATIVE_INFINITY) {
      for (let split = 0; split < splits; split++) {
        sum += (rows[left + split] as number) * (columns[right + split] as number);
      }
    }
    rows[target] = sum;
  },
};
