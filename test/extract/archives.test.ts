/** Question-answer data in archives and among other files. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { Bracketing } from "../../src/brackets/record.js";
import { extract } from "../../src/extract/extract.js";
import { temporaryFolder } from "../temporary.js";
import { tar } from "./links/tar.js";

const folder = temporaryFolder();

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

async function read(path: string, source?: string) {
  const extraction = extract(path, { source });
  const records: Bracketing[] = [];
  for await (const record of extraction) records.push(record);
  return { ids: records.map(({ id }) => id), dropped: extraction.report.dropped };
}

const span = (id: string) =>
  `{"text": "The old man of ${id}.", "spans": [[0, 11]], "id": "${id}"}\n`;
const FILES = {
  "./b/two.jsonl": span("two"),
  "./LICENSE": "All rights.",
  "./a/one.jsonl": span("one"),
  "./a/notes.txt": "Not data at all.",
};

describe("archives", () => {
  test.each([
    ["plain", tar(FILES)],
    ["compressed", gzipSync(tar(FILES))],
  ])("%s: each file is an input, in the order of their names", async (_, bytes) => {
    const archive = file("data.tar", bytes);
    expect((await read(archive, "spans")).ids).toEqual(["one:0", "two:0"]);
    const { ids, dropped } = await read(archive);
    expect(ids).toEqual(["one:0", "two:0"]);
    expect(dropped.get("files of no known source")).toBe(1);
  });

  test("a malformed file is named with the archive", async () => {
    const archive = file("bad.tar", tar({ "x/bad.jsonl": `${span("one")}{"text": 5}\n` }));
    await expect(read(archive, "spans")).rejects.toThrow('bad.tar/x/bad.jsonl:2: "text" is not');
  });

  test("without data it is refused, with or without the name of the source", async () => {
    const archive = file("none.tar", tar({ LICENSE: "All rights." }));
    await expect(read(archive, "spans")).rejects.toThrow(
      "this archive has no file of a known kind",
    );
    const other = file("other.tar", tar({ "notes.txt": "Not data." }));
    await expect(read(other)).rejects.toThrow(
      "other.tar/notes.txt: the source of this file is not recognised",
    );
  });
});

test("in a folder, files of no known source are counted; named ones are refused", async () => {
  const data = join(folder, "data");
  mkdirSync(data);
  writeFileSync(join(data, "one.jsonl"), span("one"));
  writeFileSync(join(data, "readme.txt"), "Not data.");
  const { ids, dropped } = await read(data);
  expect(ids).toEqual(["one:0"]);
  expect(dropped.get("files of no known source")).toBe(1);
  await expect(read(join(data, "readme.txt"))).rejects.toThrow(
    "the source of this file is not recognised",
  );
});
