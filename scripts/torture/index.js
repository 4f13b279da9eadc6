// `npm run torture`: a bounded, seeded campaign of faults against the built command.
//
//   kills      processes killed at random moments, started again until they are done: same bytes
//   mutations  altered inputs of every reader: no crash, hang, stack trace or wrong exit code
//   fleet      workers on plans killed and replaced, in folders and from a queue: same bytes
//   endings    closed pipes, full disks, signals, exits in the caller's code: no abort
//
// Run: npm run build && npm run torture -- [--seed 1] [--kills 100] [--mutations 2000] [--endings 60] [--fleet 0]
// Prints what it did as JSON; ends with 1 if anything went wrong.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Random } from "../../dist/random.js";
import { fleet } from "./fleet.js";
import { kills } from "./kills.js";
import { mutations } from "./mutations.js";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    kills: { type: "string", default: "100" },
    mutations: { type: "string", default: "2000" },
    endings: { type: "string", default: "60" },
    fleet: { type: "string", default: "0" },
  },
});

/** The endings have a script of their own, which can also be run alone. */
async function endings(count) {
  const script = fileURLToPath(new URL("../torture-endings.js", import.meta.url));
  const args = [script, "--count", `${count}`, "--seed", values.seed];
  const { stdout, status } = spawnSync(process.execPath, args, { encoding: "utf8" });
  const failures = status === 0 ? [] : [{ problem: stdout.slice(-2000) }];
  return { counts: status === 0 ? JSON.parse(stdout) : {}, failures };
}

const folder = mkdtempSync(join(tmpdir(), "bracken-torture-"));
const campaigns = { kills, mutations, fleet, endings };
const report = {};
let failures = 0;
try {
  for (const [name, run] of Object.entries(campaigns)) {
    const count = Number(values[name]);
    if (count === 0) continue;
    const started = Date.now();
    const found = await run(count, new Random(Number(values.seed)), join(folder, name));
    failures += found.failures.length;
    report[name] = { ...found, seconds: Math.round((Date.now() - started) / 1000) };
    process.stderr.write(`${name}: ${count} done, ${found.failures.length} went wrong\n`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(JSON.stringify({ seed: Number(values.seed), ...report }, null, 2));
process.exitCode = failures > 0 ? 1 : 0;
