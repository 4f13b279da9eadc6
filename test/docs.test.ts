/** The examples of the documents, as a user would run them: type-checked, then each in a process. */

import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { ROOT } from "./cli/run.js";
import { temporaryFolder } from "./temporary.js";

const folder = temporaryFolder();
const EXAMPLES = ["README.md", "docs/parsing.md"].flatMap((document) => {
  const blocks = readFileSync(join(ROOT, document), "utf8").matchAll(/^```ts\n(.*?)^```$/gms);
  return Array.from(blocks, ([, code = ""], index) => ({
    title: `${document}, example ${index + 1}`,
    name: `${document.replace(/\W/g, "-")}-${index + 1}`,
    code,
  }));
});

beforeAll(() => {
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(ROOT, join(folder, "node_modules/bracken"), "junction");
  symlinkSync(join(ROOT, "node_modules/@types"), join(folder, "node_modules/@types"), "junction");
  writeFileSync(join(folder, "package.json"), '{"type": "module"}');
  for (const { name, code } of EXAMPLES) writeFileSync(join(folder, `${name}.ts`), code);
  const compilerOptions = {
    target: "ES2023",
    module: "NodeNext",
    types: ["node"],
    strict: true,
    skipLibCheck: true,
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions }));
  const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
  const { stdout } = spawnSync(process.execPath, [tsc, "-p", folder], { encoding: "utf8" });
  expect(stdout).toBe("");
});

describe("examples", () => {
  test("there are some in each document", () => {
    expect(EXAMPLES.length).toBeGreaterThan(3);
    for (const document of ["README.md", "docs/parsing.md"]) {
      expect(EXAMPLES.some(({ title }) => title.startsWith(document))).toBe(true);
    }
  });

  test.each(EXAMPLES)("$title runs and prints something", async ({ name }) => {
    const child = spawn(process.execPath, [join(folder, `${name}.js`)]);
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (chunk: Buffer) => {
      stdout += chunk;
    });
    child.stderr.on("data", (chunk: Buffer) => {
      stderr += chunk;
    });
    const code = await new Promise((resolve) => child.on("close", resolve));
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout.trim()).not.toBe("");
  });
});
