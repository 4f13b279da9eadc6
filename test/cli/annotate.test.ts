/** `bracken annotate` as people use it: in a terminal, with keys; and from a pipe. */

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { type AnswerEvent, parseEvent } from "../../src/brackets/annotation-log.js";
import { sentenceLines } from "../../src/cli/question-screen.js";
import { writeTinyCorpus } from "../annotate/tiny-corpus.js";
import { writeTinyModel } from "../model/tiny-model.js";
import { temporaryFolder } from "../temporary.js";
import { bracken, MAIN } from "./run.js";

const root = temporaryFolder();
const corpus = join(root, "corpus.txt");
let model = "";

beforeAll(async () => {
  model = await writeTinyModel(root, { decoding: "phrases" });
  writeTinyCorpus(corpus, 60);
});

const freshLog = () => join(mkdtempSync(join(root, "run-")), "my.jsonl");
const argumentsFor = (log: string, ...more: string[]) => {
  const never = more.includes("--learn-every") ? [] : ["--learn-every", "0"];
  return ["annotate", corpus, "--from", model, "--by", "ann", "-o", log, ...never, ...more];
};
const eventsOf = (log: string) =>
  readFileSync(log, "utf8")
    .split("\n")
    .slice(0, -1)
    .map((line) => parseEvent(line) as AnswerEvent);

describe("from a pipe", () => {
  test("letters are answers; the same command goes on", async () => {
    const log = freshLog();
    const first = await bracken(argumentsFor(log), { input: "ynsuyq" });
    expect([first.code, first.stderr]).toEqual([
      0,
      expect.stringContaining("3 answers, 0 skipped"),
    ]);
    const said = eventsOf(log).map((event) => ("undo" in event ? "undo" : event.verdict));
    expect(said).toEqual(["yes", "no", "skip", "undo", "yes"]);
    expect(first.stdout).toContain("Is this a phrase?");
    // No code of a terminal where there is none.
    expect(first.stdout).not.toContain("\u001b");
    const second = await bracken(argumentsFor(log), { input: "yy" });
    expect(second.stderr).toContain("5 answers");
    const ids = eventsOf(log).flatMap(({ question, verdict }) =>
      verdict === "yes" ? question : [],
    );
    expect(new Set(ids).size).toBe(4);
    expect(readdirSync(join(log, ".."))).toEqual(["my.jsonl"]);
  });

  test("everything can be asked, and then it says so", async () => {
    const log = freshLog();
    const few = join(log, "../few.txt");
    writeFileSync(few, "the old man sat .\n\na dog ran by the door .\n");
    const args = ["annotate", few, "--from", model, "-o", log, "--learn-every", "0"];
    const { code, stdout } = await bracken(args, { input: "s".repeat(200) });
    expect(code).toBe(0);
    expect(stdout).toContain("There are no more questions");
    const { stdout: again } = await bracken(args, { input: "s" });
    expect(again).toContain("There are no more questions");
  });

  test("bad input is refused, and leaves nothing behind", async () => {
    const log = freshLog();
    const cases: [string[], string][] = [
      [["annotate", "no/such.txt", "-o", log], "no/such.txt"],
      [["annotate", corpus, "-o", log, "--from", "nothing"], "there is no such model"],
      [["annotate", corpus, "-o", log, "--held-back", "2"], "a number from 0 to 1"],
      [["annotate", corpus], "--out"],
    ];
    for (const [args, message] of cases) {
      const { code, stderr } = await bracken(args);
      expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    }
    expect(existsSync(log)).toBe(false);
    writeFileSync(log, "not a log\n");
    const { code, stderr } = await bracken(argumentsFor(log));
    expect([code, stderr]).toEqual([2, expect.stringContaining(`${log}:1: not valid JSON`)]);
  });
});

const hasScript = spawnSync("script", ["--version"]).status === 0;
if (!hasScript) console.warn('SKIPPED: "in a terminal" needs script(1) of util-linux');

/** A command in a pseudo-terminal. */
class Terminal {
  readonly child: ChildProcess;
  readonly exited: Promise<number | null>;
  #output = "";

  constructor(args: readonly string[], env: Record<string, string> = {}) {
    const command = [process.execPath, MAIN, ...args].map((each) => `'${each}'`).join(" ");
    // The size first: a pseudo-terminal of a pipe has none.
    const inside = `stty cols 60 rows 24; exec ${command}`;
    this.child = spawn("script", ["-qec", inside, "/dev/null"], {
      env: { ...process.env, TERM: "xterm", ...env },
    });
    this.child.stdout?.on("data", (chunk: Buffer) => {
      this.#output += chunk;
    });
    this.exited = new Promise((resolve) => this.child.once("close", resolve));
  }

  press(keys: string): void {
    this.child.stdin?.write(keys);
  }

  get output(): string {
    return this.#output;
  }

  /** What was written after the last time that the screen was erased. */
  get screen(): string {
    return this.#output.slice(this.#output.lastIndexOf("\u001b[J") + 3);
  }
}

