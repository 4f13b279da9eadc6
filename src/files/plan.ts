/** The plan of a run in its folder: what it is made of. Only a run with the same plan goes on there. */

import { readFile } from "node:fs/promises";
import { InputError } from "../errors.js";
import { writeWhole } from "./output.js";

/**
 * Writes the plan, or finds the same.
 *
 * @param what what errors call the run.
 * @param option the option that names the folder.
 * @throws InputError if the folder has another plan.
 */
export async function claimPlan(
  file: string,
  plan: object,
  what: string,
  option = "--out",
): Promise<void> {
  const text = `${JSON.stringify(plan, null, 2)}\n`;
  const found = await readFile(file, "utf8").catch(() => undefined);
  if (found === text) return;
  if (found === undefined) return writeWhole(file, text);
  throw new InputError(
    `another ${what} is in this folder, with other inputs, another model or other options`,
    { file },
    `use the same to continue it, or choose another ${option}`,
  );
}
