/** A model as one ONNX file that runs wherever ONNX does: see docs/parsing.md for what it takes. */

import { InputError } from "../errors.js";
import { ExportTape } from "../tensor/export.js";
import { compileInference } from "../tensor/index.js";
import type { ModelFolder } from "./folder.js";
import { recordModel } from "./graph.js";

/** Protocol buffers, which ONNX files are, have no longer ones. */
const LONGEST = 2 ** 31 - 1;

/**
 * A model as one ONNX file, for programs without bracken.
 * @throws InputError if it is too large for one file.
 */
export async function exportModel(folder: ModelFolder): Promise<Uint8Array> {
  const tape = new ExportTape("bracken");
  recordModel(tape, folder.config);
  const weights = new Map<string, Float32Array>();
  let bytes = 0;
  for (const { name, shape } of tape.parameters) {
    const values = new Float32Array(shape.reduce((product, dim) => product * dim, 1));
    weights.set(name, values);
    bytes += values.byteLength;
  }
  if (bytes > LONGEST) {
    throw new InputError("the model is too large for an ONNX file of one piece, which holds 2 GB", {
      file: folder.folder,
    });
  }
  const weightOf = (name: string) => weights.get(name) as Float32Array;
  await folder.readWeights(tape.parameters, weightOf);
  return compileInference(tape, weightOf).graph.model;
}
