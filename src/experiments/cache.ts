/** Results that are kept as JSON with the key of what they were made from. */

import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

interface Kept<T> {
  readonly key: string;
  readonly value: T;
}

/** The value that was kept under the key; undefined where there is none, or that of another key. */
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
  await mkdir(dirname(file), { recursive: true });
  const kept: Kept<T> = { key, value };
  const partial = `${file}.${process.pid}.partial`;
  await writeFile(partial, `${JSON.stringify(kept, null, 2)}\n`);
  await rename(partial, file);
  return value;
}
