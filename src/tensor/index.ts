/** Graphs with gradients on ONNX Runtime, and the memory and optimiser that train them. */

export { ExportTape } from "./export.js";
export { InferenceRunner } from "./inference.js";
export { fillMask } from "./masks.js";
export * from "./operators/index.js";
export {
  compileInference,
  compileTraining,
  type InferenceProgram,
  type TrainingProgram,
} from "./program.js";
export { canSkipCopies, Session, type SessionOptions } from "./session.js";
export { type Dim, type Shape, times } from "./shape.js";
export { type AdamOptions, clipScale, ParameterStore, type StoreOptions } from "./store.js";
export {
  type Initial,
  type Parameter,
  Tape,
  type TapeOptions,
  type Value,
  widthOf,
} from "./tape.js";
export { type Feed, type Result, TrainingSession } from "./training.js";
