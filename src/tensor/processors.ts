/**
 * The number of processors, under Node and in a browser. If it is not known, it is 0, which leaves the
 * choice to ONNX Runtime.
 */

export function processors(): number {
  // Node 20 has no navigator, and an import of its module would stop browsers.
  const { navigator, process } = globalThis as {
    navigator?: { readonly hardwareConcurrency?: number };
    process?: { getBuiltinModule?(name: "node:os"): { availableParallelism(): number } };
  };
  const os = process?.getBuiltinModule?.("node:os");
  return os?.availableParallelism() ?? navigator?.hardwareConcurrency ?? 0;
}
