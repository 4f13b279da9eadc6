/** What users get when they install the package. */

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { describe, expect, test } from "vitest";
import { ROOT } from "./cli/run.js";

const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));

describe("the package", () => {
  test("holds the built library, its page, the models and nothing else", () => {
    const [packed] = JSON.parse(
      execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
        cwd: ROOT,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      }),
    );
    const paths: string[] = packed.files.map(({ path }: { path: string }) => path);
    const expected =
      /^(dist\/.+\.(js|d\.ts)|dist\/web\/.+|models\/bracken-\w+\/[\w.]+|runtime\/.+|package\.json|README\.md|LICENSE|CHANGELOG\.md)$/;
    expect(paths.filter((path) => !expected.test(path))).toEqual([]);
    for (const path of [
      "dist/index.js",
      "dist/index.d.ts",
      "dist/cli/main.js",
      "LICENSE",
      "README.md",
      "models/bracken-en/model.safetensors",
    ]) {
      expect(paths).toContain(path);
    }
  });

  test("its exports and types are right", async () => {
    const { messages } = await publint({ pkgDir: ROOT, level: "suggestion", pack: false });
    expect(messages.map((message) => formatMessage(message, manifest))).toEqual([]);
  });

  test.each(Object.keys(manifest.exports).filter((path) => !path.endsWith(".json")))(
    "%s can be imported by name",
    async (path) => {
      const name = `bracken${path.slice(1)}`;
      const script = `const found = await import("${name}"); if (Object.keys(found).length < 3) process.exit(1)`;
      execFileSync(process.execPath, ["--input-type=module", "-e", script], { cwd: ROOT });
    },
  );

  test.each([
    "trees/index",
    "text/index",
    "languages/index",
    "brackets/index",
    "chart/index",
    "evaluation/index",
    "browser",
  ])("%s needs no file system", (name) => {
    const seen = new Set<string>();
    const visit = (path: string) => {
      if (seen.has(path)) return;
      seen.add(path);
      const source = readFileSync(path, "utf8");
      for (const [, target] of source.matchAll(/^(?:import|export)[^;]*?from "([^"]+)"/gm)) {
        expect(target, path).not.toMatch(/^node:/);
        if (target?.startsWith(".")) visit(join(path, "..", target));
      }
    };
    visit(join(ROOT, `dist/${name}.js`));
    expect(seen.size).toBeGreaterThan(3);
  });
});
