/** ARCHITECTURE.md says who may import whom; this holds the code to it. */

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT } from "./cli/run.js";

const SOURCE = join(ROOT, "src");
const files = readdirSync(SOURCE, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
  .map(({ parentPath, name }) => relative(SOURCE, join(parentPath, name)));

const architecture = readFileSync(join(ROOT, "ARCHITECTURE.md"), "utf8");
const [, block = ""] = /^```layers\n(.*?)^```$/ms.exec(architecture) ?? [];
const layers = block
  .trim()
  .split("\n")
  .map((line) => line.split(" "));

/** `parser/decoder.ts` is in the folder `parser`; `errors.ts`, directly in src/, counts as a folder of its own. */
function folderOf(file: string): string {
  return file.includes("/") ? (file.split("/")[0] as string) : file.replace(/\.ts$/, "");
}

const IMPORT = /(?:from|import\(|new URL\()\s*"(\.[^"]+\.js)"/g;

function importsOf(file: string): string[] {
  const text = readFileSync(join(SOURCE, file), "utf8");
  return Array.from(text.matchAll(IMPORT), ([, path = ""]) =>
    normalize(join(dirname(file), path)).replace(/\.js$/, ".ts"),
  ).filter((path) => files.includes(path));
}

describe("imports", () => {
  test("every folder is in one line of the layers, and every line names folders that exist", () => {
    const folders = [...new Set(files.map(folderOf))].sort();
    expect(layers.flat().sort()).toEqual(folders);
  });

  test("no folder imports from one in its own line or in a later one", () => {
    const level = new Map(
      layers.flatMap((folders, at) => folders.map((folder) => [folder, at] as const)),
    );
    const wrong = files.flatMap((file) =>
      importsOf(file)
        .filter((target) => folderOf(target) !== folderOf(file))
        .filter(
          (target) => Number(level.get(folderOf(target))) >= Number(level.get(folderOf(file))),
        )
        .map((target) => `${file} imports ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  test("no two files import each other, over however many others", () => {
    const state = new Map<string, "open" | "done">();
    const cycles: string[] = [];
    const visit = (file: string, path: readonly string[]) => {
      if (state.get(file) === "done") return;
      if (state.get(file) === "open") {
        cycles.push([...path.slice(path.indexOf(file)), file].join(" -> "));
        return;
      }
      state.set(file, "open");
      for (const target of staticImports(file)) visit(target, [...path, file]);
      state.set(file, "done");
    };
    for (const file of files) visit(file, []);
    expect(cycles).toEqual([]);
  });

  test.each(["trees", "languages", "text", "chart", "streams", "evaluation"])(
    "%s imports nothing of Node's",
    (folder) => {
      for (const file of files.filter((each) => folderOf(each) === folder)) {
        expect(readFileSync(join(SOURCE, file), "utf8"), file).not.toMatch(/from "node:/);
      }
    },
  );

  test("the library loads no more than parsing needs", () => {
    const seen = new Set<string>();
    const visit = (file: string) => {
      if (seen.has(file)) return;
      seen.add(file);
      for (const target of staticImports(file)) visit(target);
    };
    visit("index.ts");
    const folders = new Set([...seen].map(folderOf));
    for (const folder of ["extract", "training", "runs", "service", "cli", "experiments"]) {
      expect(folders).not.toContain(folder);
    }
    // Half of the 181 modules that it once was.
    expect(seen.size).toBeLessThanOrEqual(90);
  });
});

/** Imports that are evaluated at once: neither of types alone nor when a function asks for it. */
function staticImports(file: string): string[] {
  const text = readFileSync(join(SOURCE, file), "utf8");
  const statements = text.matchAll(
    /^(?:import|export)\s+(?!type\b)([^;]*?)from "(\.[^"]+\.js)";/gms,
  );
  return Array.from(statements)
    .filter(([, names = ""]) => !isTypesOnly(names))
    .map(([, , path = ""]) => normalize(join(dirname(file), path)).replace(/\.js$/, ".ts"))
    .filter((path) => files.includes(path));
}

/** `{ type A, type B }` is erased. */
function isTypesOnly(names: string): boolean {
  const listed = /^\{(.*)\}\s*$/s.exec(names.trim())?.[1]?.split(",") ?? ["all"];
  return listed.every((name) => /^(type .*)?$/.test(name.trim()));
}
