/** Graphs with gradients: the sessions, parameters and optimiser that train them. */

export { fillMask } from "./masks.js";
export { compileTraining, type TrainingProgram } from "./program.js";
export { canSkipCopies } from "./session.js";
export { type AdamOptions, clipScale, ParameterStore, type StoreOptions } from "./store.js";
export { TrainingSession } from "./training.js";
