/** Enough sentences for the command to start threads. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { writeTinyModel } from "../model/tiny-model.js";
import { temporaryFolder } from "../temporary.js";
import { WORDS } from "../training/tiny-encoder.js";
import { bracken } from "./run.js";

const folder = temporaryFolder();
const LINES = 2500;
let file: string;
let model: string;

/** Sentences of 1 to 17 words, no two neighbours alike; every 97th line is empty. */
function line(index: number): string {
  if (index % 97 === 96) return "";
  const length = 1 + ((index * 7) % 17);
  return Array.from({ length }, (_, at) => WORDS[(index * 5 + at * 3) % WORDS.length]).join(" ");
}

beforeAll(async () => {
  model = await writeTinyModel(folder);
  file = join(folder, "sentences.txt");
  writeFileSync(file, Array.from({ length: LINES }, (_, index) => `${line(index)}\n`).join(""));
});

describe("parsing in bulk", () => {
  test.each(["fp32", "int8"])(
    "by threads gives line for line what one gives (%s)",
    async (precision) => {
      const run = (threads: string) =>
        bracken([
          ...["parse", "--model", model, "--tokens", file, "--threads", threads],
          ...["--precision", precision, "--format", "json"],
        ]);
      const [alone, together] = [await run("1"), await run("2")];
      expect([alone.code, together.code]).toEqual([0, 0]);
      const [one, two] = [alone, together].map(({ stdout }) => stdout.trimEnd().split("\n"));
      expect(one).toHaveLength(LINES);
      expect(two).toEqual(one);
      for (const [index, text] of (two as string[]).entries()) {
        const { tokens, error } = JSON.parse(text) as { tokens?: string[]; error?: string };
        if (line(index) === "") expect(error).toContain(`sentences.txt:${index + 1}`);
        else expect(tokens?.join(" ")).toBe(line(index));
      }
    },
  );

  test("a constraint that cannot be met is a problem of its line alone", async () => {
    const lines = Array.from({ length: 1100 }, (_, index) =>
      index === 7 ? "[a b" : "[the dog] ran",
    );
    const marked = join(folder, "marked.txt");
    writeFileSync(marked, `${lines.join("\n")}\n`);
    const { stdout, stderr, code } = await bracken([
      ...["parse", "--model", model, "--tokens", "--constrain", marked, "--threads", "2"],
    ]);
    const trees = stdout.trimEnd().split("\n");
    expect([code, trees.length, trees[7]]).toEqual([0, 1100, "(())"]);
    expect(trees[8]).toBe("(X (X the dog) ran)");
    expect(stderr).toContain("marked.txt:8");
  });
});
