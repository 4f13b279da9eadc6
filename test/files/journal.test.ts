/** A journal: what was acknowledged is in the file, whatever happened, and nothing that failed is. */

import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { Journal } from "../../src/files/journal.js";
import { temporaryFolder } from "../temporary.js";

const root = temporaryFolder();
const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const fresh = () => join(mkdtempSync(join(root, "journal-")), "log.jsonl");
const read = (file: string) => readFileSync(file, "utf8");
const isWhole = (line: string) => line.endsWith(".");
/** More operations than the child makes. */
const MOST = 60;

function runChild(file: string, env: Record<string, string>): string {
  const args = ["--import", here("faults.js"), here("journal-child.js"), file];
  const options = { env: { ...process.env, ...env }, encoding: "utf8" } as const;
  return spawnSync(process.execPath, args, options).stdout;
}

const linesOf = (text: string, prefix: string) =>
  text.split("\n").flatMap((line) => (line.startsWith(prefix) ? [line.slice(prefix.length)] : []));

describe.each(["KILL", "ENOSPC", "EIO"])("%s at every file operation", (fault) => {
  test("lines that were acknowledged are there, once and in order", () => {
    let at = 1;
    for (; at < MOST; at++) {
      const file = fresh();
      const said = runChild(file, { FAULT: fault, FAULT_AT: String(at) });
      const onDisk = linesOf(said, "on disk: ");
      // What the next run finds when it begins; the fault may have come before the file was made.
      const again = linesOf(runChild(file, {}), "on disk: ");
      expect(again).toHaveLength(5);
      const all = read(file).split("\n").slice(0, -1);
      const before = all.slice(0, -5);
      expect(all.slice(-5).sort(), `operation ${at}`).toEqual([...again].sort());
      expect(before.slice(0, onDisk.length).sort(), `operation ${at}`).toEqual([...onDisk].sort());
      if (fault !== "KILL") expect(before, `operation ${at}`).toHaveLength(onDisk.length);
      expect(readdirSync(join(file, ".."))).toEqual(["log.jsonl"]);
      if (onDisk.length === 5) break;
    }
    expect(at).toBeGreaterThan(6);
    expect(at).toBeLessThan(MOST);
  }, 120_000);
});

test("a last line that is cut off goes, one that only lacks its line break stays", async () => {
  const file = fresh();
  for (const [text, left] of [
    ["one.\ntw", "one.\n"],
    ["one.\ntwo.", "one.\ntwo.\n"],
    ["", ""],
    ["on", ""],
  ] as const) {
    writeFileSync(file, text);
    const journal = await Journal.open(file, isWhole);
    await journal.append("three.\n");
    await journal.close();
    expect(read(file)).toBe(`${left}three.\n`);
  }
});

test("one process, and one of its journals, writes at a time; a link leads to the same file", async () => {
  const file = fresh();
  const journal = await Journal.open(file, isWhole);
  await expect(Journal.open(file, isWhole)).rejects.toThrow("has been writing this");
  const link = join(file, "..", "link.jsonl");
  symlinkSync(file, link);
  await expect(Journal.open(link, isWhole)).rejects.toThrow("has been writing this");
  expect(runChild(file, {})).toContain(`process ${process.pid} has been writing this`);
  await journal.append("one.\n");
  await journal.close();
  const other = await Journal.open(link, isWhole);
  await other.append("two.\n");
  await other.close();
  expect(read(file)).toBe("one.\ntwo.\n");
});

test("what cannot grow is refused", async () => {
  const folder = join(fresh(), "..");
  await expect(Journal.open(folder, isWhole)).rejects.toThrow("this is a folder");
  await expect(Journal.open("/dev/null", isWhole)).rejects.toThrow("not an ordinary file");
  await expect(Journal.open(join(folder, "a.gz"), isWhole)).rejects.toThrow("compressed");
  await expect(Journal.open(join(folder, "no", "a"), isWhole)).rejects.toThrow("no such file");
});
