import { describe, expect, test } from "vitest";
import { Cleaner } from "../../src/brackets/clean.js";
import { type Bracketing, parseBracketing, toLine } from "../../src/brackets/record.js";

const record: Bracketing = {
  tokens: ["The", "red", "deer", "ran", "."],
  brackets: [
    [0, 3],
    [1, 3],
    [3, 5],
  ],
  source: "wikipedia",
  id: "7:0",
  kinds: ["emphasis", "link", "link"],
  targets: ["", "Red deer", "Running"],
  page: { id: "7", title: "Deer" },
};

describe("pages and targets of a Bracketing", () => {
  test("are read as they are written", () => {
    expect(parseBracketing(toLine(record))).toEqual(record);
  });

  test.each([
    ["targets", ["a"], '"targets" must hold one string for each bracket'],
    ["targets", ["a", "b", 3], '"targets" must hold one string for each bracket'],
    ["annotators", ["a", "b", "c"], '"annotators" must hold one list of names for each bracket'],
    ["weights", [1, 0, 1], '"weights" must hold one number above 0 for each bracket'],
    ["kinds", ["a", "b", ""], '"kinds" must hold one string for each bracket'],
    ["page", "Deer", '"page" must be of the form'],
    ["page", { id: 7, title: "Deer" }, '"page" must be of the form'],
    ["page", null, '"page" must be of the form'],
  ])("%s: %j is refused", (key, value, message) => {
    expect(() => parseBracketing(JSON.stringify({ ...record, [key]: value }))).toThrow(message);
  });

  test("annotators stay beside their brackets, and unite where brackets become one", () => {
    const cleaner = new Cleaner({ trimPunctuation: true, dropSingle: true }, () => {});
    const given: Bracketing = {
      ...record,
      brackets: [
        [0, 3],
        [2, 5],
        [2, 4],
        [0, 1],
      ],
      weights: [1.5, 2, 1, 1],
      annotators: [[], ["p", "q"], ["q"], ["r"]],
      kinds: ["link", "link", "link", "link"],
      targets: ["a", "b", "c", "d"],
    };
    expect(cleaner.clean(given)).toMatchObject({
      brackets: [
        [0, 3],
        [2, 4],
      ],
      weights: [1.5, 3],
      annotators: [[], ["p", "q"]],
      targets: ["a", "b"],
    });
  });

  test("stay beside their brackets when others go", () => {
    const cleaner = new Cleaner({ kinds: new Set(["link"]), trimPunctuation: true }, () => {});
    expect(cleaner.clean(record)).toMatchObject({
      brackets: [
        [1, 3],
        [3, 4],
      ],
      kinds: ["link", "link"],
      targets: ["Red deer", "Running"],
      page: { id: "7", title: "Deer" },
    });
  });
});
