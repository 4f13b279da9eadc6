/**
 * A run that dies, or whose disk fails, at any of its file operations: the next run ends with the same
 * file as one that nothing happened to, and with nothing beside it.
 */

import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../temporary.js";

const root = temporaryFolder();
const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const LINES = Array.from({ length: 3 }, (_, index) => `line ${index}\n`).join("");
/** More operations than a run makes. */
const MOST = 200;

function runChild(folder: string, env: Record<string, string>) {
  const args = ["--import", here("faults.js"), here("child.js")];
  const { stdout, stderr, signal } = spawnSync(
    process.execPath,
    [...args, join(folder, "out.txt"), join(folder, "in.txt")],
    { env: { ...process.env, ...env }, encoding: "utf8" },
  );
  return { stdout: stdout.trim(), stderr, signal };
}

function newFolder(): string {
  const folder = mkdtempSync(join(root, "run-"));
  writeFileSync(join(folder, "in.txt"), "input");
  return folder;
}

describe.each([
  ["KILL", undefined],
  ["ENOSPC", /^WorkFailure: .*: the disk is full$/],
  ["EIO", /^WorkFailure: .*: the disk reports an error/],
])("%s at every file operation", (fault, message) => {
  test("the next run ends as if nothing had happened", () => {
    let at = 1;
    for (; at < MOST; at += fault === "KILL" ? 1 : 3) {
      const folder = newFolder();
      const first = runChild(folder, { FAULT: fault, FAULT_AT: String(at) });
      if (first.stdout === "done") break;
      expect(first.stderr, `operation ${at}`).toBe("");
      if (message) expect(first.stdout, `operation ${at}`).toMatch(message);
      else expect(first.signal).toBe("SIGKILL");
      expect(runChild(folder, {}).stdout, `after operation ${at}`).toBe("done");
      expect(readFileSync(join(folder, "out.txt"), "utf8"), `operation ${at}`).toBe(LINES);
      expect(readdirSync(folder).sort(), `operation ${at}`).toEqual(["in.txt", "out.txt"]);
    }
    expect(at).toBeGreaterThan(20);
    expect(at).toBeLessThan(MOST);
  }, 300_000);
});
