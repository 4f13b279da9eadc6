/**
 * How numbers are laid out over spans. A biaffine scorer crosses the words at both ends of a span,
 * so what it delivers is a matrix of n * n numbers whose entry [i * n + j] belongs to the tokens i
 * to j, both INCLUDED. Spans are half-open everywhere else; `spanIndex` is where the two meet.
 * Scores, costs, marginals and gradients all have this layout. Below the diagonal stand the phrase
 * log-odds (phrase-probability.ts) where a model has them; nothing else reads or writes there.
 */

export type SpanMatrix = Float32Array | Float64Array;

/** Where the number of the half-open span [begin, end) over `size` tokens stands. */
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
