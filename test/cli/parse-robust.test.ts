/** `bracken parse` on whatever can be in a file: a tree or an error record for each line, in order. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { writeTinyModel } from "../model/tiny-model.js";
import { temporaryFolder } from "../temporary.js";
import { bracken, MAIN, ROOT } from "./run.js";

const folder = temporaryFolder();
let model: string;

beforeAll(async () => {
  model = await writeTinyModel(folder);
});

async function parse(content: string | Uint8Array, ...args: string[]) {
  const input = typeof content === "string" ? Buffer.from(content) : content;
  const outcome = await bracken(["parse", "-", "--model", model, "--threads", "1", ...args], {
    input,
  });
  expect(outcome.stderr).not.toContain("internal error");
  return outcome;
}

interface Line {
  readonly tokens?: string[];
  readonly text?: string;
  readonly fallback?: string;
  readonly error?: string;
}

async function parseJson(content: string | Uint8Array, ...args: string[]): Promise<Line[]> {
  const { code, stdout } = await parse(content, "-f", "json", ...args);
  expect(code).toBe(0);
  const lines = stdout.split("\n");
  expect(lines.pop()).toBe("");
  return lines.map((line) => JSON.parse(line));
}

describe("lines", () => {
  const long = Array.from({ length: 5000 }, (_, index) => (index % 2 ? "old" : "the")).join(" ");
  const bytes = (...values: number[]) => Buffer.from(values);
  const CASES: [name: string, line: string | Buffer, expected: Partial<Line>][] = [
    ["nothing", "", { error: "standard input:1: an empty line" }],
    ["blanks", " \t\u00a0\u3000", { error: "standard input:2: an empty line" }],
    ["one word", "dog", { tokens: ["dog"] }],
    ["5,000 words", long, { text: long, fallback: "over 1000 words: not parsed" }],
    ["control characters", "a\u0001b \u001b[0m\u007f", { text: "a\u0001b \u001b[0m\u007f" }],
    ["NUL", "a \u0000 b", { tokens: ["a", "\u0000", "b"] }],
    ["emoji", "👩‍👩‍👧 🙂🏽 ok", { text: "👩‍👩‍👧 🙂🏽 ok" }],
    ["invalid UTF-8", bytes(0xff, 0x20, 0xc3, 0x20, 0xe2, 0x82), { text: "\ufffd \ufffd \ufffd" }],
    ["right to left", "שלום עולם مرحبا", { tokens: ["שלום", "עולם", "مرحبا"] }],
    ["a byte order mark within", "\ufeffthe dog", { text: "\ufeffthe dog" }],
    [
      "other line ends",
      "a\u0085b\u2028c\u000bd\u000ce\rf",
      { text: "a\u0085b\u2028c\u000bd\u000ce\rf" },
    ],
    ["brackets", ") ( [ ] -LRB- {", { text: ") ( [ ] -LRB- {" }],
    [
      "10 MB",
      "a b ".repeat(2_600_000),
      { error: "standard input:13: a line of over 1048576 bytes" },
    ],
    ["a word of 1 MB", "x".repeat(1_000_000), { tokens: ["x".repeat(1_000_000)] }],
    ["combining marks", "e\u0301\u0301\u0301 \u0301", { text: "e\u0301\u0301\u0301 \u0301" }],
    ["the last", "the dog", { tokens: ["the", "dog"] }],
  ];
  const content = Buffer.concat(
    CASES.flatMap(([, line]) => [Buffer.from(line as string), Buffer.from("\n")]),
  );
  let found: Line[];

  beforeAll(async () => {
    found = await parseJson(content, "--lines");
    expect(found).toHaveLength(CASES.length);
  });

  test.each(CASES.map(([name, , expected], index) => [name, index, expected] as const))(
    "%s",
    (_, index, expected) => expect(found[index]).toMatchObject(expected),
  );

  test.each(["penn", "spans"])("the same number of lines as %s", async (format) => {
    const { code, stdout, stderr } = await parse(content, "--lines", "-f", format);
    expect([code, stdout.split("\n").length - 1]).toEqual([0, CASES.length]);
    expect(stderr).toContain("standard input:4: over 1000 words: not parsed");
    expect(stderr).toContain("standard input:13: a line of over 1048576 bytes");
  });

  test("drawings of many words are refused, in their place", async () => {
    const { code, stdout } = await parse(`the dog\n${long}\nthe man\n`, "--lines", "-f", "text");
    expect([code, stdout.split("\n\n").length]).toEqual([0, 4]);
    expect(stdout.split("\n\n")[1]).toBe(
      "error: standard input:2: 5000 words are too many for the format text (at most 1000)",
    );
  });

  test("more words than usual are parsed where they are allowed", async () => {
    const words = long.split(" ").slice(0, 1300).join(" ");
    const [line] = await parseJson(`${words}\n`, "--tokens", "--max-tokens", "1300");
    expect(line?.tokens?.join(" ")).toBe(words);
    expect(line?.fallback).toBeUndefined();
  });
});

describe("line ends", () => {
  const FILES: [format: string, content: string][] = [
    ["lines", "the dog\n\na man ran\n"],
    ["tokens", "the dog\n\na man ran"],
    ["text", "The dog ran. A man\nsat.\n\nThe door.\n"],
    ["jsonl", '{"tokens": ["a"]}\nnonsense\n{"text": "the dog"}\n'],
    ["conllu", "# x\n1\tthe\n2\tdog\n\n1\tran\n\n"],
    ["penn", "(S (NN dog))\n(S the\n  man)\n"],
  ];

  test.each(FILES)(
    "%s: Unix, Windows, old Macintosh; a byte order mark",
    async (format, content) => {
      const variants = ["\n", "\r\n", "\r"].map((end) => content.replaceAll("\n", end));
      const [unix, ...others] = await Promise.all(
        [...variants, `\ufeff${content}`].map((each) => parse(each, "--input", format)),
      );
      expect(unix?.code).toBe(0);
      expect(unix?.stdout).toContain("dog");
      for (const { stdout, stderr } of others)
        expect([stdout, stderr]).toEqual([unix?.stdout, unix?.stderr]);
    },
  );
});

describe("junk", () => {
  const seed = 20;
  const sample = <T>(arbitrary: fc.Arbitrary<T>, count: number) =>
    fc.sample(arbitrary, { numRuns: count, seed });
  const character = fc.oneof(
    fc.constantFrom(
      " ",
      "\t",
      ".",
      "(",
      ")",
      "[",
      "]",
      '"',
      "'",
      "\\",
      "-",
      "\r",
      "\u0000",
      "a",
      "é",
    ),
    fc.string({ unit: "binary", minLength: 1, maxLength: 1 }).filter((each) => each !== "\n"),
  );
  const bytes = fc.uint8Array({ maxLength: 30 }).map((each) => each.filter((byte) => byte !== 10));
  const line = fc.oneof(
    fc.array(character, { maxLength: 30 }).map((each) => Buffer.from(each.join(""))),
    bytes.map((each) => Buffer.from(each)),
  );
  const END = Buffer.from("\n");

  test("line k of the output belongs to line k of the input", async () => {
    const lines = sample(line, 3000);
    const found = await parseJson(Buffer.concat(lines.flatMap((each) => [each, END])), "--lines");
    expect(found).toHaveLength(lines.length);
    for (const [index, each] of lines.entries()) {
      const isMarked = index === 0 && each.toString("hex").startsWith("efbbbf");
      const text = new TextDecoder("utf-8", { ignoreBOM: !isMarked })
        .decode(each)
        .replace(/\r$/, "");
      const { text: own, error } = found[index] as Line;
      if (error === undefined) expect(own).toBe(text);
      else
        expect(error).toMatch(new RegExp(`^standard input:${index + 1}: (an empty line|no word)`));
    }
  });

  test("words, and brackets that may not close", async () => {
    const lines = sample(line, 1000);
    const content = Buffer.concat(lines.flatMap((each) => [each, END]));
    for (const args of [["--tokens"], ["--tokens", "--constrain"], ["--lines", "--constrain"]]) {
      const found = await parseJson(content, ...args);
      expect(found).toHaveLength(lines.length);
      for (const [index, { error }] of found.entries()) {
        if (error) expect(error).toMatch(new RegExp(`^standard input:${index + 1}: `));
      }
    }
  });

  test("JSON of any shape", async () => {
    const odd = fc.oneof(
      fc.json(),
      fc
        .record(
          {
            tokens: fc.oneof(fc.array(fc.string({ unit: "binary" })), fc.jsonValue()),
            tags: fc.jsonValue(),
            text: fc.oneof(fc.string({ unit: "binary" }), fc.jsonValue()),
            offsets: fc.jsonValue(),
            brackets: fc.oneof(fc.array(fc.tuple(fc.nat(3), fc.nat(3))), fc.jsonValue()),
          },
          { requiredKeys: [] },
        )
        .map((each) => JSON.stringify(each)),
    );
    const lines = sample(odd, 1000);
    const found = await parseJson(`${lines.join("\n")}\n`, "--input", "jsonl", "--constrain");
    expect(found).toHaveLength(lines.length);
    for (const [index, { error, tokens }] of found.entries()) {
      if (error) expect(error).toMatch(new RegExp(`^standard input:${index + 1}: `));
      else expect(tokens?.length).toBeGreaterThan(0);
    }
  });

  test("CoNLL-U: as many records as there are blocks", async () => {
    const row = fc.oneof(
      fc.constantFrom("# c", "1\tthe\t_\tDET", "2-3\tdu", "1.1\tx", "2\tdog\t_\t_\tNN\t\t\t\t\t|"),
      line.map((each) => each.toString("latin1").trim()).filter(Boolean),
    );
    const blocks = sample(fc.array(row, { minLength: 1, maxLength: 4 }), 500)
      .map((rows) => rows.join("\n"))
      .filter((block) => block.split("\n").some((each) => !each.startsWith("#")));
    for (const format of ["json", "conllu-misc"]) {
      const { code, stdout } = await parse(
        `${blocks.join("\n\n")}\n`,
        ...["--input", "conllu", "-f", format],
      );
      const ended = stdout.split(format === "json" ? "\n" : "\n\n").length - 1;
      expect([code, ended]).toEqual([0, blocks.length]);
    }
  });

  test("running text and trees: done, or an error with its place", async () => {
    const content = Buffer.concat(sample(line, 2000).flatMap((each) => [each, END]));
    expect((await parse(content, "--input", "text")).code).toBe(0);
    const { code, stderr } = await parse(content, "--input", "penn");
    expect([code, stderr]).toEqual([2, expect.stringMatching(/standard input:\d+:\d+: /)]);
  });
});

describe("memory does not grow with the input", () => {
  const REPORT =
    "data:text/javascript,process.on('exit',()=>process.stderr.write('peak '+process.resourceUsage().maxRSS))";
  /** Pipes the text through the command again and again; the lines it gives, and its peak in MB. */
  async function pipe(
    text: string,
    times: number,
    ...args: string[]
  ): Promise<{ lines: number; peak: number }> {
    const child = spawn(
      process.execPath,
      [
        ...["--max-old-space-size=64", "--import", REPORT, MAIN],
        ...["parse", "-", "--model", model, "--threads", "1", ...args],
      ],
      { cwd: ROOT },
    );
    let stderr = "";
    child.stderr.on("data", (chunk: Buffer) => {
      stderr += chunk;
    });
    let lines = 0;
    createInterface({ input: child.stdout }).on("line", () => {
      lines += 1;
    });
    const ended = once(child, "close");
    const chunk = Buffer.from(text);
    for (let sent = 0; sent < times; sent++) {
      if (!child.stdin.write(chunk)) await once(child.stdin, "drain");
    }
    child.stdin.end();
    const [code] = await ended;
    expect([code, stderr]).toEqual([0, expect.stringMatching(/peak \d+$/)]);
    return { lines, peak: Number(/peak (\d+)$/.exec(stderr)?.[1]) / 1024 };
  }

  const air = " ".repeat(20_000);
  const word = "x".repeat(30_000);

  test.each([
    ["one sentence a line", 200, `dog${air}\n${air}\n`, ["--lines"]],
    ["a single paragraph without line ends", 120, `The dog ${word}. The man ${word}. `, []],
    ["a single paragraph of many lines", 120, `The dog ${word}.\nThe man ${word}.\n`, []],
  ])("%s, %i MB", async (_, size, text, args) => {
    const times = Math.ceil((size * 1e6) / text.length);
    const { lines, peak } = await pipe(text, times, ...args, "-f", "spans");
    expect(lines).toBe(times * 2);
    expect(peak).toBeLessThan(220);
  });

  test("nothing ever ends", async () => {
    const file = join(folder, "endless.txt");
    writeFileSync(file, "word ".repeat(600_000));
    const { code, stdout } = await bracken([
      ...["parse", file, "--model", model, "--threads", "1", "-f", "spans"],
    ]);
    expect(code).toBe(0);
    expect(stdout.split("\n").length - 1).toBe(3);
    const unclosed = await parse(`( a ${" ".repeat(17_000_000)}`, "--input", "penn");
    expect([unclosed.code, unclosed.stderr]).toEqual([
      2,
      expect.stringContaining("no tree ends within 4194304 bytes"),
    ]);
  });
});
