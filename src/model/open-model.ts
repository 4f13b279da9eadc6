/** Opens a model by its name: bundled, or a folder. */

import { findModel } from "./find-model.js";
import { ModelFolder } from "./folder.js";

/** Finds the model and checks its files. */
export async function openModel(name: string): Promise<ModelFolder> {
  return ModelFolder.open(await findModel(name));
}
