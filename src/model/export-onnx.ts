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
  const sizes = new Map(
    tape.parameters.map(({ name, shape }) => [name, shape.reduce((all, dim) => all * dim, 1)]),
  );
  const bytes = 4 * [...sizes.values()].reduce((sum, size) => sum + size, 0);
  if (bytes > LONGEST) {
    throw new InputError("the model is too large for an ONNX file of one piece, which holds 2 GB", {
      file: folder.folder,
    });
  }
  const weights = new Map([...sizes].map(([name, size]) => [name, new Float32Array(size)]));
  const weightOf = (name: string) => weights.get(name) as Float32Array;
  await folder.readWeights(tape.parameters, weightOf);
  return compileInference(tape, weightOf).graph.model;
}
