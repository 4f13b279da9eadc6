/**
 * Inside–outside on probabilities instead of logarithms: one product and one sum per split, where logarithms
 * need an exponential. To keep values within the range of numbers, each token has a power of two: a span is
 * scaled by the powers of its tokens. The scales of two adjacent spans multiply to the scale of the whole, so
 * the recursion can ignore them. Weights of single tokens are left out in the same way. If the scores are so
 * far apart that this does not suffice, the caller uses logarithms.
 */

import type { Chart } from "./chart.js";

/** If a value leaves this range, the caller uses logarithms. Products of two values cannot overflow. */
const LEAST = 1e-130;
const LARGEST = 1e130;

/** A column is rescaled if the middle of its values is further from 1 than this power of two. */
const OFF_CENTRE = 32;

/** A span with a smaller marginal passes nothing down: it would not be visible in any marginal. */
const NEGLIGIBLE = 1e-30;

/**
 * Computes the inside values of all spans from the weights.
 *
 * @returns the logarithm of their sum over all trees, or undefined if the scores are too far apart.
 */
export function fillScaled(chart: Chart): number | undefined {
  const { size, weights } = chart;
  chart.reserve(size * size);
  const { rows, columns } = chart;
  let tokens = 0;
  let exponent = 0;
  let first = 0;
  for (let last = 0; last < size; last++) {
    tokens += weights[last * size + last] as number;
    const middle = fillColumn(chart, last, 2 ** first);
    if (middle === undefined) return undefined;
    const shift = Math.abs(middle) > OFF_CENTRE ? -middle : 0;
    if (shift !== 0) {
      const scale = 2 ** shift;
      for (let begin = 0; begin <= last; begin++) {
        const value = (columns[last * size + begin] as number) * scale;
        columns[last * size + begin] = value;
        rows[begin * size + last] = value;
      }
    }
    first += shift;
    exponent += first;
  }
  return tokens + Math.log(rows[size - 1] as number) - exponent * Math.LN2;
}

/** Fills the spans that end with a token. Returns the binary logarithm of the middle of their values. */
function fillColumn(
  { size, weights, rows, columns }: Chart,
  last: number,
  token: number,
): number | undefined {
  const column = last * size;
  rows[column + last] = token;
  columns[column + last] = token;
  let [low, high] = [token, token];
  for (let begin = last - 1; begin >= 0; begin--) {
    const weight = weights[begin * size + last] as number;
    const factor = Math.exp(weight);
    const sum = sumOfProducts(
      rows,
      begin * size + begin,
      columns,
      column + begin + 1,
      last - begin,
    );
    const value = factor * sum;
    rows[begin * size + last] = value;
    columns[column + begin] = value;
    if (value === 0 && (sum === 0 || weight === Number.NEGATIVE_INFINITY)) continue;
    if (!(value > LEAST && value < LARGEST)) return undefined;
    if (value < low) low = value;
    else if (value > high) high = value;
  }
  return Math.round((Math.log2(low) + Math.log2(high)) / 2);
}

/** Keeps two sums, so that an addition need not wait for the one before it. */
function sumOfProducts(
  rows: Float64Array,
  left: number,
  columns: Float64Array,
  right: number,
  splits: number,
): number {
  let [even, odd] = [0, 0];
  let split = 0;
  for (; split + 1 < splits; split += 2) {
    even += (rows[left + split] as number) * (columns[right + split] as number);
    odd += (rows[left + split + 1] as number) * (columns[right + split + 1] as number);
  }
  if (split < splits) even += (rows[left + split] as number) * (columns[right + split] as number);
  return even + odd;
}

/** Leaves the marginals in `asLeft`. Visits the spans in the opposite order of `fillScaled`. */
export function passDownScaled(chart: Chart): void {
  const { size, rows, columns, weights } = chart;
  chart.clearShares();
  const { asLeft, asRight } = chart;
  if (size > 0) asLeft[size - 1] = 1 / (rows[size - 1] as number);
  for (let last = size - 1; last >= 0; last--) {
    const column = last * size;
    for (let begin = 0; begin < last; begin++) {
      const cell = begin * size + last;
      const outside = (asLeft[cell] as number) + (asRight[column + begin] as number);
      const inside = rows[cell] as number;
      // The outside value of a forbidden span may overflow.
      const marginal = inside === 0 ? 0 : outside * inside;
      asLeft[cell] = marginal;
      asRight[column + begin] = 0;
      if (marginal < NEGLIGIBLE) continue;
      const factor = outside * Math.exp(weights[cell] as number);
      const left = begin * size + begin;
      const right = column + begin + 1;
      for (let split = 0; split < last - begin; split++) {
        asLeft[left + split] =
          (asLeft[left + split] as number) + factor * (columns[right + split] as number);
        asRight[right + split] =
          (asRight[right + split] as number) + factor * (rows[left + split] as number);
      }
    }
    asLeft[column + last] = 1;
    asRight[column + last] = 0;
  }
}
