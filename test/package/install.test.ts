/**
 * The package as strangers get it: packed, installed by npm into an empty folder, and used there, by the
 * command, by small projects of every kind (projects/), and under every line of Node that it promises.
 */

import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { build, preview } from "vite";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { launchBrowser } from "../../scripts/launch-browser.js";
import { bracken, ROOT } from "../cli/run.js";
import { temporaryFolder } from "../temporary.js";
import { writeTinyEncoder } from "../training/tiny-encoder.js";
import { npm, run, serve } from "./processes.js";

// Large downloads on a machine that may be busy.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

/** What the repository's own command says, which each installed package must say as well. */
const TREE = (await bracken(["parse", "He left."])).stdout.trim();
const folder = temporaryFolder();
const app = join(folder, "app");
const projects = join(app, "projects");

/** The floors that "engines" states, and the newest of the current lines. */
const NODES = ["20.19.0", "22.12.0", "24", "26"] as const;
const TOO_OLD = "18";
const nodeAt = (version: string) => join(folder, `nodes/node_modules/node-${version}/bin/node`);

const { code: offline } = await npm(["view", "npm", "name"], { cwd: folder });
if (offline) console.warn("SKIPPED: installing the package needs the npm registry");
const describeOnline = describe.skipIf(offline !== 0);

let installed: Awaited<ReturnType<typeof npm>>;

async function installNodes(): Promise<void> {
  mkdirSync(join(folder, "nodes"));
  writeFileSync(join(folder, "nodes/package.json"), "{}");
  const wanted = [TOO_OLD, ...NODES].map(
    (version) => `node-${version}@npm:node-${process.platform}-${process.arch}@${version}`,
  );
  const { code, stderr } = await npm(["install", ...wanted], { cwd: join(folder, "nodes") });
  if (code !== 0) throw new Error(`npm install ${wanted.join(" ")}: ${stderr}`);
}

async function pack(): Promise<string> {
  const args = ["pack", "--ignore-scripts", "--json", "--pack-destination", folder];
  const { stdout } = await npm(args, { cwd: ROOT });
  const [{ filename }] = JSON.parse(stdout);
  return join(folder, filename);
}

beforeAll(async () => {
  mkdirSync(app);
  writeFileSync(join(app, "package.json"), '{"name": "app", "private": true}');
  const [tarball] = await Promise.all([pack(), installNodes()]);
  // By the oldest Node, and refusing any package that does not promise to run under it.
  const oldest = { node: nodeAt(NODES[0]), env: { npm_config_engine_strict: "true" } };
  installed = await npm(["install", tarball], { cwd: app, ...oldest });
});

test("the tree that projects are compared by is one", () => {
  expect(TREE).toMatch(/^\(S .*He.*left.*\.\)$/);
});

describeOnline("npm install", () => {
  test("says nothing but that it is done", () => {
    expect(installed.stderr).toBe("");
    expect(installed.stdout).toMatch(/^\s*added \d+ packages in \S+\s*$/);
    expect(installed.code).toBe(0);
  });

  test("brings the built library, its page, the models, the runtime and nothing else", () => {
    const bracken = join(app, "node_modules/bracken");
    const paths = readdirSync(bracken, { recursive: true, encoding: "utf8" })
      .filter((path) => statSync(join(bracken, path)).isFile())
      .map((path) => path.replaceAll("\\", "/"));
    const expected = [
      /^dist\/.+\.(js|d\.ts)$/,
      /^dist\/web\/.+$/,
      /^models\/bracken-en(-small)?\/[\w.]+$/,
      /^runtime\/(README\.md|LICENSE|package\.json|common\/[\w-]+\.js|wasm\/ort\.node\.min\.js)$/,
      /^runtime\/native\/(dist\/\w+\.js|bin\/napi-v6\/\w+\/\w+\/[\w.]+)$/,
      /^(package\.json|README\.md|LICENSE|CHANGELOG\.md)$/,
    ];
    expect(paths.filter((path) => !expected.some((pattern) => pattern.test(path)))).toEqual([]);
    for (const path of ["dist/index.js", "dist/index.d.ts", "LICENSE", "README.md"]) {
      expect(paths).toContain(path);
    }
  });

  test("runs no scripts, so needs no network but the registry", () => {
    const lock = JSON.parse(readFileSync(join(app, "node_modules/.package-lock.json"), "utf8"));
    const packages = Object.entries<{ hasInstallScript?: boolean }>(lock.packages);
    expect(packages.length).toBeGreaterThan(10);
    expect(packages.filter(([, { hasInstallScript }]) => hasInstallScript)).toEqual([]);
  });

  test("brings the native runtime for every platform that is promised", () => {
    for (const platform of [
      "linux/x64",
      "linux/arm64",
      "darwin/arm64",
      "win32/x64",
      "win32/arm64",
    ]) {
      const binding = `node_modules/bracken/runtime/native/bin/napi-v6/${platform}/onnxruntime_binding.node`;
      expect(statSync(join(app, binding)).size).toBeGreaterThan(100_000);
    }
  });

  test("npx runs the command", async () => {
    const { code, stdout, stderr } = await npm(["exec", "--", "bracken", "parse", "He left."], {
      cwd: app,
    });
    expect([code, stdout, stderr]).toEqual([0, `${TREE}\n`, ""]);
  });

  test("where native code does not load, WebAssembly parses, after a warning", async () => {
    const native = join(app, "node_modules/bracken/runtime/native");
    const main = "node_modules/bracken/dist/cli/main.js";
    renameSync(native, `${native}-away`);
    const { code, stdout, stderr } = await run([main, "parse", "He left."], { cwd: app });
    renameSync(`${native}-away`, native);
    expect([code, stdout]).toEqual([0, `${TREE}\n`]);
    expect(stderr).toMatch(
      /\[BRACKEN_WASM\] BrackenWarning: the native ONNX Runtime does not load/,
    );
  });
});

