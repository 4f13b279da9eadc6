/**
 * Every code block of every document is run or checked: TypeScript is type-checked and, unless it needs a
 * browser or files of the reader's, run; commands have flags that there are; JSON is JSON. Links lead
 * somewhere.
 */

import { spawn, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { Command } from "commander";
import { beforeAll, describe, expect, test } from "vitest";
import { ROOT } from "./cli/run.js";
import { temporaryFolder } from "./temporary.js";

interface Block {
  readonly title: string;
  readonly document: string;
  /** What stands after the fence: a language and, behind it, words such as `no-run`. */
  readonly info: string;
  readonly code: string;
}

const DOCUMENTS = [
  ...readdirSync(ROOT).filter((name) => name.endsWith(".md")),
  ...readdirSync(join(ROOT, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];

const BLOCKS = DOCUMENTS.flatMap((document): Block[] => {
  const text = readFileSync(join(ROOT, document), "utf8");
  const found = text.matchAll(/^```([^\n]*)\n(.*?)^```$/gms);
  return Array.from(found, ([, info = "", code = ""], index) => ({
    title: `${document}, block ${index + 1}`,
    document,
    info,
    code,
  }));
});

function blocksOf(...languages: string[]): Block[] {
  return BLOCKS.filter(({ info }) => languages.includes(info.split(" ")[0] as string));
}

test("every block says what it is", () => {
  const known = "ts sh json text nginx ini dockerfile yaml css html bibtex layers jsonl".split(" ");
  const odd = BLOCKS.filter(
    ({ info }) => info !== "" && !known.includes(info.split(" ")[0] as string),
  );
  expect(odd.map(({ title, info }) => `${title}: ${info}`)).toEqual([]);
});

describe("TypeScript", () => {
  const folder = temporaryFolder();
  const programs = blocksOf("ts").map((block, index) => ({ ...block, name: `program-${index}` }));
  const isRun = ({ info }: Block) => !info.includes("no-run");

  beforeAll(() => {
    mkdirSync(join(folder, "node_modules"));
    const link = (name: string, target: string) =>
      symlinkSync(target, join(folder, "node_modules", name), "junction");
    link("bracken", ROOT);
    link("@types", join(ROOT, "node_modules/@types"));
    writeFileSync(join(folder, "package.json"), '{"type": "module"}');
    for (const { name, code, info } of programs) {
      const browser = info.includes("browser") ? '/// <reference lib="dom" />\n' : "";
      const own = code.replaceAll('"./dist/', `"${ROOT}dist/`);
      writeFileSync(join(folder, `${name}.ts`), `${browser}${own}\nexport {};\n`);
    }
    const compilerOptions = {
      target: "ES2022",
      lib: ["ES2023", "ESNext.Disposable"],
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

  test("is in the README and in the guide to parsing", () => {
    expect(programs.filter(isRun).length).toBeGreaterThan(3);
    for (const document of ["README.md", "docs/parsing.md"]) {
      expect(programs.some((each) => each.document === document)).toBe(true);
    }
  });

  test.each(programs.filter(isRun))("$title runs and prints something", async ({ name }) => {
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

describe("commands", () => {
  const scripts = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")).scripts;

  /** The lines of all `sh` blocks, with what a backslash continues, and without comments. */
  const lines = blocksOf("sh").flatMap(({ title, code }) =>
    code
      .replaceAll("\\\n", " ")
      .split("\n")
      .map((line) => ({ title, line: line.replace(/\s+#\s.*$/, "").trim() }))
      .filter(({ line }) => line !== "" && !line.startsWith("#")),
  );

  const bracken = lines.flatMap(({ title, line }) =>
    line
      .split(/\s*(?:&&|\|\||\||;)\s*/)
      .map((part) => part.replace(/^(?:[A-Z_]+=\S+\s+)*(?:\$ )?(?:npx )?/, ""))
      .filter((part) => /^bracken /.test(part))
      .map((part) => ({ title, part })),
  );

  async function commandOf(name: string): Promise<Command | undefined> {
    const { COMMANDS } = await import("../src/cli/commands.js");
    const entry = COMMANDS.find((each) => each.name === name);
    if (!entry) return undefined;
    const command = new Command(name);
    (await entry.load()).build(command);
    return command;
  }

  test.each(bracken)("$title: $part", async ({ part }) => {
    const words = (part.match(/"[^"]*"|'[^']*'|[^\s"']+/g) ?? []).slice(1);
    const [name = "", ...rest] = words;
    if (name.startsWith("-")) return expect(["--help", "--version", "-V", "-h"]).toContain(name);
    const outer = await commandOf(name);
    expect(outer, `there is no command ${name}`).toBeDefined();
    const inner = outer?.commands.find((each) => each.name() === rest[0]);
    const known = [...(inner ?? outer ?? new Command()).options].flatMap(({ short, long }) => [
      short,
      long,
    ]);
    const flags = rest
      .map((word) => word.replace(/^\[|\]$/g, ""))
      .filter((word) => /^--?[a-z]/.test(word));
    for (const flag of flags) {
      expect([...known, "--help", "-h"], flag).toContain(flag.split("=")[0]);
    }
  });

  test("npm scripts and files that are named exist", () => {
    for (const { title, line } of lines) {
      for (const [, script = ""] of line.matchAll(/npm run ([\w:-]+)/g)) {
        expect(Object.keys(scripts), title).toContain(script);
      }
      for (const [, file = ""] of line.matchAll(/\bnode ((?:scripts|bench)\/[\w./-]+)/g)) {
        expect(existsSync(join(ROOT, file)), `${title}: ${file}`).toBe(true);
      }
    }
  });
});

test.each(blocksOf("json", "jsonl"))("$title is JSON", ({ info, code }) => {
  const texts = info.startsWith("jsonl") ? code.trim().split("\n") : [code];
  for (const text of texts) expect(() => JSON.parse(text)).not.toThrow();
});

describe("links", () => {
  const anchorsOf = (text: string) =>
    Array.from(text.matchAll(/^#+ (.+)$/gm), ([, heading = ""]) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, "")
        .replaceAll(" ", "-"),
    );

  test.each(DOCUMENTS)("of %s lead somewhere", (document) => {
    const text = readFileSync(join(ROOT, document), "utf8").replace(/^```.*?^```$/gms, "");
    for (const [, target = ""] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target)) continue;
      const [path = "", anchor] = target.split("#");
      const file = path === "" ? document : join(dirname(document), path);
      expect(existsSync(join(ROOT, file)), target).toBe(true);
      if (anchor === undefined) continue;
      expect(anchorsOf(readFileSync(join(ROOT, file), "utf8")), target).toContain(anchor);
    }
  });
});
