import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { writeTinyModel } from "../model/tiny-model.js";
import { temporaryFolder } from "../temporary.js";
import { bracken, ROOT } from "./run.js";

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
    expect(lines[1]).toBe("(())");
    expect(lines[2]).toContain("(X the old)");
    expect(stderr).toContain("standard input:2: a '[' is never closed");
    const crossing =
      '{"tokens": ["a", "b", "c", "d"], "brackets": [[0, 2], [1, 3]]}\n{"tokens": ["a", "b"]}\n';
    const crossed = await parse(["-", "--input", "jsonl", "--constrain"], crossing);
    expect(crossed.stdout).toBe("(())\n(X a b)\n");
    expect(crossed.stderr).toContain("cross");
  });

  test("constraints in a text of several sentences, and in one that is given as words", async () => {
    const { stdout } = await parse([
      "The dog ran. A man [sat on] the [old [red bench]].",
      "--constrain",
    ]);
    const [first, second] = stdout.split("\n");
    expect(wordsOf(first as string)).toBe("The dog ran .");
    expect(second).toContain("(X sat on)");
    expect(second).toMatch(/\(X (old|\(X old) \(X red bench\)\)/);
    const words = await parse(["the-dog [ran by] x.", "--tokens", "--constrain"]);
    expect([wordsOf(words.stdout), words.stdout]).toEqual([
      "the-dog ran by x.",
      expect.stringContaining("(X ran by)"),
    ]);
    const open = await parse(["The [dog ran. It sat.", "--constrain"]);
    expect([open.code, open.stdout, open.stderr]).toEqual([
      2,
      "",
      expect.stringContaining("the text: a '[' is never closed"),
    ]);
  });

  test("without punctuation, and drawn", async () => {
    expect(wordsOf((await parse(["the dog , ran .", "--no-punct"])).stdout)).toBe("the dog ran");
    expect((await parse(["the dog ran.", "-f", "text"])).stdout).toContain("the dog ran .");
  });

  test.each([
    ["penn", /^\(X .*\)$/],
    ["json", /^\{"tokens":\["the","dog","ran"\],"spans":/],
    ["conllu-misc", /^# text = the dog ran\n1\tthe\t(_\t){7}Tree=\(X/],
    ["svg", /^<svg [\s\S]*<\/svg>$/],
    ["text", /the dog ran$/],
    ["latex", /^\\begin\{forest\}[\s\S]*\\end\{forest\}$/],
    ["spans", /^(\d-\d:X ?)+$/],
    ["pretty", /^\(X\s/],
    ["qtree", /\\Tree/],
  ])("%s: each sentence is ended, and what is none keeps its place", async (format, expected) => {
    const { code, stdout } = await parse(
      ["-", "--lines", "-f", format],
      "the dog ran\n\nthe dog\n",
    );
    const isBlock = !["penn", "json", "spans"].includes(format);
    const [first = "", second = "", third = "", rest] = stdout.split(isBlock ? "\n\n" : "\n");
    expect([code, rest]).toEqual([0, ""]);
    expect(first).toMatch(expected);
    expect(third).toContain(format === "spans" ? "0-2" : "dog");
    if (["penn", "spans", "pretty"].includes(format)) expect(second).toBe("");
    else expect(second).toContain("standard input:2: an empty line");
  });

  test("CoNLL-U keeps what it had, with and without punctuation, and is read again", async () => {
    const input = [
      "# sent_id = a",
      "1-2\tDu\t_\t_\t_\t_\t_\t_\t_\t_",
      "1\tde\tde\tADP\tP\t_\t3\tcase\t_\tGloss=of",
      "2\tle\tle\tDET\t_\t_\t3\tdet\t_\t_",
      "3\tchien\tchien\tNOUN\t_\t_\t0\troot\t_\tSpaceAfter=No",
      "4\t.\t.\tPUNCT\t_\t_\t3\tpunct\t_\t_",
      "",
      "x",
      "",
      "",
    ].join("\n");
    const args = ["-", "--input", "conllu", "-f", "conllu-misc"];
    const { stdout, stderr } = await parse(args, input);
    const withoutTrees = (text: string) =>
      text.replace(/\|Tree=.*$/gm, "").replace(/Tree=.*$/gm, "_");
    const [sentence, problem, rest] = stdout.split("\n\n");
    expect(`${withoutTrees(sentence as string)}\n\nx\n\n`).toBe(input);
    expect([problem, rest]).toEqual([expect.stringMatching(/^# error = .*line 8 has no word/), ""]);
    expect(stderr).toContain("standard input:8: line 8 has no word");
    const penn = await parse(["-", "--input", "conllu"], input);
    const converted = await bracken(["convert", "-"], { input: stdout });
    expect(converted.stdout).toBe(penn.stdout);
    const bare = await parse([...args, "--no-punct"], input);
    expect(bare.stdout).toMatch(/^4\t\..*\tpunct\t_\t_$/m);
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
      const input = readFileSync(join(ROOT, gold));
      const streamed = await bracken(
        ["evaluate", "-", "--model", model, "-p", protocol, "--json"],
        {
          input,
        },
      );
      expect(streamed.stdout).toBe(piped.stdout);
    }
  });
});
