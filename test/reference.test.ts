/**
 * The site builds, with the reference of the public API: every exported name has a comment, and every type that a
 * signature uses is exported. Building checks all links and anchors, and that pages fetch nothing from elsewhere.
 */

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { COMMANDS } from "../src/cli/commands.js";
import { ROOT } from "./cli/run.js";
import { DOCUMENTS } from "./documents.js";
import { temporaryFolder } from "./temporary.js";

const { checkSite } = await import(join(ROOT, "site/check-links.js"));
const { PAGES } = await import(join(ROOT, "site/contents.js"));
const SITE = join(ROOT, "site/dist");
const read = (path: string) => readFileSync(join(SITE, path), "utf8");

test("npm run docs builds the site without a warning", { timeout: 1_200_000 }, () => {
  const { status, stdout, stderr } = spawnSync("npm", ["run", "--silent", "docs"], {
    cwd: ROOT,
    encoding: "utf8",
  });
  const lines = `${stdout}\n${stderr}`.split("\n");
  const warnings = lines.filter((line) => /warning|error/i.test(line));
  expect([status, warnings]).toEqual([0, []]);
});

describe("the site", () => {
  test("has the references, the page with its models, and a search", () => {
    for (const path of [
      "reference/api/index.html",
      "reference/http.html",
      "files/openapi.json",
      "files/bracketing.schema.json",
      "page/index.html",
      "page/models/bracken-en/manifest.json",
      "models/bracken-en.html",
      "models/bracken-en-small.html",
      "models/bracken-multi.html",
    ]) {
      expect(existsSync(join(SITE, path)), path).toBe(true);
    }
    const chunks = readdirSync(join(SITE, "assets/chunks"));
    expect(chunks.filter((name) => name.includes("localSearchIndex"))).toHaveLength(1);
  });

  test("describes every command and its options", () => {
    for (const { name } of COMMANDS) expect(read(`reference/cli/${name}.html`)).toContain(name);
    for (const flag of ["--labelled", "--by-length", "--against"]) {
      expect(read("reference/cli/evaluate.html")).toContain(flag);
    }
  });

  test("describes every route", () => {
    const { paths } = JSON.parse(read("files/openapi.json"));
    expect(Object.keys(paths)).toEqual(
      expect.arrayContaining(["/v1/parse", "/v1/runs", "/v1/annotation", "/healthz"]),
    );
  });
});

test("every document is a page", () => {
  const left = DOCUMENTS.filter((name) => name !== "README.md" && !PAGES.has(name));
  expect(left).toEqual([]);
});

test("dead links, dead anchors and foreign fetches are found", () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "a"));
  writeFileSync(
    join(folder, "index.html"),
    `<a href="/a/page.html#here">good</a> <a href="a/page.html#gone">x</a> <a href="./gone.html">x</a>
     <a href="https://example.org/">elsewhere</a> <img src="https://example.org/x.png">`,
  );
  writeFileSync(join(folder, "a/page.html"), '<p id="here"><a href="../index.html">back</a></p>');
  expect(checkSite(folder)).toEqual([
    "index.html: a/page.html#gone: there is no such anchor",
    "index.html: ./gone.html: there is no such file",
    "index.html: fetches https://example.org/x.png",
  ]);
});
