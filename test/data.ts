/**
 * Where the real data is that some tests measure on. It is no part of the project: without it those
 * tests are skipped, and say so.
 */

import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe } from "vitest";

const ROOT =
  process.env.BRACKEN_DATA ?? fileURLToPath(new URL("../../shared/data", import.meta.url));

export function dataPath(name: string): string {
  return `${ROOT}/${name}`;
}

/** `describe` that needs a file or folder of the data. */
export function describeWithData(name: string, title: string, body: () => void): void {
  const missing = !existsSync(dataPath(name));
  if (missing) {
    console.warn(`SKIPPED: "${title}" needs ${name}; set BRACKEN_DATA to the folder that holds it`);
  }
  describe.skipIf(missing)(title, body);
}
