// Puts what Node needs of ONNX Runtime into runtime/ (see its README): the scripts, and for each platform
// the library and the binding. Everything else in Microsoft's packages is for GPUs, browsers or building.
//
// onnxruntime-node is fetched here, and is no dependency: npm would run its install script, which fails
// where nuget.org cannot be reached.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
const target = fileURLToPath(new URL("../runtime/", import.meta.url));

const NATIVE = {
  version: "1.30.0",
  integrity:
    "sha512-twhs1C2C/BFkz1yc5OY0KIU2GUq6DURO7hD4bx5Q2Qy3nAMJwRXW8xU3NVczE29VA9lolLOYepoD8fjTGOfIqw==",
};

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
  const scripts = fs.readdirSync(common).filter((name) => name.endsWith(".js"));
  replace("common", (folder) => copy(common, scripts, folder));
  const web = dirname(require.resolve("onnxruntime-web/wasm"));
  replace("wasm", (folder) => copy(web, ["ort.node.min.js"], folder));
  if (!hasNative()) replace("native", fetchNative);
}

/** It is large, and stays until another version is wanted. */
function hasNative() {
  const file = join(target, "native/dist/version.js");
  return fs.existsSync(file) && fs.readFileSync(file, "utf8").includes(`'${NATIVE.version}'`);
}

/** A folder of runtime/ that has its name when it is whole. */
function replace(name, fill) {
  const folder = join(target, name);
  const partial = fs.mkdtempSync(`${folder}-`);
  try {
    fill(partial);
    fs.rmSync(folder, { recursive: true, force: true });
    fs.renameSync(partial, folder);
  } finally {
    fs.rmSync(partial, { recursive: true, force: true });
  }
}

function copy(from, names, to) {
  for (const name of names) {
    const file = join(to, name);
    fs.cpSync(join(from, name), file);
    if (name.endsWith(".js")) useOwnCommon(file);
  }
}

/** A program's own copy may serve another runtime already, and takes no second one. */
function useOwnCommon(file) {
  const place = relative(target, file).split(/[\\/]/).length - 1;
  const common = `${"../".repeat(place)}common/index.js`;
  const script = fs.readFileSync(file, "utf8");
  const changed = script.replaceAll('require("onnxruntime-common")', `require("${common}")`);
  fs.writeFileSync(file, changed);
}

function fetchNative(folder) {
  const spec = `onnxruntime-node@${NATIVE.version}`;
  const download = fs.mkdtempSync(join(folder, "download-"));
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  run(npm, ["pack", spec, "--dry-run=false", "--pack-destination", download], download);
  const [archive] = fs.readdirSync(download);
  const hash = createHash("sha512").update(fs.readFileSync(join(download, archive)));
  if (`sha512-${hash.digest("base64")}` !== NATIVE.integrity) {
    throw new Error(`${spec} is not the file that it was`);
  }
  const names = NATIVE_FILES.map((name) => `package/${name}`);
  run("tar", ["-xzf", archive, ...names], download);
  copy(join(download, "package"), NATIVE_FILES, folder);
  fs.rmSync(download, { recursive: true });
}

function run(command, args, cwd) {
  const { status, stderr, error } = spawnSync(command, args, {
    cwd,
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}\n${error ?? stderr}`);
}
