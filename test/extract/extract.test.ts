/** The library's `extract`: one way, one report and one set of options for all sources. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Bracketing, toLine } from "../../src/brackets/record.js";
import { InputError } from "../../src/errors.js";
import { type ExtractOptions, extract, SOURCES } from "../../src/extract/index.js";
import { temporaryFolder } from "../temporary.js";
import { dump, page } from "./links/helpers.js";

const folder = temporaryFolder();

function file(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

async function readAll(
  files: string | readonly string[],
  options: ExtractOptions = {},
): Promise<Bracketing[]> {
  const records: Bracketing[] = [];
  for await (const record of extract(files, options)) records.push(record);
  return records;
}

const TEXT = "The [[old roof of the house]] fell. It rained. He saw [[the old river]]. ";
const wiki = file("wiki.xml", dump(...Array.from({ length: 60 }, (_, id) => page(id, TEXT))));
const answers = file(
  "answers.jsonl",
  Array.from({ length: 20 }, (_, id) =>
    toLine({
      tokens: ["The", "old", "roof", "of", "the", "house", "fell", String(id)],
      brackets: [
        [0, 6],
        [0, 3],
      ],
      source: "mine",
      id: String(id),
    }),
  ).join(""),
);

describe("all sources go one way", () => {
  test("documents give the same, named or recognised", async () => {
    const named = await readAll(wiki, { source: "wikipedia" });
    expect(named).toHaveLength(120);
    expect(named[0]).toMatchObject({
      source: "wikipedia",
      id: "0:0",
      targets: [expect.anything()],
    });
    expect(await readAll(wiki)).toEqual(named);
  });

  test("documents and answers together, in the order of the inputs", async () => {
    const extraction = extract([wiki, answers], { english: true, clean: true });
    const records: Bracketing[] = [];
    for await (const record of extraction) records.push(record);
    const apart = await Promise.all(
      [wiki, answers].map((name) => readAll(name, { english: true, clean: true })),
    );
    expect(records).toEqual(apart.flat());
    expect(extraction.report).toMatchObject({ pages: 60, written: records.length });
  });

  test.each([
    ["documents", wiki],
    ["answers", answers],
  ])("%s: entries that only mark others do not count as brackets", async (_, name) => {
    const options = { addParts: true, markFlat: true };
    const extraction = extract(name, options);
    const kinds: string[] = [];
    for await (const record of extraction) kinds.push(...(record.kinds ?? []));
    const marks = kinds.filter((kind) => kind === "chunk" || kind === "fragment");
    expect(marks.length).toBeGreaterThan(0);
    expect(extraction.report.brackets).toBe(kinds.length - marks.length);
    expect(extraction.report.multiToken).toBe(extraction.report.brackets);
  });

  test("sentences without a bracket, on request", async () => {
    const bare = file("bare.jsonl", toLine({ tokens: ["a"], brackets: [], source: "x", id: "1" }));
    expect(await readAll(bare)).toEqual([]);
    expect(await readAll(bare, { allSentences: true })).toHaveLength(1);
    expect(await readAll(wiki, { allSentences: true })).toHaveLength(180);
  });

  test("annotators, on request", async () => {
    const [plain] = await readAll(wiki);
    const [record] = await readAll(wiki, { keepAnnotators: true });
    expect(plain).not.toHaveProperty("annotators");
    expect(record).toEqual({ ...plain, annotators: [["0"]] });
  });

  test("a source of one's own", async () => {
    const source = {
      name: "mine",
      summary: "",
      extensions: [".txt"],
      recognises: () => false,
      read: async function* () {
        yield {
          tokens: ["a", "b"],
          source: "mine",
          id: "1",
          brackets: [{ begin: 0, end: 2, kind: "x" }],
        };
      },
    };
    expect(await readAll(wiki, { source })).toMatchObject([{ source: "mine", weights: [1] }]);
  });
});

describe("signals", () => {
  test.each([
    ["documents", wiki],
    ["answers", answers],
  ])("%s: an aborted signal ends the work with its reason", async (_, name) => {
    const controller = new AbortController();
    const extraction = extract(name, { signal: controller.signal, merge: "none" });
    const reason = new Error("enough");
    const read = async () => {
      for await (const _ of extraction) controller.abort(reason);
    };
    await expect(read()).rejects.toBe(reason);
    expect(extraction.report.written).toBeGreaterThan(0);
    await expect(readAll(name, { signal: controller.signal })).rejects.toBe(reason);
  });
});

describe("options are checked", () => {
  const wrong: [option: string, value: unknown][] = [
    ["source", "qasl"],
    ["source", 7],
    ["clean", "yes"],
    ["merge", "words"],
    ["maxTokens", 0],
    ["maxTokens", Number.NaN],
    ["minAnnotators", -1],
    ["kinds", "link"],
    ["exclude", "gold.mrg"],
    ["blocks", ["footnote"]],
    ["sample", 7],
    ["seed", 0.5],
    ["shard", { number: 3, of: 2 }],
    ["threads", 1e6],
    ["signal", {}],
    ["clen", true],
  ];
  test.each(wrong)("%s: %j", async (option, value) => {
    const options = { [option]: value } as ExtractOptions;
    const failure = await readAll(wiki, options).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(InputError);
    expect((failure as InputError).message).toContain(`"${option}"`);
  });

  test("what is for documents is refused for answers, and the other way round", async () => {
    for (const option of [{ sample: 0.5 }, { shard: { number: 1, of: 2 } }, { blocks: [] }]) {
      const [name = ""] = Object.keys(option);
      await expect(readAll(answers, option)).rejects.toThrow(`"${name}" is for documents`);
    }
    for (const option of [{ merge: "text" }, { dropNearDuplicates: true }] as const) {
      await expect(readAll(wiki, option)).rejects.toThrow("one by one");
    }
    await expect(readAll(wiki, { kinds: ["lnik"] })).rejects.toThrow(
      '"kinds" must be a list of link',
    );
  });

  test("every source is known by its name", async () => {
    for (const { name } of SOURCES) {
      const failure = await readAll(join(folder, "none"), { source: name }).catch(String);
      expect(failure).toContain("no such file");
    }
  });
});
