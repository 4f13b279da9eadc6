// Copies what Node needs of ONNX Runtime into runtime/ (see its README): the scripts, and for each
// platform the library and the binding. Everything else in those packages is for GPUs, for browsers or
// for building.

import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
const target = fileURLToPath(new URL("../runtime/", import.meta.url));

/** The library is loaded by the name that the binding asks for. */
const PLATFORMS = {
  "linux/x64": "libonnxruntime.so.1",
  "linux/arm64": "libonnxruntime.so.1",
  "darwin/arm64": "libonnxruntime.1.dylib",
  "win32/x64": "onnxruntime.dll",
  "win32/arm64": "onnxruntime.dll",
};
const SCRIPTS = ["index.js", "backend.js", "binding.js", "version.js"];

const NATIVE_FILES = [
  ...SCRIPTS.map((name) => `dist/${name}`),
  ...Object.entries(PLATFORMS).flatMap(([platform, library]) =>
    [library, "onnxruntime_binding.node"].map((name) => `bin/napi-v6/${platform}/${name}`),
  ),
];

export function buildRuntime() {
  const common = dirname(require.resolve("onnxruntime-common"));
  const scripts = readdirSync(common).filter((name) => name.endsWith(".js"));
  copy(common, scripts, join(target, "common"));
  const native = dirname(dirname(require.resolve("onnxruntime-node")));
  copy(native, NATIVE_FILES, join(target, "native"));
  const web = dirname(require.resolve("onnxruntime-web/wasm"));
  copy(web, ["ort.node.min.js"], join(target, "wasm"));
}

function copy(from, names, to) {
  rmSync(to, { recursive: true, force: true });
  for (const name of names) {
    const file = join(to, name);
    cpSync(join(from, name), file);
    if (name.endsWith(".js")) useOwnCommon(file);
  }
}

/** A program's own copy may serve another runtime already, and takes no second one. */
function useOwnCommon(file) {
  const common = relative(dirname(file), join(target, "common/index.js")).replaceAll("\\", "/");
  const script = readFileSync(file, "utf8");
  writeFileSync(file, script.replaceAll('require("onnxruntime-common")', `require("${common}")`));
}
