/**
 * The recursion over binary trees, written once. The value of a span is the sum over its splits of
 * the values of both parts, times the span's own weight. The semiring defines "sum" and "times": for the
 * best tree, the probability of all trees, their number, or the k best.
 *
 * The chart is kept twice, by rows and transposed. The left parts of a span are adjacent in a row, the right
 * parts in a column, so a semiring's loop over the splits runs through contiguous memory in both. A semiring
 * is called once per span, not once per split: that is O(n^2) calls for O(n^3) work, so no specialised copy
 * is needed.
 *
 * A chart is also the workspace: it grows to the longest sentence and is reused, so that a batch is decoded
 * without allocation. Each call overwrites its contents.
 */

import { checkMatrix, type SpanMatrix, spanIndex } from "./matrix.js";

/** What the recursion computes: how values are added over splits and multiplied over parts. */
export interface Semiring {
  /** How many numbers the value of a span has. */
  readonly width: number;
  /** Writes the value of a span of one token. */
  token(weight: number, values: Float64Array, target: number): void;
  /**
   * Writes the value of a longer span at `rows[target]`. The values of its left parts begin at
   * `rows[left]`, those of its right parts at `columns[right]`, in the order of the splits.
   */
  span(
    weight: number,
    rows: Float64Array,
    left: number,
    columns: Float64Array,
    right: number,
    splits: number,
    target: number,
  ): void;
}

/** The values of all spans of a sentence, and the working memory of the functions that fill them. */
export class Chart {
  /** Values by [begin][last token], `width` numbers each. */
  rows = new Float64Array(0);
  /** The same values by [last token][begin]. */
  columns = new Float64Array(0);
  /** The weights of the spans, in the layout of the scores. */
  weights = new Float64Array(0);
  /** Outside values: what a span received as a left part, by rows. */
  asLeft = new Float64Array(0);
  /** Outside values: what it received as a right part, by columns. */
  asRight = new Float64Array(0);
  /** The number of tokens. */
  size = 0;

  /**
   * Sets the weights to (scores + costFactor * costs) / temperature. A weight of -Infinity forbids a span.
   *
   * @throws RangeError for NaN and +Infinity, which would spread through every tree.
   */
  load(
    scores: SpanMatrix,
    size: number,
    { costs, costFactor = 1, temperature = 1 }: WeightOptions = {},
  ): void {
    checkMatrix(scores, size, "scores");
    if (costs) checkMatrix(costs, size, "costs");
    if (!(temperature > 0)) throw new RangeError(`temperature ${temperature} is not positive`);
    this.size = size;
    this.reserveWeights(size * size);
    for (let begin = 0; begin < size; begin++) {
      for (let end = begin + 1; end <= size; end++) {
        const at = spanIndex(size, begin, end);
        const raised = costs ? costFactor * (costs[at] as number) : 0;
        const weight = ((scores[at] as number) + raised) / temperature;
        if (!(weight < Number.POSITIVE_INFINITY)) {
          throw new RangeError(`span [${begin}, ${end}) weighs ${weight}`);
        }
        this.weights[at] = weight;
      }
    }
  }

  /** Makes room for this many numbers by rows and by columns. */
  reserve(numbers: number): void {
    if (this.rows.length >= numbers) return;
    this.rows = grown(this.rows, numbers);
    this.columns = new Float64Array(this.rows.length);
  }

  /** Makes room for the weights of this many spans. */
  reserveWeights(spans: number): void {
    if (this.weights.length < spans) this.weights = grown(this.weights, spans);
  }

  /** Computes the values of all spans from the weights. */
  fill(semiring: Semiring): void {
    const { size, weights } = this;
    const { width } = semiring;
    this.reserve(size * size * width);
    const { rows, columns } = this;
    for (let last = 0; last < size; last++) {
      const column = last * size;
      semiring.token(weights[column + last] as number, rows, (column + last) * width);
      transpose(rows, (column + last) * width, columns, (column + last) * width, width);
      for (let begin = last - 1; begin >= 0; begin--) {
        const row = begin * size;
        semiring.span(
          weights[row + last] as number,
          rows,
          (row + begin) * width,
          columns,
          (column + begin + 1) * width,
          last - begin,
          (row + last) * width,
        );
        transpose(rows, (row + last) * width, columns, (column + begin) * width, width);
      }
    }
  }

  /** Sets the outside values to 0. */
  clearShares(): void {
    const cells = this.size * this.size;
    if (this.asLeft.length < cells) {
      this.asLeft = grown(this.asLeft, cells);
      this.asRight = new Float64Array(this.asLeft.length);
    } else {
      this.asLeft.fill(0, 0, cells);
      this.asRight.fill(0, 0, cells);
    }
  }
}

/** How weights are made from scores: (scores + costFactor * costs) / temperature. */
export interface WeightOptions {
  /** Costs in the layout of the scores; none by default. */
  readonly costs?: SpanMatrix;
  /** The factor of the costs; 1 by default. */
  readonly costFactor?: number;
  /** The temperature, above 0; 1 by default. */
  readonly temperature?: number;
  /** Always sum logarithms, which is slower. Training does, so that its runs repeat to the last bit. */
  readonly inLogs?: boolean;
}

function transpose(
  rows: Float64Array,
  from: number,
  columns: Float64Array,
  to: number,
  width: number,
): void {
  for (let part = 0; part < width; part++) columns[to + part] = rows[from + part] as number;
}

/** Room for `needed` numbers, and for more, so that ever longer sentences do not each allocate. */
function grown(old: Float64Array, needed: number): Float64Array<ArrayBuffer> {
  return new Float64Array(Math.max(needed, 2 * old.length));
}
