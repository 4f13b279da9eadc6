/**
 * The reference of the public API builds: every exported name has a comment, and every type that a
 * signature uses is exported.
 */

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "./cli/run.js";

test("npm run docs builds the reference without a warning", { timeout: 300_000 }, () => {
  const { status, stdout, stderr } = spawnSync("npm", ["run", "--silent", "docs"], {
    cwd: ROOT,
    encoding: "utf8",
  });
  const lines = `${stdout}\n${stderr}`.split("\n");
  const warnings = lines.filter((line) => /warning|error/i.test(line));
  expect([status, warnings]).toEqual([0, []]);
  expect(existsSync(join(ROOT, "dist/reference/index.html"))).toBe(true);
});
