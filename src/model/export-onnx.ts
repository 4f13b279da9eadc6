/** Writes a model as one ONNX file for other programs; docs/parsing.md describes its inputs and outputs. */

import { InputError } from "../errors.js";
import { compileInference } from "../tensor/index.js";
import type { ModelFolder } from "./folder.js";
import { recordModel } from "./graph.js";

/** ONNX files are protocol buffers, which cannot be larger. */
const LONGEST = 2 ** 31 - 1;

/**
 * Turns a model into one ONNX file for programs without bracken.
 *
 * @returns the bytes of the file.
 * @throws InputError if the model is too large for one file.
 * @example
 * ```ts no-run
 * import { writeFile } from "node:fs/promises";
 * import { exportModel, findModel, ModelFolder } from "bracken";
 *
 * const model = await ModelFolder.open(await findModel("default"));
 * await writeFile("bracken-en.onnx", await exportModel(model));
 * ```
 */
export async function exportModel(folder: ModelFolder): Promise<Uint8Array> {
  // Few need it, so it is loaded on demand.
  const { ExportTape } = await import("../tensor/export.js");
  const tape = new ExportTape("bracken");
  recordModel(tape, folder.config);
  const sizes = new Map(
    tape.parameters.map(({ name, shape }) => [name, shape.reduce((all, dim) => all * dim, 1)]),
  );
  const bytes = 4 * [...sizes.values()].reduce((sum, size) => sum + size, 0);
  if (bytes > LONGEST) {
    throw new InputError("the model is too large for one ONNX file, which can have 2 GB", {
      file: folder.folder,
    });
  }
  const weights = new Map([...sizes].map(([name, size]) => [name, new Float32Array(size)]));
  const weightOf = (name: string) => weights.get(name) as Float32Array;
  await folder.readWeights(tape.parameters, weightOf);
  return compileInference(tape, weightOf).graph.model;
}
