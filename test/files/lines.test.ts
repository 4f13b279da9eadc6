import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Part } from "../../src/files/input.js";
import { type LinePiece, splitParts } from "../../src/files/lines.js";

async function split(chunks: readonly Uint8Array[], limit?: number): Promise<LinePiece[]> {
  const pieces: LinePiece[] = [];
  async function* parts(): AsyncGenerator<Part> {
    let position = 0;
    for (const bytes of chunks) {
      yield { bytes, position, exact: true };
      position += bytes.length;
    }
  }
  for await (const list of splitParts(parts(), limit)) pieces.push(...list);
  return pieces;
}

const textOf = ({ bytes }: LinePiece) => Buffer.from(bytes).toString("latin1");
const content = fc.string({ unit: fc.constantFrom("a", "b", "\n", "\r", "\r\n"), maxLength: 40 });
/** Cuts a text into chunks at the given places. */
const cut = (text: string, places: readonly number[]) => {
  const edges = [0, ...places.map((at) => at % (text.length + 1)).sort((a, b) => a - b), undefined];
  return edges
    .slice(0, -1)
    .map((from, index) => Buffer.from(text.slice(from, edges[index + 1]), "latin1"));
};

describe("lines", () => {
  test("are those between newlines; of files without any, those between carriage returns", async () => {
    await fc.assert(
      fc.asyncProperty(content, fc.array(fc.nat(100)), async (text, places) => {
        const expected = text.split(text.includes("\n") ? "\n" : "\r");
        if (expected.at(-1) === "") expected.pop();
        const pieces = await split(cut(text, places));
        expect(pieces.map(textOf)).toEqual(expected.map((line) => line.replace(/\r$/, "")));
        expect(pieces.map(({ line }) => line)).toEqual(expected.map((_, index) => index + 1));
        for (const piece of pieces) {
          expect(text.startsWith(textOf(piece), piece.position)).toBe(true);
          expect(piece.position === 0 || /[\r\n]/.test(text[piece.position - 1] as string)).toBe(
            true,
          );
        }
      }),
      { numRuns: 500 },
    );
  });

  test("longer ones than the limit come in pieces that do not depend on the chunks", async () => {
    await fc.assert(
      fc.asyncProperty(
        content,
        fc.array(fc.nat(100)),
        fc.integer({ min: 1, max: 5 }),
        async (text, places, limit) => {
          const pieces = await split(cut(text, places), limit);
          expect(pieces).toEqual(await split([Buffer.from(text, "latin1")], limit));
          expect(pieces.every(({ bytes }) => bytes.length <= limit)).toBe(true);
          const joined: string[] = [];
          for (const piece of pieces) {
            if (piece.begins) joined.push("");
            joined[joined.length - 1] += textOf(piece);
          }
          const whole = (await split(cut(text, places))).map(textOf);
          expect(joined.map((line) => line.replace(/\r$/, ""))).toEqual(
            whole.map((line) => line.replace(/\r$/, "")),
          );
        },
      ),
      { numRuns: 500 },
    );
  });

  test("a carriage return within lines that end with newlines is part of its line", async () => {
    expect((await split([Buffer.from("a\rb\nc\rd\r\n")])).map(textOf)).toEqual(["a\rb", "c\rd"]);
  });

  test("a part of very many lines comes in several lists", async () => {
    async function* part(): AsyncGenerator<Part> {
      yield { bytes: Buffer.alloc(10_000, "\n"), position: 0, exact: true };
    }
    const sizes: number[] = [];
    for await (const list of splitParts(part())) sizes.push(list.length);
    expect(sizes.reduce((sum, size) => sum + size)).toBe(10_000);
    expect(Math.max(...sizes)).toBeLessThan(1000);
  });
});
