/** Builds dist/ before the tests if a source is newer: commands, workers and pages run what is built. */

import { spawnSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** When the newest file below a folder was changed. */
function timeOf(folder: string): number {
  const entries = readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Math.max(...files.map(({ parentPath, name }) => statSync(join(parentPath, name)).mtimeMs));
}

export default function buildIfStale(): void {
  const built = statSync(join(ROOT, "dist/cli/main.js"), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (["src", "web", "scripts"].every((folder) => timeOf(folder) < built)) return;
  const { status } = spawnSync(process.execPath, ["scripts/build.js"], {
    cwd: ROOT,
    stdio: "inherit",
  });
  if (status !== 0) throw new Error("the project cannot be built, so its tests cannot run");
}
