/**
 * Weights of linear layers in 8 bits: each column a scale and whole numbers of -63 to 63. The full
 * range of -127 to 127 would be finer, but where a processor has no instruction made for 8-bit
 * products, pairs of them are added up in 16 bits and overflow.
 */

const LARGEST = 63;

/** The graph's names for the two parts of a weight. */
export function roundedNames(weight: string): { matrix: string; scales: string } {
  return { matrix: `${weight} in 8 bits`, scales: `${weight} scales` };
}

export interface RoundedMatrix {
  /** [in, out], transposed from the weight's [out, in]. */
  readonly matrix: Int8Array;
  /** One for each output. */
  readonly scales: Float32Array;
}

export function roundMatrix(weight: Float32Array, outputs: number): RoundedMatrix {
  const inputs = weight.length / outputs;
  const matrix = new Int8Array(weight.length);
  const scales = new Float32Array(outputs);
  for (let out = 0; out < outputs; out++) {
    const row = weight.subarray(out * inputs, (out + 1) * inputs);
    let largest = 0;
    for (const value of row) largest = Math.max(largest, Math.abs(value));
    const scale = largest > 0 ? largest / LARGEST : 1;
    scales[out] = scale;
    for (let at = 0; at < inputs; at++) {
      matrix[at * outputs + out] = Math.round((row[at] as number) / scale);
    }
  }
  return { matrix, scales };
}
