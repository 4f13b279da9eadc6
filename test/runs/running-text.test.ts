import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { splitParts } from "../../src/files/lines.js";
import { type Passage, passages } from "../../src/runs/running-text.js";
import { splitSentences } from "../../src/text/index.js";

async function read(bytes: Uint8Array): Promise<Passage[]> {
  const found: Passage[] = [];
  async function* parts() {
    for (let at = 0; at < bytes.length; at += 10_000) {
      yield { bytes: bytes.subarray(at, at + 10_000), position: at, exact: true };
    }
  }
  for await (const passage of passages(splitParts(parts(), 1 << 16))) found.push(passage);
  return found;
}

const sentencesIn = (text: string) =>
  splitSentences(text).map(({ begin, end }) => text.slice(begin, end));

describe("running text", () => {
  test("blank lines part paragraphs, which know their lines", async () => {
    const found = await read(Buffer.from("One. Two\nlines.\n\n \nThree.\r\n\r\nFour."));
    expect(found.map(({ text, line }) => [text, line])).toEqual([
      ["One. Two\nlines.", 1],
      ["Three.", 5],
      ["Four.", 7],
    ]);
  });

  const part = fc.constantFrom(
    "He left. ",
    "Mr. Ångström of the U.S. said so!\n",
    "“Why?” she asked (in vain). ",
    "It was 3.5 m long, e.g. here; No. 5 is ",
    "🙂 שלום. ",
    "word ".repeat(40),
    "The end.\n- A list.\n",
  );

  test("a paragraph of any length gives the sentences that it would give as a whole", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(part, { minLength: 5, maxLength: 60 }), async (parts) => {
        const once = parts.join("");
        const text = once.repeat(Math.ceil(300_000 / once.length)).trim();
        const found = await read(Buffer.from(text));
        expect(found.flatMap((passage) => sentencesIn(passage.text))).toEqual(sentencesIn(text));
        const isLong = splitSentences(text).some(({ begin, end }) => end - begin > 60_000);
        expect(isLong || found.every((passage) => passage.text.length < 140_000)).toBe(true);
        const places = found.map(({ position }) => position);
        expect(places).toEqual(places.toSorted((a, b) => a - b));
        for (const [index, passage] of found.entries()) {
          const before = found.slice(0, index).map((each) => each.text);
          expect(passage.line).toBe(before.join("").split("\n").length);
        }
      }),
      { numRuns: 20 },
    );
  });

  test.each([
    ["words", "猫 "],
    ["no blank", "🙂"],
    ["blanks", "\t "],
  ])("without an end of a sentence it is cut all the same: %s", async (_, unit) => {
    const text = unit.repeat(1_500_000 / unit.length);
    const found = await read(Buffer.from(text));
    expect(found.map((passage) => passage.text).join("") === text).toBe(true);
    expect(found.every((passage) => passage.text.length < 1_200_000)).toBe(true);
    expect(found.every((passage) => passage.text.isWellFormed())).toBe(true);
  });
});
