/** What users get when they install the package. */

import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { describe, expect, test } from "vitest";
import { ROOT } from "./cli/run.js";
import { temporaryFolder } from "./temporary.js";

interface LockedPackage {
  readonly link?: boolean;
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
  /** Without the package itself and the packages of its workspace, which nobody installs with it. */
  const installed = Object.entries<LockedPackage>(lock.packages).filter(
    ([path, { dev, peer, link }]) =>
      path.startsWith("node_modules/") && !dev && !peer && link !== true,
  );

  test("all are listed, and beside them only optional ones", () => {
    const document = readFileSync(join(ROOT, "docs/dependencies.md"), "utf8");
    const rows = document.matchAll(/^\| `([^`]+)` [\d.]+ \|/gm);
    const listed = Array.from(rows, ([, name]) => name);
    const optional = Object.keys(manifest.peerDependencies);
    const isOptional = (name = "") => optional.includes(name);
    expect(listed.filter((name) => !isOptional(name))).toEqual(
      Object.keys(manifest.dependencies).sort(),
    );
    for (const name of optional) expect(document).toContain(`\`${name}\``);
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

describe("its page on npm", () => {
  const homeOf = ({ repository }: typeof manifest) =>
    /^git\+(https:\/\/.+)\.git$/.exec(repository.url)?.[1] as string;
  const targetsOf = (readme: string) =>
    Array.from(readme.matchAll(/\]\(([^)\s]+)\)/g), ([, target = ""]) => target);

  test("has links that lead to one place", () => {
    const home = homeOf(manifest);
    expect(manifest.homepage).toBe(`${home}#readme`);
    expect(manifest.bugs.url).toBe(`${home}/issues`);
    expect(readFileSync(join(ROOT, "CITATION.cff"), "utf8")).toContain(`url: ${home}\n`);
  });

  test("is of the version that is cited", () => {
    const cited = readFileSync(join(ROOT, "CITATION.cff"), "utf8");
    expect(cited).toContain(`\nversion: ${manifest.version}\n`);
    expect(readFileSync(join(ROOT, "docs/cite.md"), "utf8")).toContain(`{${manifest.version}}`);
  });

  test("has absolute links once the address is set, all to files that there are", () => {
    const folder = temporaryFolder();
    for (const name of ["package.json", "CITATION.cff", "README.md"]) {
      copyFileSync(join(ROOT, name), join(folder, name));
    }
    const setHome = (home: string) =>
      execFileSync(process.execPath, [
        ...[join(ROOT, "scripts/set-home.js"), home, "--folder", folder],
      ]);
    setHome("https://host.example/first");
    const home = "https://host.example/me/bracken";
    setHome(home);
    const set = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    expect([homeOf(set), set.homepage, set.bugs]).toEqual([
      home,
      `${home}#readme`,
      { ...manifest.bugs, url: `${home}/issues` },
    ]);
    const targets = targetsOf(readFileSync(join(folder, "README.md"), "utf8"));
    expect(targets.length).toBeGreaterThan(20);
    for (const target of targets) {
      const [, path = ""] = target.split(
        /^https:\/\/host\.example\/me\/bracken\/(?:blob|raw)\/HEAD\//,
      );
      expect(path !== "" && existsSync(join(ROOT, path)), target).toBe(true);
    }
  });

  test("has no relative link if the address is set", () => {
    if (homeOf(manifest) === "https://example.org/bracken") return;
    const readme = readFileSync(join(ROOT, "README.md"), "utf8");
    expect(targetsOf(readme).filter((target) => !/^https:|^#/.test(target))).toEqual([]);
  });
});
