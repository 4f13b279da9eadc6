/** A small part of `npm run torture`: altered inputs of every reader. */

import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { ROOT } from "./cli/run.js";

test("no altered input crashes a command, hangs it or shows a stack", { timeout: 300_000 }, () => {
  const args = ["scripts/torture/index.js", "--kills", "0", "--endings", "0", "--mutations", "300"];
  const options = { cwd: ROOT, encoding: "utf8" } as const;
  const { status, stdout } = spawnSync(process.execPath, [...args, "--seed", "7"], options);
  const { mutations } = JSON.parse(stdout);
  expect([status, mutations.failures]).toEqual([0, []]);
  // Some are mended by the mutation, or harmless; most are refused.
  const codes = Object.values(mutations.counts) as { 0: number; 2: number }[];
  expect(codes.some((each) => each[0] > 0)).toBe(true);
  expect(codes.some((each) => each[2] > 0)).toBe(true);
});
