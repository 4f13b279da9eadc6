/**
 * What newcomers read first is run as it is written, in a folder of its own for each document: files are written, commands
 * are run one after the other, and their output is that of the document. `BRACKEN_UPDATE_DOCS=1` writes the output of
 * commands into the documents instead of comparing it.
 */

import { spawn } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { MAIN, ROOT } from "./cli/run.js";
import { BLOCKS, type Block, DOCUMENTS, FENCED, hasLabels } from "./documents.js";
import { writeTinyPaper } from "./experiments/tiny-paper.js";
import { temporaryFolder } from "./temporary.js";
import { writeTinyEncoder } from "./training/tiny-encoder.js";

const folder = temporaryFolder();
const TUTORIALS = DOCUMENTS.filter((name) => /^docs\/(start|tutorials)\//.test(name));

/** What readers have and documents do not show. */
const GIVEN: Readonly<Record<string, (place: string) => void | Promise<void>>> = {
  "docs/tutorials/my-docs-to-my-parser.md": (place) => {
    mkdirSync(join(place, "handbook"));
    for (const name of ["answers.md", "links.md", "page.md", "evaluation.md"]) {
      copyFileSync(join(ROOT, "docs", name), join(place, "handbook", name));
    }
  },
  "docs/tutorials/reproduce-the-paper.md": async (place) => {
    writeTinyPaper(join(place, "data"));
    await writeTinyEncoder(join(place, "tiny"));
  },
};

/** What takes readers minutes or hours is done with less. */
const LESS: readonly (readonly [RegExp, string])[] = [
  [/--minutes 15/g, "--steps 3 --threads 1"],
  [/(reproduce table[23] .*)--seeds 3/g, "$1--seeds 1 --steps 2 --encoder tiny --threads 1"],
];

const wordsOf = ({ info }: Block) => info.split(" ");
const fileOf = (block: Block) => /\bfile=(\S+)/.exec(block.info)?.[1];
const isCommand = (block: Block) => block.info.startsWith("sh") && wordsOf(block).includes("run");
const isOutput = (block: Block) => wordsOf(block).includes("output");
const needsLabels = (block: Block) => wordsOf(block).includes("labels");

/** Installs bracken into a folder as npm would, but by links. */
function install(place: string): void {
  mkdirSync(join(place, "node_modules/.bin"), { recursive: true });
  symlinkSync(ROOT, join(place, "node_modules/bracken"), "junction");
  const command = join(place, "node_modules/.bin/bracken");
  writeFileSync(command, `#!/bin/sh\nexec "${process.execPath}" "${MAIN}" "$@"\n`);
  chmodSync(command, 0o755);
}

async function runShell(code: string, place: string): Promise<string> {
  const script = LESS.reduce((text, [long, short]) => text.replace(long, short), code);
  const path = `${join(place, "node_modules/.bin")}:${process.env.PATH}`;
  const child = spawn("bash", ["-euo", "pipefail", "-c", script.replaceAll("npx ", "")], {
    cwd: place,
    env: { ...process.env, PATH: path },
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk;
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk;
  });
  const status = await new Promise((resolve) => child.on("close", resolve));
  expect(status, `${script}\n${stderr}`).toBe(0);
  return stdout;
}

/** Writes the output of a command into the document, in place of what is there. */
function update(block: Block, output: string): void {
  const path = join(ROOT, block.document);
  const text = readFileSync(path, "utf8");
  const changed = text.replace(FENCED, (whole, info: string, code: string) =>
    info === block.info && code === block.code ? `\`\`\`${info}\n${output}\`\`\`` : whole,
  );
  writeFileSync(path, changed);
}

const tidy = (text: string) => `${text.replace(/[ \t]+$/gm, "").trimEnd()}\n`;

async function follow(document: string, place: string): Promise<number> {
  let [commands, output] = [0, ""];
  for (const block of BLOCKS.filter((each) => each.document === document)) {
    const file = fileOf(block);
    if (file?.startsWith("..")) {
      expect(block.code, file).toBe(readFileSync(join(ROOT, dirname(document), file), "utf8"));
    } else if (file) {
      mkdirSync(dirname(join(place, file)), { recursive: true });
      writeFileSync(join(place, file), block.code);
    } else if (isCommand(block)) {
      const isLeftOut = needsLabels(block) && !hasLabels;
      output = isLeftOut ? "" : tidy(await runShell(block.code, place));
      if (!isLeftOut) commands++;
    } else if (isOutput(block) && output !== "") {
      if (process.env.BRACKEN_UPDATE_DOCS) update(block, output);
      else expect(output, block.title).toBe(tidy(block.code));
    }
  }
  return commands;
}

describe("documents for newcomers", () => {
  const isShown = (document: string) => BLOCKS.some((each) => each.document === document);

  test.each(TUTORIALS.filter(isShown))("%s", { timeout: 300_000 }, async (document) => {
    const place = join(folder, document.replaceAll("/", "-"));
    install(place);
    await GIVEN[document]?.(place);
    const wanted = BLOCKS.filter(
      (each) => each.document === document && isCommand(each) && (hasLabels || !needsLabels(each)),
    );
    expect(await follow(document, place)).toBe(wanted.length);
  });

  test("every tutorial runs commands or programs", () => {
    const isRun = (block: Block) =>
      isCommand(block) || (block.info.startsWith("ts") && !block.info.includes("no-run"));
    const idle = TUTORIALS.filter((name) => name.startsWith("docs/tutorials/")).filter(
      (name) => !BLOCKS.some((block) => block.document === name && isRun(block)),
    );
    expect(idle).toEqual([]);
  });
});