const [UP, DOWN, RIGHT, LEFT] = ["A", "B", "C", "D"].map((letter) => `\u001b[${letter}`) as [
  string,
  string,
  string,
  string,
];

describe.skipIf(!hasScript)("in a terminal", () => {
  const asked = (terminal: Terminal) =>
    expect.poll(() => terminal.screen).toContain("Is this a phrase?");
  /** Presses a key and waits until the next question tells so many answers: before that, keys do not count. */
  const press = async (terminal: Terminal, keys: string, answers: number) => {
    terminal.press(keys);
    await expect.poll(() => terminal.screen).toMatch(new RegExp(`(?<!\\d)${answers} answers?, `));
  };

  test("keys answer, mark other words, undo and quit", async () => {
    const log = freshLog();
    const terminal = new Terminal(argumentsFor(log));
    await asked(terminal);
    await press(terminal, "y", 1);
    await press(terminal, "N", 2);
    await press(terminal, "u", 1);
    // Marking other words: the first one moves, then the last one.
    const { tokens, span } = eventsOf(log)[1] as AnswerEvent;
    const [begin, end] = span;
    const toTheLeft = begin > 0;
    terminal.press(toTheLeft ? LEFT : RIGHT);
    await expect.poll(() => terminal.screen).toContain("these words are the phrase");
    terminal.press(end < tokens.length ? UP : DOWN);
    terminal.press("\r");
    await expect.poll(() => terminal.screen).toContain("2 answers, ");
    const { verdict, right } = eventsOf(log)[3] as AnswerEvent;
    expect([verdict, right]).toEqual([
      "no",
      [begin + (toTheLeft ? -1 : 1), end + (end < tokens.length ? 1 : -1)],
    ]);
    terminal.press("q");
    expect(await terminal.exited).toBe(0);
    expect(terminal.output).toContain("my.jsonl: 2 answers");
    expect(readdirSync(join(log, ".."))).toEqual(["my.jsonl"]);
  });

  test("Ctrl-C ends it in good order; killing it loses nothing", async () => {
    const log = freshLog();
    const first = new Terminal(argumentsFor(log));
    await asked(first);
    await press(first, "y", 1);
    first.press("\u0003");
    expect(await first.exited).toBe(0);
    const second = new Terminal(argumentsFor(log));
    await asked(second);
    await press(second, "n", 2);
    const [lock = ""] = readdirSync(join(log, "..")).filter((name) => name.endsWith(".lock"));
    process.kill(Number(/jsonl\.(\d+)-/.exec(lock)?.[1]), "SIGKILL");
    await second.exited;
    const third = await bracken(argumentsFor(log), { input: "q" });
    expect(third.stderr).toContain("2 answers");
    expect(readdirSync(join(log, ".."))).toEqual(["my.jsonl"]);
  });

  test("it learns meanwhile, says what that gave, and leaves the terminal clean", async () => {
    const log = freshLog();
    const terminal = new Terminal(argumentsFor(log, "--learn-every", "8"), { NO_COLOR: "1" });
    await asked(terminal);
    for (let answers = 1; answers <= 10; answers++) {
      await press(terminal, answers % 3 === 0 ? "n" : "y", answers);
    }
    await expect
      .poll(() => terminal.output, { timeout: 40_000 })
      .toContain("learnt from 8 answers");
    expect(terminal.output).toMatch(/agree with \d of 2 held-back answers/);
    // Nothing of the process that learns gets onto the screen.
    expect(terminal.output).not.toContain("sentences/s");
    expect(terminal.output.split("\u001b[").filter((each) => /^[\d;]*m/.test(each))).toEqual([]);
    terminal.press("q");
    expect(await terminal.exited).toBe(0);
  });
});

describe("the sentence on the screen", () => {
  const plain = (text: string) => text;

  test("is as it was written, wrapped, with brackets around the span", () => {
    const text = "In May, the old man (who lived here) left the house by the sea.";
    const tokens = text.match(/[\w]+|[^\s\w]/g) as string[];
    let at = 0;
    const offsets = tokens.map((token) => {
      at = text.indexOf(token, at);
      at += token.length;
      return [at - token.length, at] as const;
    });
    const question = { id: "q", tokens, text, offsets, span: [3, 11] as const };
    expect(sentenceLines(question, [3, 11], 30, plain)).toEqual([
      "  In May, [the old man (who",
      "  lived here)] left the house",
      "  by the sea.",
    ]);
    expect(sentenceLines({ id: "q", tokens, span: [0, 2] }, [0, 2], 80, plain)[0]).toBe(
      "  [In May] , the old man ( who lived here ) left the house by the sea .",
    );
  });

  test("cannot move the cursor, whatever a document holds", () => {
    const tokens = ["a\u001b[2Jb", "c\u202ed", "e"];
    const [line] = sentenceLines({ id: "q", tokens, span: [0, 2] }, [0, 2], 80, plain);
    expect(line).toBe("  [a\u00b7[2Jb c\u00b7d] e");
  });
});
