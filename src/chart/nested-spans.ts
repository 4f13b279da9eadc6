/**
 * The set of spans with the largest sum of weights in which no two cross. If few spans have a positive weight,
 * this is much faster than the best binary tree: O(n^2) times the number of such spans per last token.
 */

import type { Chart } from "./chart.js";
import type { SpanMatrix } from "./matrix.js";
import type { SpanList } from "./span-list.js";

/** The spans in pre-order, the whole sentence first. All others have a positive weight. */
export function nestedSpans(weights: SpanMatrix, size: number, chart: Chart): SpanList {
  if (size < 2) return new Int32Array(0);
  fillNested(weights, size, chart);
  return traceNested(weights, size, chart);
}

/**
 * Writes to `rows` the largest sum of weights within each stretch of tokens, the stretch itself included.
 * Either the last token is in no span within the stretch, or some span ends with it.
 */
function fillNested(weights: SpanMatrix, size: number, chart: Chart): void {
  chart.reserve(size * size);
  const { rows } = chart;
  const begins = new Int32Array(size);
  const sums = new Float64Array(size);
  for (let last = 0; last < size; last++) {
    let count = 0;
    for (let begin = last; begin >= 0; begin--) {
      const row = begin * size;
      let best = begin < last ? (rows[row + last - 1] as number) : 0;
      for (let at = 0; at < count; at++) {
        const sum = (rows[row + (begins[at] as number) - 1] as number) + (sums[at] as number);
        if (sum > best) best = sum;
      }
      const weight = begin < last ? (weights[row + last] as number) : 0;
      if (weight > 0) {
        best += weight;
        begins[count] = begin;
        sums[count++] = best;
      }
      rows[row + last] = best;
    }
  }
}

function traceNested(weights: SpanMatrix, size: number, { rows }: Chart): SpanList {
  const found = [[0, size]];
  const left: [begin: number, last: number][] = [[0, size - 1]];
  for (let stretch = left.pop(); stretch; stretch = left.pop()) {
    const [begin, last] = stretch;
    if (begin === last) continue;
    const row = begin * size;
    if ((weights[row + last] as number) > 0 && last - begin + 1 < size) {
      found.push([begin, last + 1]);
    }
    let best = rows[row + last - 1] as number;
    let split = last;
    for (let next = last - 1; next > begin; next--) {
      if (!((weights[next * size + last] as number) > 0)) continue;
      const sum = (rows[row + next - 1] as number) + (rows[next * size + last] as number);
      if (sum > best) [best, split] = [sum, next];
    }
    left.push([begin, split - 1], [split, last]);
  }
  const order = ([begin, end]: number[]) => (begin as number) * (size + 1) + size - (end as number);
  return Int32Array.from(found.sort((one, other) => order(one) - order(other)).flat());
}
