/** What users get when they install the package. */

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { describe, expect, test } from "vitest";
import { ROOT } from "./cli/run.js";

interface LockedPackage {
  readonly dev?: boolean;
  readonly peer?: boolean;
  readonly license?: string;
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
}

const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));

describe("the package", () => {
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

describe("dependencies", () => {
  const lock = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8"));
  const installed = Object.entries<LockedPackage>(lock.packages).filter(
    ([path, { dev, peer }]) => path !== "" && !dev && !peer,
  );

  test("all are listed, and nothing else", () => {
    const document = readFileSync(join(ROOT, "docs/dependencies.md"), "utf8");
    const rows = document.matchAll(/^\| `([^`]+)` [\d.]+ \|/gm);
    const listed = Array.from(rows, ([, name]) => name);
    expect(listed).toEqual(Object.keys(manifest.dependencies).sort());
  });

  test("have licences that ask for no more than their text", () => {
    const permissive =
      /^(MIT|ISC|PSF-2\.0|Apache-2\.0|BSD-[23]-Clause|\(Apache-2\.0 AND BSD-3-Clause\))$/;
    expect(installed.filter(([, { license = "" }]) => !permissive.test(license))).toEqual([]);
    expect(installed.length).toBeGreaterThan(10);
  });

  test("have no install scripts, and hashes", () => {
    expect(installed.filter(([, { hasInstallScript }]) => hasInstallScript)).toEqual([]);
    expect(installed.filter(([, { integrity }]) => !integrity)).toEqual([]);
  });
});

test("the links of its page on npm lead to one place", () => {
  const [, home] = /^git\+(https:\/\/.+)\.git$/.exec(manifest.repository.url) ?? [];
  expect(manifest.homepage).toBe(`${home}#readme`);
  expect(manifest.bugs.url).toBe(`${home}/issues`);
});
