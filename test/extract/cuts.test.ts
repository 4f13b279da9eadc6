import fc from "fast-check";
import { expect, test } from "vitest";
import { cutMatches } from "../../src/extract/cuts.js";

test("every character that stays is found where it has moved", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("a", "b", "[", "1", "]") }), (whole) => {
      const cut = cutMatches(whole, /\[1*\]/g);
      if (!cut) {
        expect(whole).not.toMatch(/\[1*\]/);
        return;
      }
      const gone = new Set(
        [...whole.matchAll(/\[1*\]/g)].flatMap(({ 0: match, index }) =>
          Array.from(match, (_, offset) => index + offset),
        ),
      );
      const kept = [...whole].map((_, place) => place).filter((place) => !gone.has(place));
      expect(cut.text).toBe(kept.map((place) => whole[place]).join(""));
      expect(kept.map((place) => cut.moved(place))).toEqual(kept.map((_, index) => index));
      expect(cut.moved(whole.length)).toBe(cut.text.length);
    }),
  );
});
