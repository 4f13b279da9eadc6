/** Inputs that can be read only once, and inputs that never end: every command, with real pipes. */

import { spawnSync } from "node:child_process";
import { createWriteStream, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { writeTinyModel } from "../model/tiny-model.js";
import { temporaryFolder } from "../temporary.js";
import { tinyData } from "../training/tiny-encoder.js";
import { bracken } from "./run.js";

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);
const TREES = "(S (NP (DT the) (NN dog)) (VP (VBD ran)))\n".repeat(3);
let model: string;

beforeAll(async () => {
  model = await writeTinyModel(folder);
  writeFileSync(at("trees.mrg"), TREES);
  writeFileSync(at("data.jsonl"), tinyData(40));
  writeFileSync(at("text.txt"), "the dog ran\nthe old man sat\n");
  writeFileSync(at("page.md"), "See [the old page](x.html) now.\n");
});

let pipes = 0;

/** A FIFO that a file's contents come out of, once. */
async function pipe(content: string | Uint8Array): Promise<string> {
  const fifo = at(`pipe-${pipes++}`);
  expect(spawnSync("mkfifo", [fifo]).status).toBe(0);
  const writer = createWriteStream(fifo);
  // A command that has seen enough closes the pipe.
  finished(writer).catch(() => {});
  writer.end(content);
  return fifo;
}

describe.runIf(process.platform !== "win32")("pipes by name are read as files are", () => {
  const COMMANDS: [name: string, input: string, args: string[]][] = [
    ["convert", "trees.mrg", ["convert", "INPUT"]],
    ["evaluate", "trees.mrg", ["evaluate", "INPUT", "trees.mrg"]],
    ["evaluate, the other", "trees.mrg", ["evaluate", "trees.mrg", "INPUT"]],
    ["baseline", "trees.mrg", ["baseline", "right", "INPUT"]],
    ["stats", "data.jsonl", ["stats", "INPUT"]],
    ["stats, gold", "trees.mrg", ["stats", "data.jsonl", "--gold", "INPUT"]],
    ["extract", "data.jsonl", ["extract", "jsonl", "INPUT"]],
    ["extract, recognised", "data.jsonl", ["extract", "auto", "INPUT"]],
    ["extract, excluding", "trees.mrg", ["extract", "auto", "data.jsonl", "--exclude", "INPUT"]],
    ["extract, pages", "page.md", ["extract", "markdown", "INPUT"]],
    ["parse", "text.txt", ["parse", "--lines", "INPUT", "-m", "MODEL"]],
    ["parse, trees", "trees.mrg", ["parse", "--input", "penn", "INPUT", "-m", "MODEL"]],
    ["distil", "data.jsonl", ["distil", "INPUT", "-m", "MODEL"]],
  ];

  test.each(COMMANDS)(
    "%s",
    async (_, name, args) => {
      const content = readFileSync(at(name));
      const run = async (input: string) => {
        const known: Record<string, string> = { INPUT: input, MODEL: model };
        const files = (arg: string) => (/^\w+\.(mrg|jsonl)$/.test(arg) ? at(arg) : arg);
        const outcome = await bracken(args.map((arg) => known[arg] ?? files(arg)));
        const hide = (text: string) => text.replaceAll(input, "INPUT");
        return { ...outcome, stdout: hide(outcome.stdout), stderr: hide(outcome.stderr) };
      };
      const expected = await run(at(name));
      expect(expected.code).toBe(0);
      expect(await run(await pipe(content))).toEqual(expected);
      expect(await run(await pipe(gzipSync(content)))).toEqual(expected);
    },
    60_000,
  );

  test("train, with the same record of what it learnt from", async () => {
    const settings = async (input: string, out: string) => {
      const args = ["--encoder", at("encoder"), "--steps", "2", "--out", at(out), "--threads", "1"];
      const { code, stderr } = await bracken(["train", input, ...args]);
      expect([code, stderr]).toEqual([0, expect.stringContaining("finished after 2 steps")]);
      return JSON.parse(readFileSync(at(`${out}/training/settings.json`), "utf8")).data[0].sha256;
    };
    const piped = await settings(await pipe(readFileSync(at("data.jsonl"))), "from-pipe");
    expect(piped).toBe(await settings(at("data.jsonl"), "from-file"));
  }, 60_000);

  test("/dev/stdin is standard input, and like it is named once", async () => {
    const piped = await bracken(["convert", "/dev/stdin"], { input: TREES });
    expect([piped.code, piped.stdout]).toEqual([0, TREES]);
    const twice = await bracken(["convert", "-", "/dev/stdin"], { input: TREES });
    expect([twice.code, twice.stderr]).toEqual([2, expect.stringContaining("given twice")]);
  });

  test("are not cut into shards", async () => {
    const shard = ["--shard", "1/2", "-m", model];
    const { code, stderr } = await bracken(["parse", "--lines", await pipe("a b\n"), ...shard]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("write it to a file first")]);
  });
});

describe("a line without an end is refused, in time and memory that are bounded", () => {
  const LENGTH = 300 << 20;
  const bombs = new Map<string, string>();

  beforeAll(() => {
    mkdirSync(at("bombs"));
    const long = Buffer.alloc(LENGTH, "a");
    for (const [name, head] of [
      ["word", ""],
      ["record", '{"tokens": ["'],
      ["array", '[[["'],
      ["open", "("],
    ] as const) {
      long.fill(name === "open" ? "(" : "a").write(head);
      const file = at(`bombs/${name}.gz`);
      writeFileSync(file, gzipSync(long, { level: 1 }));
      bombs.set(name, file);
    }
  }, 120_000);

  test.each([
    ["stats", "record", ["stats"]],
    ["convert", "record", ["convert"]],
    ["convert, a word", "word", ["convert"]],
    ["convert, brackets", "open", ["convert"]],
    ["extract", "record", ["extract", "jsonl"]],
    ["extract, an array", "array", ["extract", "jsonl"]],
    ["extract, SQuAD", "word", ["extract", "squad"]],
    ["extract, pages", "record", ["extract", "wikipedia", "--threads", "1"]],
    ["train", "record", ["train", "--out", at("never"), "--encoder", at("encoder")]],
    ["distil", "record", ["distil", "-m", at("model")]],
    ["evaluate", "open", ["evaluate", at("trees.mrg")]],
    ["parse, trees", "open", ["parse", "--input", "penn", "-m", at("model")]],
  ])(
    "%s",
    async (_, bomb, args) => {
      const [command = "", ...rest] = args;
      const { code, stderr } = await bracken([command, ...rest, bombs.get(bomb) as string], {
        nodeOptions: ["--max-old-space-size=1200"],
      });
      expect([code, stderr]).toEqual([
        2,
        expect.stringMatching(/over \d+ (characters|bytes)|no tree ends within \d+|expected '\('/),
      ]);
    },
    60_000,
  );
});
