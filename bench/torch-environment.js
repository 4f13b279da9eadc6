// The environment that makes PyTorch as fast as it can be here. OpenBLAS chooses its kernels by the
// processor's model, and for one that is newer than itself it falls back to kernels of twenty years ago,
// several times slower than the processor's instructions allow: so it is told which to take.

import { readFileSync } from "node:fs";

export function torchEnvironment(threads) {
  return { OPENBLAS_CORETYPE: coreType(), ...process.env, OMP_NUM_THREADS: `${threads}` };
}

function coreType() {
  let flags = "";
  try {
    flags = /^flags\s*:(.*)$/m.exec(readFileSync("/proc/cpuinfo", "utf8"))?.[1] ?? "";
  } catch {
    // Not Linux: OpenBLAS chooses.
  }
  if (/\bavx512f\b/.test(flags)) return "SkylakeX";
  return /\bavx2\b/.test(flags) ? "Haswell" : "";
}
