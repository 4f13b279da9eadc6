/** Every operator of the tape. */

export { gelu, leakyRelu, tanh } from "./activation.js";
export { add, dropout, mix, scale } from "./arithmetic.js";
export { type AttentionInputs, attention, type Packing } from "./attention.js";
export { biaffine } from "./biaffine.js";
export { reshape, transpose } from "./layout.js";
export { batchedMatMul, linear, type MatMulOptions, project } from "./linear.js";
export { hidingMask, layerNorm, softmax } from "./normalise.js";
export { appendOne, embed, gatherRows } from "./rows.js";
