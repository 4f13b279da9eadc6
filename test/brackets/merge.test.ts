import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type MergeBy, mergeSentences } from "../../src/brackets/merge.js";
import {
  type RawBracket,
  type RawSentence,
  toBracketing,
} from "../../src/brackets/raw-sentence.js";

async function merge(sentences: readonly RawSentence[], by: MergeBy, limit?: number) {
  const all: RawSentence[] = [];
  const stream = (async function* () {
    yield* sentences;
  })();
  for await (const each of mergeSentences(stream, { by, limit, shards: 3 })) all.push(each);
  return all.map((each) => toBracketing(each, { keepAnnotators: true }));
}

/** Weights in eighths, whose sums are exact in any order. */
const weight = fc.integer({ min: 1, max: 40 }).map((eighths) => eighths / 8);
const bracket = fc.record(
  {
    begin: fc.constant(0),
    end: fc.constantFrom(1, 2),
    kind: fc.constantFrom("answer", "link"),
    annotators: fc.uniqueArray(fc.constantFrom("p", "q", "r")),
    weight,
  },
  { requiredKeys: ["begin", "end", "kind"] },
);

const sentence: fc.Arbitrary<RawSentence> = fc.record({
  tokens: fc.constantFrom(
    ["a", "b", "c"],
    ["a", "b"],
    ["-LRB-", "x"],
    ["(", "x"],
    ["d", "e", "f", "g"],
  ),
  source: fc.constantFrom("one", "two"),
  id: fc.constantFrom("1", "2", "3"),
  brackets: fc.array(bracket, { maxLength: 3 }),
});

describe("merging", () => {
  test("spilling to disk changes nothing", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(sentence, { maxLength: 30 }),
        fc.constantFrom<MergeBy>("text", "id"),
        async (sentences, by) => {
          expect(await merge(sentences, by, 500)).toEqual(await merge(sentences, by));
        },
      ),
      { numRuns: 50 },
    );
  });

  test("each sentence once, in the order of first appearance, with all its brackets", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(sentence, { maxLength: 30 }), async (sentences) => {
        const merged = await merge(sentences, "text");
        const keys = (list: readonly { tokens: readonly string[] }[]) =>
          list.map(({ tokens }) => tokens.join(" ").replace("-LRB-", "("));
        expect(keys(merged)).toEqual([...new Set(keys(sentences))]);
        const spans = (list: readonly RawSentence[], key: string) =>
          new Set(
            list
              .filter((each) => keys([each])[0] === key)
              .flatMap(({ brackets }) =>
                brackets.map(({ begin, end, kind }) => `${begin},${end},${kind}`),
              ),
          ).size;
        for (const [index, key] of keys(merged).entries()) {
          expect(merged[index]?.brackets.length).toBe(spans(sentences, key));
        }
      }),
    );
  });

  test("people count once a source: the same name in another source is another person", async () => {
    const from = (source: string, ...annotators: string[]): RawSentence => ({
      tokens: ["a", "b"],
      source,
      id: "1",
      brackets: [{ begin: 0, end: 2, kind: "answer", annotators }],
    });
    const [merged] = await merge([from("x", "p"), from("x", "p", "q"), from("y", "p")], "text");
    expect(merged).toMatchObject({ weights: [3], source: "x+y" });
  });

  const weighed = (...brackets: Partial<RawBracket>[]): RawSentence => ({
    tokens: ["a", "b"],
    source: "x",
    id: "1",
    brackets: brackets.map((each) => ({ begin: 0, end: 2, kind: "answer", ...each })),
  });

  test.each<[rule: string, RawBracket["weight"], string[], ...Partial<RawBracket>[]]>([
    ["weights alone add up", 1.75, [], { weight: 0.5 }, { weight: 1.25 }],
    ["a bracket without either counts one", 2, [], {}, {}],
    ["people count once", 2, ["p", "q"], { annotators: ["p"] }, { annotators: ["p", "q"] }],
    ["a weight adds to people", 2.5, ["p"], { weight: 1.5 }, { annotators: ["p"] }],
    [
      "what a weight says beyond its people adds up",
      5,
      ["p", "q"],
      { annotators: ["p"], weight: 3 },
      { annotators: ["p", "q"], weight: 3 },
    ],
    [
      "a weight below the number of people takes nothing away",
      2,
      ["p", "q"],
      { annotators: ["p", "q"], weight: 0.25 },
      { annotators: ["p"], weight: 0.25 },
    ],
  ])("%s", async (_, weight, annotators, ...brackets) => {
    const expected = { weights: [weight], annotators: [annotators] };
    expect(await merge([weighed(...brackets)], "none")).toMatchObject([expected]);
    const apart = brackets.map((each) => weighed(each));
    expect(await merge(apart, "text")).toMatchObject([expected]);
    expect(await merge(apart.reverse(), "text")).toMatchObject([{ weights: [weight] }]);
  });

  test("the same id over other tokens is another sentence", async () => {
    const one = { source: "x", id: "1", brackets: [] };
    expect(
      await merge(
        [
          { ...one, tokens: ["a"] },
          { ...one, tokens: ["b"] },
        ],
        "id",
      ),
    ).toHaveLength(2);
    expect(
      await merge(
        [
          { ...one, tokens: ["a"] },
          { ...one, tokens: ["a"], id: "2" },
        ],
        "id",
      ),
    ).toHaveLength(2);
    expect(
      await merge(
        [
          { ...one, tokens: ["a"] },
          { ...one, tokens: ["a"], id: "2" },
        ],
        "text",
      ),
    ).toHaveLength(1);
    expect(
      await merge(
        [
          { ...one, tokens: ["a"] },
          { ...one, tokens: ["a"] },
        ],
        "none",
      ),
    ).toHaveLength(2);
  });
});
