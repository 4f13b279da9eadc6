/** Small JSON files in which a run keeps its state, written with `writeWhole`. */

import { readFile } from "node:fs/promises";

/** What was saved; undefined if nothing was. */
export async function readSaved<T>(file: string): Promise<T | undefined> {
  const text = await readFile(file, "utf8").catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as T);
}
