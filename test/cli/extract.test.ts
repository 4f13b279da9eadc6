import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../temporary.js";
import { bracken } from "./run.js";

const folder = temporaryFolder();

const record = (id: string, text: string, ...brackets: [number, number][]) =>
  `${JSON.stringify({ tokens: text.split(" "), brackets, source: "test", id })}\n`;
const DATA =
  record("1", "the old man sat on a bench .", [0, 3], [4, 7], [0, 1]) +
  record("2", "it rained .", [0, 1]) +
  record("1", "the old man sat on a bench .", [3, 7]);

describe("extract", () => {
  test("reads standard input, merges, reports on standard error", async () => {
    const { code, stdout, stderr } = await bracken(["extract", "auto", "-"], {
      input: gzipSync(DATA),
    });
    expect(code).toBe(0);
    const records = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(records.map(({ id, brackets }) => [id, brackets.length])).toEqual([
      ["1", 4],
      ["2", 1],
    ]);
    expect(stderr).toBe("2 sentences, 5 brackets, 3 of two or more tokens\n");
  });

  test("cleans and counts what it leaves out", async () => {
    const { stdout, stderr } = await bracken(["extract", "jsonl", "-", "--clean", "--json"], {
      input: DATA,
    });
    expect(stdout.trim().split("\n")).toHaveLength(1);
    expect(JSON.parse(stderr)).toEqual({
      read: 3,
      written: 1,
      brackets: 3,
      multiToken: 3,
      bad: 0,
      dropped: { "single-word brackets": 2, "sentences without a multi-token bracket": 1 },
    });
  });

  test("folders are searched by the source's extensions; order is that of paths", async () => {
    mkdirSync(join(folder, "data"));
    for (const name of ["b", "a"])
      writeFileSync(join(folder, `data/${name}.jsonl`), record(name, `${name} x y`, [0, 2]));
    writeFileSync(join(folder, "data/LICENSE"), "words");
    const { stdout } = await bracken(["extract", "auto", join(folder, "data")]);
    expect(
      stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).id),
    ).toEqual(["a", "b"]);
  });

  test("--exclude keeps test sentences out", async () => {
    const gold = join(folder, "gold.mrg");
    writeFileSync(
      gold,
      "(S (NP (DT The) (JJ old) (NN man)) (VP (VBD sat) (PP (IN on) (NP (DT a) (NN bench)))) (. .))",
    );
    const { stdout, stderr } = await bracken(["extract", "auto", "-", "--exclude", gold], {
      input: DATA,
    });
    expect(JSON.parse(stdout).id).toBe("2");
    expect(stderr).toContain("left out: 1 excluded sentences");
  });

  test("a malformed line stops with its place and leaves no file; --skip-bad counts it", async () => {
    const bad = join(folder, "bad.jsonl");
    writeFileSync(bad, `${record("1", "a b c", [0, 2])}{"tokens": ["a"], "brackets": [[0, 5]]}\n`);
    const output = join(folder, "out.jsonl");
    const stopped = await bracken(["extract", "jsonl", bad, "-o", output]);
    expect([stopped.code, stopped.stdout]).toEqual([2, ""]);
    expect(stopped.stderr).toContain('bad.jsonl:2: "brackets"');
    expect(existsSync(output)).toBe(false);
    const tolerant = await bracken(["extract", "jsonl", bad, "-o", output, "--skip-bad"]);
    expect(tolerant.code).toBe(0);
    expect(tolerant.stderr).toContain("malformed, skipped: 1");
    expect(readFileSync(output, "utf8").trim().split("\n")).toHaveLength(1);
  });

  describe("--language", () => {
    const out = join(folder, "language.jsonl");
    const context = "Am 3. Mai Opa's Fest.";
    const paragraphs = [
      { context, qas: [{ id: "1", answers: [{ text: context, answer_start: 0 }] }] },
    ];
    const input = JSON.stringify({ data: [{ paragraphs }] });

    test("its rules split text into sentences and words", async () => {
      const { stdout } = await bracken(["extract", "squad", "-", "--language", "de-CH"], { input });
      expect(JSON.parse(stdout).tokens).toEqual(["Am", "3.", "Mai", "Opa's", "Fest", "."]);
    });

    test("what is no code is refused with a list of languages", async () => {
      const args = ["extract", "squad", "-", "--language", "german", "-o", out];
      const { code, stderr } = await bracken(args, { input });
      expect(code).toBe(2);
      expect(stderr).toContain('"german" is not a language code');
      expect(stderr).toContain("de (German)");
      expect(existsSync(out)).toBe(false);
    });

    test.each(["--english", "--clauses", "--take-determiners", "--add-parts", "--mark-flat"])(
      "%s is refused where the language has no grammar",
      async (flag) => {
        const args = ["extract", "squad", "-", "--language", "de", flag, "-o", out];
        const { code, stderr } = await bracken(args, { input });
        expect(code).toBe(2);
        expect(stderr).toContain("no rules for the phrases of German (de)");
        expect(stderr).toContain("en (English)");
        expect(existsSync(out)).toBe(false);
        args.splice(4, 1, "en");
        expect((await bracken(args, { input })).code).toBe(0);
        rmSync(out);
      },
    );
  });

  test("unknown sources are listed", async () => {
    const { code, stderr } = await bracken(["extract", "qasl", "-"]);
    expect(code).toBe(2);
    expect(stderr).toContain("qasrl-gs");
  });
});

describe("stats", () => {
  test("text, JSON and picture", async () => {
    const svg = join(folder, "stats.svg");
    const { code, stdout } = await bracken(["stats", "-", "--svg", svg], { input: DATA });
    expect(code).toBe(0);
    expect(stdout).toContain("sentences                         3\n");
    expect(readFileSync(svg, "utf8")).toContain("<svg");
    const json = await bracken(["stats", "-", "--json"], { input: DATA });
    expect(JSON.parse(json.stdout)).toMatchObject({ sentences: 3, brackets: 5 });
  });

  test("a picture is not called what it is not", async () => {
    const data = join(folder, "stats.jsonl");
    writeFileSync(data, DATA);
    for (const args of [
      ["stats", data, "--svg", join(folder, "stats.png")],
      ["plot", folder, "-o", join(folder, "stats.PNG")],
      ["convert", data, "-f", "svg", "-o", join(folder, "stats.pdf")],
    ]) {
      const { code, stderr } = await bracken(args);
      expect([code, stderr]).toEqual([2, expect.stringContaining("stats.svg,")]);
    }
    expect(existsSync(join(folder, "stats.png"))).toBe(false);
  });

  test("gold trees are found by tokens or by id", async () => {
    const gold = join(folder, "wsj_0001.mrg");
    writeFileSync(
      gold,
      "( (S (NP (DT the) (JJ old) (NN man)) (VP (VBD sat) (PP (IN on) (NP (DT a) (NN bench)))) (. .)))\n( (S (NP (PRP It)) (VP (VBD rained)) (. .)))",
    );
    const input = DATA + record("wsj_0001:2", "It thundered !", [0, 2]);
    const { stdout } = await bracken(["stats", "-", "--gold", gold, "--json"], { input });
    expect(JSON.parse(stdout).gold).toMatchObject({ sentences: 3, brackets: 5, constituent: 60 });
  });

  test("nothing to count is an error", async () => {
    const { code, stderr } = await bracken(["stats", "-"], { input: "" });
    expect(code).toBe(2);
    expect(stderr).toContain("no sentence");
  });
});
