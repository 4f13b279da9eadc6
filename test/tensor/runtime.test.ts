/** Which ONNX Runtime computes: the package's own, native or WebAssembly, or one of the program's. */

import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { bracken, ROOT } from "../cli/run.js";
import { writeTinyModel } from "../model/tiny-model.js";
import { env } from "../onnxruntime.js";
import { run } from "../package/processes.js";
import { temporaryFolder } from "../temporary.js";

const folder = temporaryFolder();
const TEXT = "The old man sat on the red bench by the door. A dog ran.";
let model: string;
let trees: string;

/** Where a program's own onnxruntime-node is found: a copy, since two libraries of one file are one. */
const modules = join(folder, "modules");

function parseWith(runtime: string) {
  const env = { BRACKEN_RUNTIME: runtime, NODE_PATH: modules };
  return bracken(["parse", TEXT, "--model", model], { env });
}

beforeAll(async () => {
  const own = join(modules, "onnxruntime-node");
  for (const name of ["common", "native"]) {
    cpSync(join(ROOT, "runtime", name), join(own, name), { recursive: true });
  }
  writeFileSync(join(own, "index.js"), 'module.exports = require("./native/dist/index.js");');
  model = await writeTinyModel(folder);
  trees = (await parseWith("")).stdout;
  expect(trees.split("\n").length).toBe(3);
});

test("the parts of the packaged one are of one version", () => {
  const { common, node } = env.versions;
  expect(node).toBe(common);
});

describe("BRACKEN_RUNTIME", () => {
  test.each(["native", "wasm", "onnxruntime-node"])("%s gives the same trees", async (runtime) => {
    expect(await parseWith(runtime)).toEqual({ code: 0, stdout: trees, stderr: "" });
  });

  test("what is none is refused", async () => {
    const { code, stdout, stderr } = await parseWith("cuda");
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toBe(
      'error: there is no runtime "cuda"\n       set BRACKEN_RUNTIME to native, wasm, onnxruntime-node\n',
    );
  });
});

describe("beside a program's own onnxruntime-node", () => {
  const theirs = `
    const { createRequire } = await import("node:module");
    const ort = createRequire(import.meta.url)("onnxruntime-node");
    if (ort.listSupportedBackends().length === 0) throw new Error("no backends");`;
  const parse = `
    const { loadParser } = await import("bracken");
    const parser = await loadParser(process.argv[1], { workers: 0 });
    const { sentences } = await parser.parseText("A dog ran.");
    console.log(sentences.length);
    await parser.close();`;

  test.each([
    ["before", theirs + parse],
    ["after", parse + theirs],
  ])("loaded %s it, both work", async (_, script) => {
    const place = { cwd: ROOT, env: { NODE_PATH: modules } };
    const outcome = await run(["--input-type=module", "-e", script, model], place);
    expect(outcome).toEqual({ code: 0, stdout: "1\n", stderr: "" });
  });
});
