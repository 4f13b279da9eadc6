/** A folder of its own for a test file, removed when the tests are done. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "bracken-test-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
