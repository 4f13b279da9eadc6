/** Numbers in 32 bits, or the encoder's weights in 8: faster, and a little less exact. */
export type Precision = "fp32" | "int8";

export const PRECISIONS: readonly Precision[] = ["fp32", "int8"];
