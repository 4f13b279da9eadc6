/** Reading from a checkpoint gives the same, line numbers and places included, as reading from the beginning. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Checkpoint, Marks } from "../../src/files/checkpoint.js";
import { packingOf, readParts } from "../../src/files/input.js";
import { findLanguage } from "../../src/languages/index.js";
import type { InputFormat, RunInput } from "../../src/runs/inputs.js";
import { type InputItem, unitsOf } from "../../src/runs/units.js";
import { packings } from "../plans/packing.js";
import { temporaryFolder } from "../temporary.js";

const folder = temporaryFolder();
const options = { language: findLanguage("en") };

interface ReadUnit {
  readonly position: number;
  readonly checkpoint: Checkpoint | undefined;
  readonly items: readonly InputItem[];
}

/** All units from the beginning or from a checkpoint on, as plain values. */
async function read(input: RunInput, bytes: Uint8Array, from?: Checkpoint): Promise<ReadUnit[]> {
  const marks = new Marks(packingOf(bytes));
  const parts = readParts(input.name, { onMark: (mark) => marks.add(mark) }, from ?? 0);
  const found: ReadUnit[] = [];
  for await (const units of unitsOf(input, parts, options, from)) {
    for (const { position, start, items } of units) {
      const checkpoint = start && !from ? marks.checkpoint(start).checkpoint : undefined;
      found.push({ position, checkpoint, items: items() });
    }
  }
  return found;
}

function shown(units: readonly ReadUnit[]): string {
  return units.map(({ position, items }) => `${position} ${JSON.stringify(items)}\n`).join("");
}

/** @returns how many checkpoints there were to begin from. */
async function check(format: InputFormat, bytes: Uint8Array, ending: string): Promise<number> {
  const name = join(folder, `input${ending}`);
  writeFileSync(name, bytes);
  const input: RunInput = { name, format };
  const whole = await read(input, bytes);
  // A part begins with the first unit of a position.
  const begins = whole.flatMap(({ checkpoint, position }, at) =>
    checkpoint && position > (whole[at - 1]?.position ?? 0) ? [{ checkpoint, position, at }] : [],
  );
  const wanted = begins.filter((_, at) => at % Math.ceil(begins.length / 3) === 0);
  for (const { checkpoint, position, at } of wanted) {
    const rest = (await read(input, bytes, checkpoint)).filter((unit) => unit.position >= position);
    expect(shown(rest) === shown(whole.slice(at)), JSON.stringify(checkpoint)).toBe(true);
  }
  return begins.length;
}

const sentence = fc.constantFrom(
  "He left.",
  "Mr. Ångström of the U.S. said so!",
  "“Why?” she asked (in vain).",
  "🙂 שלום.",
  "\ufffd \ufffd",
  "word ".repeat(30),
  "",
);
const lineEnd = fc.constantFrom("\n", "\r\n", "\n\n", "\n \n");

const CONTENTS: Readonly<Record<InputFormat, fc.Arbitrary<string>>> = {
  text: joined(fc.tuple(sentence, fc.constantFrom(" ", "\n", "\n\n", "\r\n")), 300_000),
  lines: joined(fc.tuple(sentence, lineEnd)),
  tokens: joined(fc.tuple(sentence, lineEnd)),
  jsonl: joined(
    fc.tuple(fc.constantFrom('{"text":"He left."}', '{"tokens":["a","é"]}', "no"), lineEnd),
  ),
  conllu: joined(
    fc.tuple(
      fc.constantFrom("# n\n1\tthe\n2\tdog", "1\tא", "1\tthe"),
      fc.constantFrom("\n\n", "\n"),
    ),
  ),
  penn: joined(
    fc.tuple(
      fc.constantFrom("(S (NP he)\n (VP left))", "(S a) (S b)", "(())", "% note", "(X é)"),
      lineEnd,
    ),
  ),
};

/** Pieces one after the other, repeated until there is much of it. */
function joined(piece: fc.Arbitrary<[string, string]>, most = 60_000): fc.Arbitrary<string> {
  return fc
    .tuple(fc.array(piece, { minLength: 2, maxLength: 40 }), fc.integer({ min: 0, max: 3 }))
    .map(([pieces, size]) => {
      const once = pieces.flat().join("");
      const wanted = [100, 3000, 30_000, most][size] as number;
      return once.repeat(Math.max(1, Math.ceil(wanted / Math.max(1, once.length))));
    });
}

describe.each(Object.entries(CONTENTS) as [InputFormat, fc.Arbitrary<string>][])(
  "%s",
  (format, contents) => {
    test("from any checkpoint of a file, packed or not, the rest is the same", async () => {
      let begun = 0;
      await fc.assert(
        fc.asyncProperty(contents, async (text) => {
          for (const [ending, bytes] of packings(Buffer.from(text))) {
            begun += await check(format, bytes, ending);
          }
        }),
        { numRuns: 6 },
      );
      expect(begun).toBeGreaterThan(100);
    });
  },
);

test("old Macintosh lines, byte order marks and bytes that are no UTF-8", async () => {
  const returns = Buffer.from("He left.\rShe stayed.\r\rIt rained.\r".repeat(300));
  const mark = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from("A b.\n\n".repeat(20))]);
  const broken = Buffer.from("caf\xe9 au lait.\n\nna\xefve.\n".repeat(500), "latin1");
  for (const bytes of [returns, mark, broken]) {
    for (const format of ["lines", "text"] as const) {
      expect(await check(format, bytes, ".txt")).toBeGreaterThan(10);
    }
  }
});

test("a paragraph without end is cut where a line begins", async () => {
  const text = "The old man sat down by the door. He was tired of it all,\nand so was she.\n";
  expect(await check("text", Buffer.from(text.repeat(20_000)), ".txt")).toBeGreaterThan(5);
});
