/** `--language`, and texts that go to the model that knows their language, in a project that has bracken-multi. */

import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { TEN_LANGUAGES } from "../languages/ten-languages.js";
import { writeTinyModel } from "../model/tiny-model.js";
import { temporaryFolder } from "../temporary.js";
import { bracken } from "./run.js";

const folder = temporaryFolder();
/** A project with the model installed, and one without. */
const [project, bare] = [join(folder, "project"), join(folder, "bare")];
let english = "";

beforeAll(async () => {
  english = await writeTinyModel(join(folder, "english"));
  const languages = Object.keys(TEN_LANGUAGES);
  const multi = await writeTinyModel(join(folder, "multi"), { language: languages });
  const installed = join(project, "node_modules/bracken-multi");
  mkdirSync(installed, { recursive: true });
  const description = { name: "bracken-multi", version: "0.1.0" };
  // Else the package of this repository would be found: the one without its model hides it.
  const empty = join(bare, "node_modules/bracken-multi");
  mkdirSync(empty, { recursive: true });
  writeFileSync(join(empty, "package.json"), JSON.stringify(description));
  writeFileSync(join(installed, "package.json"), JSON.stringify(description));
  cpSync(multi, join(installed, "model"), { recursive: true });
  for (const [code, text] of Object.entries(TEN_LANGUAGES)) {
    writeFileSync(join(project, `${code}.txt`), `${text}\n`);
  }
});

interface ParsedLine {
  readonly tokens: readonly string[];
  readonly language?: string;
  readonly supported?: boolean;
}

const records = (stdout: string) =>
  stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as ParsedLine);

describe("a model that does not know the language", () => {
  const parse = (...args: string[]) =>
    bracken(["parse", "--model", english, "--format", "json", ...args], { cwd: project });

  test("says so once, and in each record", async () => {
    const { code, stdout, stderr } = await parse("de.txt", "de.txt", "en.txt", "de.txt");
    expect(code).toBe(0);
    expect(records(stdout).map(({ language, supported }) => [language, supported])).toEqual([
      ["de", false],
      ["de", false],
      [undefined, undefined],
      ["de", false],
    ]);
    expect(
      stderr.match(/This text seems to be in German; the model knows only English\./g),
    ).toHaveLength(1);
    expect(stderr).toContain("npm install bracken-multi");
  });

  test("a language that is named is believed; the text is split by its rules", async () => {
    const named = await parse("Er kam am 3. Mai.", "--language", "de");
    expect(records(named.stdout)).toMatchObject([{ language: "de", supported: false }]);
    expect(named.stderr).toContain("This text is in German");
    const told = await parse("Er kam am 3. Mai.", "--language", "en");
    expect(records(told.stdout)).toHaveLength(2);
    expect(told.stderr).toBe("");
  });

  test("a wrong code is an error that lists the codes", async () => {
    const { code, stdout, stderr } = await parse("He left.", "--language", "jp");
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain('"jp" is not a language code');
    expect(stderr).toContain("ja (Japanese)");
  });

  test("records of a JSON file may name their language; words of other formats tell it", async () => {
    const lines = [{ text: "Er kam am 3. Mai.", language: "de" }, { text: "He left." }];
    const file = join(folder, "records.jsonl");
    writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    const { stdout } = await parse(file);
    expect(records(stdout).map(({ language }) => language)).toEqual(["de", undefined]);
    const tree = join(folder, "german.mrg");
    writeFileSync(
      tree,
      "(S (NP (X die) (X Kinder)) (X gingen) (X durch) (X den) (X Park) (X heim))\n",
    );
    expect(records((await parse(tree)).stdout)).toMatchObject([{ language: "de" }]);
  });

  test("a pipe tells its language by what comes first", async () => {
    const args = ["parse", "--model", english, "--format", "json", "--lines", "-"];
    const { stdout } = await bracken(args, { input: `${TEN_LANGUAGES.is}\nJá.\n` });
    expect(records(stdout).map(({ language }) => language)).toEqual(["is", "is"]);
  });
});

