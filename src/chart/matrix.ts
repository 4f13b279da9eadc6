/**
 * The layout of numbers over spans. A biaffine scorer combines the words at both ends of a span, so it gives a
 * matrix of n * n numbers, whose entry [i * n + j] belongs to the tokens i to j, both INCLUDED. Everywhere else
 * spans are half-open; `spanIndex` converts them. Scores, costs, marginals and gradients all have this layout.
 * In models that have them, the phrase log-odds (phrase-probability.ts) are below the diagonal; nothing else
 * reads or writes there.
 */

/** One number per span of a sentence: n * n numbers, addressed by `spanIndex`. */
export type SpanMatrix = Float32Array | Float64Array;

/** The index of the half-open span [begin, end) in a matrix over `size` tokens. */
export function spanIndex(size: number, begin: number, end: number): number {
  return begin * size + end - 1;
}

export function checkSize(size: number): void {
  if (!Number.isInteger(size) || size < 0) {
    throw new RangeError(`a sentence cannot have ${size} tokens`);
  }
}

export function checkMatrix(matrix: SpanMatrix, size: number, name: string): void {
  checkSize(size);
  if (matrix.length !== size * size) {
    throw new RangeError(
      `${name} of ${size} tokens need ${size * size} entries, not ${matrix.length}`,
    );
  }
}
