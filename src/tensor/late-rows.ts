/**
 * The steps of Adam on a parameter that gets its gradient by rows, such as word embeddings. A row without
 * a gradient still moves by its moments, but nobody sees it before the row is read. So these steps are made
 * up for when the row is needed, all at once and while it is in the cache. The bits are the same.
 */

import { type AdamArrays, type AdamStep, type Kernels, runAdam } from "./kernels.js";

/** What a row is that never had a gradient: its moments are zero, and no step changes it. */
const NEVER = -1;

/** After so many steps it is looked whether a row still changes. */
const PATIENCE = 16;

/** So many steps are remembered at most. */
const LONGEST = 1024;

export class LateRows {
  readonly #kernels: Kernels;
  readonly #addresses: AdamArrays;
  readonly #values: Float32Array;
  readonly #width: number;
  /** How many of the remembered steps each row has made. */
  readonly #done: Int32Array;
  /** The rows that have a gradient now. */
  readonly #touched = new Set<number>();
  /** As they are for rows without a gradient. */
  #steps: AdamStep[] = [];
  /** From this step on, a row without a gradient changes less with each step. */
  #steadyFrom = 0;
  readonly #before: Float32Array;

  /** Rows with `moments` go on, all others never had a gradient. */
  constructor(
    kernels: Kernels,
    addresses: AdamArrays,
    values: Float32Array,
    moments: Float32Array,
    rows: number,
  ) {
    this.#kernels = kernels;
    this.#addresses = addresses;
    this.#values = values;
    this.#width = values.length / rows;
    this.#before = new Float32Array(this.#width);
    this.#done = Int32Array.from({ length: rows }, (_, row) => {
      const own = moments.subarray(row * this.#width, (row + 1) * this.#width);
      return own.some((moment) => moment !== 0) ? 0 : NEVER;
    });
  }

  /** The rows' gradients are being filled. */
  touch(rows: Iterable<number>): void {
    for (const row of rows) {
      this.#catchUp(row);
      this.#done[row] = this.#steps.length;
      this.#touched.add(row);
    }
  }

  /** All gradients are zero again. */
  clear(): void {
    this.#touched.clear();
  }

  /** Of the gradient. */
  squaredNorm(): number {
    const bytes = this.#width * 4;
    let sum = 0;
    for (const row of this.#touched) {
      const from = this.#addresses.gradient + row * bytes;
      sum += this.#kernels.squaredNorm(from, from + bytes);
    }
    return sum;
  }

  step(step: AdamStep): void {
    if (this.#steps.length === LONGEST) this.settle();
    const last = this.#steps.at(-1);
    if (!last || !isSteady(last, step)) this.#steadyFrom = this.#steps.length;
    this.#steps.push({ ...step, gradientScale: 0 });
    for (const row of this.#touched) {
      this.#run(row, step);
      this.#done[row] = this.#steps.length;
    }
  }

  /** Makes up for the steps of these rows. */
  catchUp(rows: Iterable<number>): void {
    for (const row of rows) this.#catchUp(row);
  }

  /** Makes up for the steps of all rows. */
  settle(): void {
    const last = this.#steps.at(-1);
    if (!last) return;
    for (let row = 0; row < this.#done.length; row++) {
      this.#catchUp(row);
      if (this.#done[row] !== NEVER) this.#done[row] = 1;
    }
    this.#steps = [last];
    this.#steadyFrom = 0;
  }

  #catchUp(row: number): void {
    const done = this.#done[row] as number;
    const end = this.#steps.length;
    if (done === NEVER || done === end) return;
    this.#done[row] = end;
    const values = this.#values.subarray(row * this.#width, (row + 1) * this.#width);
    for (let at = done; at < end; at++) {
      const step = this.#steps[at] as AdamStep;
      const isWatched = at >= this.#steadyFrom && (at - done) % PATIENCE === 0;
      if (isWatched) this.#before.set(values);
      this.#run(row, step);
      if (!isWatched || values.some((value, i) => value !== this.#before[i])) continue;
      this.#decay(row, step, end - at - 1);
      return;
    }
  }

  #run(row: number, step: AdamStep): void {
    const { value, gradient, first, second } = this.#addresses;
    const bytes = this.#width * 4;
    const from = row * bytes;
    const arrays = {
      value: value + from,
      gradient: gradient + from,
      first: first + from,
      second: second + from,
    };
    runAdam(this.#kernels, arrays, bytes, step);
  }

  /** The rest of the steps, too small to change a value: only the moments go on. */
  #decay(row: number, { beta1, beta2 }: AdamStep, count: number): void {
    if (count === 0) return;
    const bytes = this.#width * 4;
    const first = this.#addresses.first + row * bytes;
    const second = this.#addresses.second + row * bytes;
    this.#kernels.decay(first, second, first + bytes, beta1, beta2, count);
  }
}

/**
 * Whether every row without a gradient changes less by a step than by the one before. Its first moment
 * shrinks by β₁, but the rate may grow, and the deviation that the change is divided by shrinks.
 */
function isSteady(last: AdamStep, step: AdamStep): boolean {
  const { beta1, beta2, epsilon } = step;
  const isSame = last.beta1 === beta1 && last.beta2 === beta2 && last.epsilon === epsilon;
  const deviation = (Math.sqrt(beta2) * step.correction) / last.correction;
  return isSame && (beta1 * step.rate) / last.rate < 0.999 * deviation;
}
