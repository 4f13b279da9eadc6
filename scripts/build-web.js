// Builds the page into dist/web: static files with relative addresses, which any server can serve. The
// parsing worker is built twice, with the smaller ONNX Runtime and with the one that knows GPUs; the
// page takes the one that fits the model and the browser.

import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { build, defaultClientConditions } from "vite";
import { listModels, modelsIn } from "./list-models.js";

const root = fileURLToPath(new URL("../", import.meta.url));
const web = `${root}web`;
const out = `${root}dist/web`;

/** ONNX Runtime's own files are loaded by address, and not part of a bundle. */
const CONDITIONS = [...defaultClientConditions, "onnxruntime-web-use-extern-wasm"];

const shared = {
  configFile: false,
  root: web,
  base: "./",
  logLevel: "warn",
  publicDir: false,
};

const options = {
  outDir: out,
  emptyOutDir: false,
  target: "es2022",
  modulePreload: false,
  // The tables by which languages are told apart are one file, fetched when there is text.
  chunkSizeWarningLimit: 1000,
};

/** One script that stands alone, under a name that the page knows. */
function buildWorker(entry, name, { conditions = [], define = {} } = {}) {
  return build({
    ...shared,
    define,
    resolve: { conditions: [...CONDITIONS, ...conditions] },
    build: {
      ...options,
      rolldownOptions: {
        input: `${web}/${entry}`,
        output: { format: "es", entryFileNames: name, codeSplitting: false },
      },
    },
  });
}

/** What the service answers at the same address, for servers that have nothing but files. */
function writeModelList() {
  mkdirSync(`${out}/v1`, { recursive: true });
  writeFileSync(`${out}/v1/models`, `${listModels(modelsIn(`${root}models`))}\n`);
}

function copyRuntime() {
  const runtime = dirname(fileURLToPath(import.meta.resolve("onnxruntime-web/wasm")));
  for (const name of ["ort-wasm-simd-threaded", "ort-wasm-simd-threaded.asyncify"]) {
    for (const ending of ["mjs", "wasm"]) {
      cpSync(`${runtime}/${name}.${ending}`, `${out}/runtime/${name}.${ending}`);
    }
  }
}

export async function buildWeb() {
  // With the conditions, or a copy of the runtime that nothing loads would be put among the assets.
  const resolve = { conditions: CONDITIONS };
  await build({ ...shared, resolve, build: { ...options, emptyOutDir: true } });
  await buildWorker("engine/worker.ts", "parser.js", { define: { GPU: "false" } });
  await buildWorker("engine/worker.ts", "parser-gpu.js", {
    define: { GPU: "true" },
    conditions: ["bracken-webgpu"],
  });
  await buildWorker("data/worker.ts", "data.js");
  copyRuntime();
  cpSync(`${web}/samples`, `${out}/samples`, { recursive: true });
  writeModelList();
}
