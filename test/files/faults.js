// Preloaded into a child process: its FAULT_AT-th file operation kills it or fails (FAULT: KILL, or the
// code of a system error). So a test can go through every moment at which a process may die. With
// STOP_AFTER it stops itself (SIGSTOP) as soon as it has made a file whose name ends so.

import fs from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";

const { FAULT = "KILL", FAULT_AT = "0", STOP_AFTER } = process.env;
const at = Number(FAULT_AT);
let count = 0;

/** Counts an operation that changes the disk; it may be the last. */
function pass(name, file) {
  count += 1;
  if (count !== at) return;
  if (FAULT === "KILL") process.kill(process.pid, "SIGKILL");
  throw Object.assign(new Error(`${FAULT}: made up, ${name}`), { code: FAULT, path: file });
}

let hasStopped = false;

function stopAfter(name, [first, second]) {
  const made = name === "rename" ? second : first;
  if (hasStopped || !String(made).endsWith(STOP_AFTER)) return;
  hasStopped = true;
  process.kill(process.pid, "SIGSTOP");
}

for (const name of ["open", "rename", "rm", "writeFile", "appendFile", "mkdir"]) {
  const real = fs[name];
  fs[name] = async (...args) => {
    const isRead = name === "open" && (args[1] === undefined || args[1] === 0 || args[1] === "r");
    if (!isRead) pass(name, args[0]);
    const result = await real(...args);
    if (!isRead && STOP_AFTER !== undefined) stopAfter(name, args);
    return result;
  };
}
const handle = await fs.open("/dev/null");
const prototype = Object.getPrototypeOf(handle);
await handle.close();
for (const name of ["write", "writeFile", "sync", "truncate", "chmod"]) {
  const real = prototype[name];
  prototype[name] = async function (...args) {
    pass(name);
    return real.apply(this, args);
  };
}
syncBuiltinESMExports();

// Each look at the clock finds two seconds gone, so that progress is saved at every step.
let now = 0;
performance.now = () => {
  now += 2000;
  return now;
};
