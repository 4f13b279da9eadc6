/**
 * ONNX Runtime under Node, from the package itself: installing it needs no script, no second download
 * and no network but npm's. The native build is used if there is one for the machine; elsewhere
 * (Alpine, Intel Macs, FreeBSD) the WebAssembly build of the page does the same work more slowly.
 *
 * BRACKEN_RUNTIME overrides the choice: `native`, `wasm`, or `onnxruntime-node`, a copy of your own,
 * such as one with CUDA. Loading is synchronous, so that CommonJS can `require` the library.
 */

import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { InputError } from "../errors.js";

type Runtime = typeof import("./onnxruntime.js");

const require = createRequire(import.meta.url);
/** The package's root, from src/tensor as from dist/tensor. */
const root = new URL("../../", import.meta.url);

const LOADERS: Readonly<Record<string, () => Runtime>> = {
  native: loadNative,
  wasm: loadWasm,
  "onnxruntime-node": () => require("onnxruntime-node") as Runtime,
};

function requireFile(path: string): Runtime {
  return require(fileURLToPath(new URL(path, root))) as Runtime;
}

function loadNative(): Runtime {
  return requireFile("runtime/native/dist/index.js");
}

/** The script is for Node; the binary is the one that the page uses. */
function loadWasm(): Runtime {
  const runtime = requireFile("runtime/wasm/ort.node.min.js");
  runtime.env.wasm.wasmPaths = new URL("dist/web/runtime/", root).href;
  return runtime;
}

function load(wanted = process.env.BRACKEN_RUNTIME): Runtime {
  if (!wanted) return loadNativeOrWasm();
  const loader = LOADERS[wanted];
  if (!loader) {
    const choices = Object.keys(LOADERS).join(", ");
    throw new InputError(
      `there is no runtime "${wanted}"`,
      {},
      `set BRACKEN_RUNTIME to ${choices}`,
    );
  }
  try {
    return loader();
  } catch (error) {
    const remedy = "unset BRACKEN_RUNTIME to take whatever runs here";
    throw new InputError(`the runtime "${wanted}" does not load: ${firstLine(error)}`, {}, remedy);
  }
}

function loadNativeOrWasm(): Runtime {
  try {
    return loadNative();
  } catch (error) {
    const runtime = loadWasm();
    const platform = `${process.platform}-${process.arch}`;
    process.emitWarning(
      `the native ONNX Runtime does not load on ${platform} (${firstLine(error)}); ` +
        "WebAssembly is used, which is slower. BRACKEN_RUNTIME=wasm hides this warning.",
      { type: "BrackenWarning", code: "BRACKEN_WASM" },
    );
    return runtime;
  }
}

function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split("\n", 1)[0] as string;
}

export const { InferenceSession, Tensor, env } = load();
