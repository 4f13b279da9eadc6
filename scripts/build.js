// Builds dist/ anew, so that a renamed source file leaves no stale module behind to be packed, and makes
// the command executable: npx in a clone runs the file itself. The page goes into dist/web, ONNX Runtime
// for Node into runtime/.

import { spawnSync } from "node:child_process";
import { chmodSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { buildRuntime } from "./build-runtime.js";
import { buildWeb } from "./build-web.js";

const root = fileURLToPath(new URL("..", import.meta.url));
rmSync(`${root}dist`, { recursive: true, force: true });
const tsc = fileURLToPath(new URL("../bin/tsc", import.meta.resolve("typescript")));
const { status } = spawnSync(process.execPath, [tsc, "-p", "tsconfig.build.json"], {
  cwd: root,
  stdio: "inherit",
});
if (status === 0) {
  chmodSync(`${root}dist/cli/main.js`, 0o755);
  await buildWeb();
  buildRuntime();
}
process.exitCode = status ?? 1;