describe("with bracken-multi installed", () => {
  const codes = Object.keys(TEN_LANGUAGES);
  const files = codes.map((code) => `${code}.txt`);
  const args = ["parse", "--format", "json", ...files];

  test("each document goes to the model that knows it, and the order is kept", async () => {
    const { code, stdout, stderr } = await bracken(args, { cwd: project });
    expect([code, stderr]).toEqual([0, ""]);
    const found = records(stdout);
    // The English model knows one language, so its records do not name it.
    expect(found.map(({ language }) => language)).toEqual(
      codes.map((each) => (each === "en" ? undefined : each)),
    );
    for (const [index, { tokens }] of found.entries()) {
      const text = TEN_LANGUAGES[codes[index] as string] as string;
      expect(tokens.join("")).toBe(text.replaceAll(" ", ""));
    }
  });

  test("a finished run is known by its models; with others it is another run", async () => {
    const out = join(folder, "trees.jsonl");
    const german = ["parse", "--format", "json", "de.txt", "-o", out];
    expect((await bracken(german, { cwd: project })).code).toBe(0);
    const before = readFileSync(out, "utf8");
    expect(records(before)).toMatchObject([{ language: "de" }]);
    const again = await bracken([...german, "--model", "bracken-multi"], { cwd: project });
    expect(again.code).toBe(0);
    expect(readFileSync(out, "utf8")).toBe(before);
  });

  test("a plan says which model and which language", async () => {
    const plan = join(folder, "plan");
    const made = await bracken(
      ["plan", "parse", "de.txt", "--parts", "1", "-o", plan, "-f", "json"],
      {
        cwd: project,
      },
    );
    expect(made.stderr).toBe("");
    expect(readFileSync(join(plan, "inputs.jsonl"), "utf8")).toContain('"language":"de"');
    expect(readFileSync(join(plan, "plan.json"), "utf8")).toContain("bracken-multi");
    const work = await bracken(["work", plan], { cwd: project });
    expect(work.code).toBe(0);
    const out = join(folder, "gathered.jsonl");
    expect((await bracken(["gather", plan, "-o", out], { cwd: project })).code).toBe(0);
    expect(records(readFileSync(out, "utf8"))).toMatchObject([{ language: "de" }]);
    expect(records(readFileSync(out, "utf8"))[0]).not.toHaveProperty("supported");
  });

  test("bracken model list and add say what there is, and how to get what there is not", async () => {
    const list = (cwd: string) => bracken(["model", "list"], { cwd });
    expect((await list(project)).stdout).toMatch(/bracken-multi +English \(en\), German \(de\)/);
    expect((await list(bare)).stdout).toContain("not installed: npm install bracken-multi");
    const add = (name: string, cwd: string) => bracken(["model", "add", name], { cwd });
    expect((await add("bracken-multi", project)).stdout).toContain("is installed");
    expect((await add("bracken-multi", bare)).stdout).toContain("npm install bracken-multi");
    expect((await add("bracken-xx", bare)).code).toBe(2);
    const parsed = await bracken(["parse", "--model", "bracken-multi", "He left."], { cwd: bare });
    expect(parsed.code).toBe(2);
    expect(parsed.stderr).toContain("npm install bracken-multi");
  });
});

test("the model of this repository's package parses all ten languages", async () => {
  const cwd = fileURLToPath(new URL("../..", import.meta.url));
  const files = Object.keys(TEN_LANGUAGES).map((code) => join(project, `${code}.txt`));
  const args = ["parse", "--model", "bracken-multi", "--format", "json", ...files];
  const { code, stdout } = await bracken(args, { cwd });
  expect(code).toBe(0);
  const parsed = records(stdout);
  // A short text that is not surely another is taken for the model's first language, without a note.
  const languages = parsed.map(({ language = "en" }) => language);
  expect(languages).toEqual(Object.keys(TEN_LANGUAGES));
  expect(parsed.filter(({ supported }) => supported === false)).toEqual([]);
});

test("a text without blanks is a text if it ends like a sentence", async () => {
  const text = "太郎は日本の大学に行った。";
  const { code, stdout } = await bracken(["parse", "--model", english, "--format", "json", text]);
  expect(code).toBe(0);
  expect(records(stdout)[0]?.language).toBe("ja");
});
