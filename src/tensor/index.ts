/** Records and runs graphs on ONNX Runtime. Training is in train.ts. */

export { InferenceRunner } from "./inference.js";
export * from "./operators/index.js";
export { compileInference, type InferenceProgram } from "./program.js";
export { canSkipCopies, Session, type SessionOptions } from "./session.js";
export { type Dim, type Shape, times } from "./shape.js";
export {
  type Initial,
  type Parameter,
  Tape,
  type TapeOptions,
  type Value,
  widthOf,
} from "./tape.js";
export type { Feed, Result } from "./training.js";
