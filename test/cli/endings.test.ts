/** How a run ends, whatever ends it. The script tries more of the same: `npm run torture`. */

import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { writeTinyModel } from "../model/tiny-model.js";
import { temporaryFolder } from "../temporary.js";
import { bracken, ROOT } from "./run.js";

const folder = temporaryFolder();
let model = "";

beforeAll(async () => {
  model = await writeTinyModel(folder);
});

function torture(...args: readonly string[]): Promise<{ code: number | null; report: string }> {
  const script = join(ROOT, "scripts/torture-endings.js");
  const child = spawn(process.execPath, [script, "--model", model, ...args]);
  const out: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => out.push(chunk));
  }
  return new Promise((resolve) =>
    child.on("close", (code) => resolve({ code, report: Buffer.concat(out).toString() })),
  );
}

test("endings of every kind at random moments: none is a crash", async () => {
  const { code, report } = await torture("--count", "12", "--seed", "5");
  expect(code, report).toBe(0);
  expect(JSON.parse(report)).toMatchObject({ endings: 12, wrong: [] });
}, 300_000);

test("an option that the model cannot follow is told alike for few lines and for many", async () => {
  const outcomes = await Promise.all(
    [3, 600].map((count) => {
      const file = join(folder, `${count}.txt`);
      writeFileSync(file, "the old man sat\n".repeat(count));
      return bracken(["parse", "--lines", file, "-m", model, "--decoding", "phrases"]);
    }),
  );
  for (const { code, stdout, stderr } of outcomes) {
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toBe(outcomes[0]?.stderr);
    expect(stderr.trimEnd().split("\n")).toHaveLength(2);
    expect(stderr).toContain("--phrase-weight");
  }
});
