/** ONNX Runtime itself, with its own types: for what others would do with files that are written here. */

import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

export const { env, InferenceSession, Tensor } =
  require("../runtime/native/dist/index.js") as typeof import("onnxruntime-common");
