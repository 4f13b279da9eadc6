import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { writeTinyModel } from "../parser/tiny-model.js";
import { temporaryFolder } from "../temporary.js";
import { bracken } from "./run.js";

const folder = temporaryFolder();
let model: string;
const parse = (args: string[], input?: string | Uint8Array) =>
  bracken(
    ["parse", "--model", model, "--threads", "1", ...args],
    input === undefined ? {} : { input },
  );
const wordsOf = (penn: string) => penn.replace(/\((?:[^\s()]* )?|\)/g, "").trim();

beforeAll(async () => {
  model = await writeTinyModel(folder);
});

describe("input", () => {
  test("a text on the command line", async () => {
    const { code, stdout } = await parse(["The old man sat. A dog ran."]);
    expect(code).toBe(0);
    expect(stdout.trim().split("\n").map(wordsOf)).toEqual(["The old man sat .", "A dog ran ."]);
  });

  test("lines: a tree or an empty line for each, in order, whatever is in them", async () => {
    const odd = Buffer.concat([
      Buffer.from("the dog\r\n\n"),
      Buffer.from([0xff, 0x20, 0x61, 0x0a]),
      Buffer.from("one\na\u0007b c"),
    ]);
    const { code, stdout } = await parse(["-", "--lines"], gzipSync(odd));
    expect(code).toBe(0);
    expect(stdout.split("\n").slice(0, -1).map(wordsOf)).toEqual([
      "the dog",
      "",
      "\ufffd a",
      "one",
      "a \u0007 b c",
    ]);
  });

  test("tokens, JSON lines, CoNLL-U, Penn trees", async () => {
    const conllu = "# text\n1\tthe\t_\tDET\tDT\n2-3\tdu\n2\tdog\t_\tNOUN\t_\n\n1\tran\t_\t_\t_\n";
    const jsonl =
      '{"tokens": ["the", "dog"], "tags": ["DT", null]}\n{"text": "A dog ran."}\nnonsense\n';
    const penn = "(S (NP (DT the) (-NONE- *) (NN dog)) (VP (VBD ran)))";
    expect((await parse(["-", "--tokens"], "the-dog ran.\n")).stdout).toBe("(X the-dog ran.)\n");
    expect((await parse(["-", "--input", "conllu"], conllu)).stdout).toBe(
      "(X (DT the) (NOUN dog))\n( ran)\n",
    );
    const lines = await parse(["-", "--input", "jsonl"], jsonl);
    expect(lines.stdout.split("\n").map(wordsOf)).toEqual(["the dog", "A dog ran .", "", ""]);
    expect(lines.stderr).toContain("standard input:3: not valid JSON");
    expect((await parse(["-", "--input", "penn"], penn)).stdout).toMatch(
      /\(DT the\).*\(NN dog\).*\(VBD ran\)/,
    );
  });

  test("the form is told from the file's name", async () => {
    const file = join(folder, "x.conllu.gz");
    writeFileSync(file, gzipSync("1\tthe\n2\tdog\n"));
    expect((await parse([file])).stdout).toBe("(X the dog)\n");
  });

  test("a missing file and a missing model are errors", async () => {
    expect((await parse(["missing.conllu"])).code).toBe(2);
    const { code, stderr } = await bracken(["parse", "--model", join(folder, "none"), "a b"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("none: there is no such model")]);
  });
});

describe("output", () => {
  test("JSON with scores, probabilities and the k best", async () => {
    const { stdout } = await parse(
      ["-", "--lines", "-f", "json", "--scores", "--marginals", "--kbest", "3"],
      "the old dog ran\n\n",
    );
    const [record, problem] = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(record.tokens).toEqual(["the", "old", "dog", "ran"]);
    expect(record.offsets[1]).toEqual([4, 7]);
    expect(record.spans[0]).toMatchObject({
      begin: 0,
      end: 4,
      score: expect.any(Number),
      marginal: 1,
    });
    expect(record.alternatives).toHaveLength(2);
    expect(problem.error).toContain("standard input:2: an empty line");
  });

  test("constraints from markup; conflicts are told and take the sentence's place only", async () => {
    const input = "[the old dog] ran\n[the [old dog] ran\n[the old] dog ran\n";
    const { code, stdout, stderr } = await parse(["-", "--tokens", "--constrain"], input);
    expect(code).toBe(0);
    const lines = stdout.split("\n");
    expect(lines[0]).toMatch(/^\(X \(X .*dog\)+ ran\)$/);
    expect(lines[1]).toBe("");
    expect(lines[2]).toContain("(X the old)");
    expect(stderr).toContain("standard input:2: a '[' is never closed");
    const crossing =
      '{"tokens": ["a", "b", "c", "d"], "brackets": [[0, 2], [1, 3]]}\n{"tokens": ["a", "b"]}\n';
    const crossed = await parse(["-", "--input", "jsonl", "--constrain"], crossing);
    expect(crossed.stdout).toBe("\n(X a b)\n");
    expect(crossed.stderr).toContain("cross");
  });

  test("without punctuation, and drawn", async () => {
    expect(wordsOf((await parse(["the dog , ran .", "--no-punct"])).stdout)).toBe("the dog ran");
    expect((await parse(["the dog ran.", "-f", "text"])).stdout).toContain("the dog ran .");
  });

  test("parse piped into evaluate equals evaluate --model", async () => {
    const gold = "test/fixtures/gold.mrg";
    const trees = await parse([gold]);
    for (const protocol of ["nob", "kim"]) {
      const piped = await bracken(["evaluate", gold, "-", "-p", protocol, "--json"], {
        input: trees.stdout,
      });
      const direct = await bracken(["evaluate", gold, "--model", model, "-p", protocol, "--json"]);
      expect(direct.stdout).toBe(piped.stdout);
    }
  });
});
