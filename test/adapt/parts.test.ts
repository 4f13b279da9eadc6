/** The parts of an adaptation that need no training. */

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Answers } from "../../src/adapt/answers.js";
import { documentFiles, readDocuments } from "../../src/adapt/documents.js";
import { naturalBrackets } from "../../src/adapt/gather.js";
import { Sample } from "../../src/adapt/sample.js";
import { newModelConfig } from "../../src/model/config.js";
import { temporaryFolder } from "../temporary.js";
import { TINY_CONFIG } from "../training/tiny-encoder.js";

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);

function file(name: string, text: string): string {
  mkdirSync(dirname(at(name)), { recursive: true });
  writeFileSync(at(name), text);
  return at(name);
}

describe("a sample", () => {
  test("is the same in any order, without repetitions, and no larger than wanted", () => {
    const words = fc.array(fc.constantFrom(..."abcdefghijklmnopqrstuvwxyz".split("")));
    fc.assert(
      fc.property(words, fc.integer({ min: 1, max: 8 }), (keys, size) => {
        const sampled = (items: readonly string[]) => {
          const sample = new Sample<string>(size, 7);
          for (const item of items) sample.add(item, item);
          return sample.items();
        };
        const found = sampled(keys);
        expect(found).toHaveLength(Math.min(size, new Set(keys).size));
        expect([...sampled([...keys].reverse())].sort()).toEqual([...found].sort());
        expect(found).toEqual([...new Set(keys)].filter((key) => found.includes(key)));
      }),
    );
  });
});

describe("documents", () => {
  const config = newModelConfig(TINY_CONFIG);
  const read = async (names: string[], source?: string) => {
    const found: { source: string; text: string; kinds: string[] }[] = [];
    const files = await documentFiles(names, { source });
    for await (const record of readDocuments(files, config, { source })) {
      const kinds = naturalBrackets(record).map(({ kind }) => kind);
      found.push({ source: record.source, text: record.tokens.join(" "), kinds });
    }
    return found;
  };

  test("of all kinds are read from a folder, each by its source", async () => {
    file(
      "all/a.md",
      "# The old bridge\n\nWe crossed [the old bridge](x.md) in *the early morning*.\n",
    );
    file("all/b.html", '<html><p>They saw <a href="/x">a red door</a> there.</p></html>');
    file("all/c.txt", 'She said "the last train" was late (by two hours).\n\nNobody\nknew why.\n');
    file("all/d.wiki", "He wrote [[Letter|a long letter]] to her.\n");
    file(
      "all/e.jsonl",
      '{"tokens": ["the", "dog", "ran"], "brackets": [[0, 2]], "source": "own"}\n',
    );
    file("all/f.mrg", "(S (NP (DT the) (NN cat)) (VP (VBD sat)))\n");
    expect(await read([at("all")])).toEqual([
      { source: "markdown", text: "The old bridge", kinds: [] },
      {
        source: "markdown",
        text: "We crossed the old bridge in the early morning .",
        kinds: ["link", "emphasis"],
      },
      { source: "html", text: "They saw a red door there .", kinds: ["link"] },
      {
        source: "text",
        text: 'She said " the last train " was late ( by two hours ) .',
        kinds: ["quote", "parenthesis"],
      },
      { source: "text", text: "Nobody knew why .", kinds: [] },
      { source: "wikitext", text: "He wrote a long letter to her .", kinds: ["link"] },
      { source: "own", text: "the dog ran", kinds: ["bracket"] },
    ]);
  });

  test("an archive needs the name of its source", async () => {
    const archive = file("docs.tar.gz", "");
    await expect(read([archive])).rejects.toThrow("an archive can hold documents of any kind");
    await expect(read([archive], "sgml")).rejects.toThrow('there is no source "sgml"');
  });
});

test("answers join the marks of the same sentence, and outrank them", () => {
  const tokens = ["We", "saw", "the", "old", "bridge", "."];
  const record = (source: string, brackets: [number, number][], kinds: string[]) => {
    return { tokens, brackets, kinds, source, id: "1", weights: brackets.map(() => 1) };
  };
  const answers = new Answers();
  answers.add(record("annotations", [[1, 5]], ["annotation"]));
  answers.add(record("annotations", [[3, 5]], ["fragment"]));
  const other = { ...record("annotations", [[0, 2]], ["fragment"]), tokens: ["a", "b", "c"] };
  answers.add(other);
  const marked = record(
    "markdown",
    [
      [2, 5],
      [3, 5],
    ],
    ["link", "emphasis"],
  );
  const [first, second, ...rest] = answers.addTo([marked]);
  expect(first?.brackets.map((bracket, at) => `${bracket} ${first.kinds?.[at]}`)).toEqual([
    "1,5 annotation",
    "2,5 link",
    "3,5 fragment",
  ]);
  expect([second, rest]).toEqual([other, []]);
  expect([answers.has(tokens), answers.has(["a"])]).toEqual([true, false]);
});
