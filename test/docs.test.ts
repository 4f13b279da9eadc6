/**
 * Every code block of every document, and every example in a comment, is checked. TypeScript is type-checked
 * and, unless it needs a browser or the reader's files, run. Commands have flags that exist. JSON is JSON.
 * Links lead somewhere.
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
import { BLOCKS, type Block, DOCUMENTS, hasLabels } from "./documents.js";
import { temporaryFolder } from "./temporary.js";

const SOURCES = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => ({ name: `src/${name}`, text: readFileSync(join(ROOT, "src", name), "utf8") }));

/** The examples of comments. What is not fenced has no info, and no code. */
const EXAMPLES = SOURCES.flatMap(({ name, text }): Block[] =>
  Array.from(
    text.matchAll(/@example[^\n]*\n\s*\*(.*?)(?=\n\s*\* @|\n\s*\*\/)/gs),
    ([, body = ""], index) => {
      const lines = body.replaceAll(/\n\s*\* ?/g, "\n").trim();
      const [, info = "", code = ""] = /^```([^\n]*)\n(.*)\n```$/s.exec(lines) ?? [];
      return { title: `${name}, example ${index + 1}`, document: name, info, code };
    },
  ),
);

function blocksOf(...languages: string[]): Block[] {
  return BLOCKS.filter(({ info }) => languages.includes(info.split(" ")[0] as string));
}

test("every block says what it is", () => {
  const known = "ts js sh json text nginx ini dockerfile yaml css html bibtex layers jsonl".split(
    " ",
  );
  const odd = BLOCKS.filter(
    ({ info }) => info !== "" && !known.includes(info.split(" ")[0] as string),
  );
  expect(odd.map(({ title, info }) => `${title}: ${info}`)).toEqual([]);
});

describe("TypeScript", () => {
  const folder = temporaryFolder();
  const programs = [...blocksOf("ts"), ...EXAMPLES].map((block, index) => ({
    ...block,
    name: `program-${index}`,
  }));
  const isRun = ({ info }: Block) =>
    !info.includes("no-run") && (hasLabels || !info.split(" ").includes("labels"));

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

  test("is in the README, in the guide to parsing, and in comments", () => {
    expect(programs.filter(isRun).length).toBeGreaterThan(3);
    for (const document of ["README.md", "docs/parsing.md", "src/parser/parser.ts"]) {
      expect(programs.some((each) => each.document === document)).toBe(true);
    }
  });

  test("of examples is a whole program that imports what it uses", () => {
    const odd = EXAMPLES.filter(
      ({ info, code }) => !/^ts( |$)/.test(info) || !/^import .* from "bracken/m.test(code),
    );
    expect(odd.map(({ title }) => title)).toEqual([]);
  });

  async function run(...files: string[]): Promise<string> {
    const child = spawn(process.execPath, files);
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (chunk: Buffer) => {
      stdout += chunk;
    });
    child.stderr.on("data", (chunk: Buffer) => {
      stderr += chunk;
    });
    const code = await new Promise((resolve) => child.on("close", resolve));
    expect([code, stderr]).toEqual([0, ""]);
    return stdout.trim();
  }

  const fromDocuments = programs.filter((each) => isRun(each) && each.document.endsWith(".md"));
  test.each(fromDocuments)("$title runs and prints something", async ({ name }) => {
    expect(await run(join(folder, `${name}.js`))).not.toBe("");
  });

  test("of examples runs, and each prints something", async () => {
    const examples = programs.filter((each) => isRun(each) && each.document.endsWith(".ts"));
    const all = examples.map(
      ({ title, name }) => `console.log("\\n# ${title}");\nawait import("./${name}.js");`,
    );
    writeFileSync(join(folder, "all.js"), all.join("\n"));
    const printed = await run(join(folder, "all.js"));
    const silent = printed.split(/^# /m).filter((part) => /^src\S+, example \d+\s*$/.test(part));
    expect([printed.match(/^# /gm)?.length, silent]).toEqual([examples.length, []]);
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