describeOnline("projects", () => {
  let browser: Browser | undefined;

  beforeAll(async () => {
    const wanted = ["express@5", "next@16", "react@19", "react-dom@19", "onnxruntime-web@1.30"];
    const { code, stderr } = await npm(["install", ...wanted, "@types/node@20"], { cwd: app });
    if (code !== 0) throw new Error(stderr);
    cpSync(join(ROOT, "test/package/projects"), projects, { recursive: true });
  });

  afterAll(() => browser?.close());

  test("an ES module", async () => {
    const outcome = await run(["main.js"], { cwd: join(projects, "esm") });
    expect(outcome).toEqual({ code: 0, stdout: `${TREE}\n`, stderr: "" });
  });

  test("CommonJS", async () => {
    const outcome = await run(["main.cjs"], { cwd: join(projects, "commonjs") });
    expect(outcome).toEqual({ code: 0, stdout: `${TREE}\n`, stderr: "" });
  });

  test("worker threads of the program's own", async () => {
    const outcome = await run(["main.js"], { cwd: join(projects, "worker") });
    expect(outcome).toEqual({ code: 0, stdout: `${TREE}\n${TREE}\n`, stderr: "" });
  });

  test("TypeScript, without the DOM library, every entry's types checked", async () => {
    const cwd = join(projects, "typescript");
    const { exports } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    const entries = Object.keys(exports).filter((path) => !path.endsWith(".json"));
    const lines = entries.map(
      (path, i) => `export * as entry${i} from "bracken${path.slice(1)}";\n`,
    );
    writeFileSync(join(cwd, "entries.ts"), lines.join(""));
    const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
    expect(await run([tsc], { cwd })).toEqual({ code: 0, stdout: "", stderr: "" });
    const outcome = await run(["main.js"], { cwd });
    expect(outcome).toEqual({ code: 0, stdout: `${TREE}\n`, stderr: "" });
  });

  test("TypeScript for a page, without Node's types", async () => {
    const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
    const cwd = join(projects, "typescript");
    const outcome = await run([tsc, "-p", "tsconfig.browser.json"], { cwd });
    expect(outcome).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  test("an Express server", async () => {
    const server = await serve(["server.js"], { cwd: join(projects, "express") });
    const headers = { "content-type": "text/plain" };
    const response = await fetch(server.address, { method: "POST", headers, body: "He left." });
    expect(await response.json()).toEqual([TREE]);
    expect(await server.stop()).toBe(0);
  });

  test("a page built by Vite", async () => {
    const root = join(projects, "vite");
    cpSync(join(app, "node_modules/bracken/models"), join(root, "public/models"), {
      recursive: true,
    });
    await build({ root, logLevel: "warn" });
    const server = await preview({ root, logLevel: "warn", preview: { port: 0 } });
    browser = await launchBrowser();
    const page = await browser.newPage();
    await page.goto(server.resolvedUrls?.local[0] as string);
    await page.getByText(TREE).waitFor();
    await server.close();
  });

  test("a Next.js app", async () => {
    const next = join(app, "node_modules/next/dist/bin/next");
    const place = { cwd: join(projects, "next"), env: { NEXT_TELEMETRY_DISABLED: "1" } };
    const built = await run([next, "build"], place);
    expect([built.code, built.stderr]).toEqual([0, ""]);
    const server = await serve([next, "start", "--port", "0"], place);
    expect(await (await fetch(server.address)).text()).toContain(TREE);
    const route = new URL("parse", server.address);
    const response = await fetch(route, { method: "POST", body: "He left." });
    expect(await response.json()).toEqual([TREE]);
    await server.stop();
  });
});

describeOnline("Node", () => {
  const bracken = join(app, "node_modules/bracken/dist/cli/main.js");

  test("too old a one is told so", async () => {
    const { code, stdout, stderr } = await run([bracken, "parse", "He left."], {
      cwd: app,
      node: nodeAt(TOO_OLD),
    });
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^error: bracken needs Node 20\.19, .* this is Node 18\.\S+\n.*\n$/);
  });

  test.each(NODES)("%s extracts, trains, parses and serves", async (version) => {
    const cwd = join(folder, `node-${version}`);
    mkdirSync(cwd);
    await writeTinyEncoder(join(cwd, "encoder"));
    writeFileSync(join(cwd, "page.md"), "The [old man](/man) sat by [the red door](/door).\n");
    const place = { cwd, node: nodeAt(version) };
    const command = async (...args: string[]) => {
      const { code, stdout, stderr } = await run([bracken, ...args], place);
      expect(code, stderr).toBe(0);
      return stdout;
    };
    await command("extract", "markdown", "page.md", "-o", "links.jsonl");
    const training = ["--encoder", "encoder", "--steps", "2", "--batch", "1"];
    await command("train", "links.jsonl", "-o", "model", ...training, "--validation-share", "0");
    expect(await command("parse", "-m", "model", "The old man sat.")).toMatch(/^\(X .*\)\n$/);
    expect(await command("parse", "He left.")).toBe(`${TREE}\n`);
    const server = await serve([bracken, "serve", "--port", "0", "--model", "model"], place);
    const response = await fetch(new URL("v1/parse", server.address), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ text: "The old man sat." }),
    });
    expect(response.status).toBe(200);
    expect(await server.stop()).toBe(0);
  });
});
