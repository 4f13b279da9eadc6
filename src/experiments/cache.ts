/** Results as JSON files, each with the key of what it was made from. */

import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { makeFolder } from "../files/folder.js";
import { writeWhole } from "../files/output.js";

interface Kept<T> {
  readonly key: string;
  readonly value: T;
}

/** The value that was kept under the key; undefined if there is none, or one of another key. */
export async function readCache<T>(file: string, key: string): Promise<T | undefined> {
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    const kept = JSON.parse(text) as Kept<T>;
    return kept.key === key ? kept.value : undefined;
  } catch {
    // Whatever it was, it can be made again.
    return undefined;
  }
}

export async function writeCache<T>(file: string, key: string, value: T): Promise<T> {
  await makeFolder(dirname(file));
  const kept: Kept<T> = { key, value };
  await writeWhole(file, `${JSON.stringify(kept, null, 2)}\n`);
  return value;
}
