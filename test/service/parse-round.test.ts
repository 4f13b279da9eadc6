/** Rounds cut into runs, and problems that stay where they are. */

import fc from "fast-check";
import { expect, test } from "vitest";
import type { SpanModel } from "../../src/model/span-model.js";
import { type Decoder, LocalDecoder } from "../../src/parser/decoder.js";
import { cutRuns, type Finished, RoundParser } from "../../src/service/parse-round.js";
import type { Task } from "../../src/service/task.js";

const task = (length: number, model = "m"): Task => ({
  model,
  input: { leaves: Array.from({ length }, (_, index) => ({ word: `w${index}` })) },
  options: { maxTokens: 100 },
});

/** What a cut costs: 40 words a run, and all sentences padded to the longest of their run. */
const costOf = (runs: readonly (readonly number[])[], lengths: readonly number[]) =>
  runs.reduce(
    (sum, run) => sum + 40 + run.length * Math.max(...run.map((at) => lengths[at] as number)),
    0,
  );

/** The cost of the best of all cuts of sorted lengths, tried one by one. */
function bruteForce(sorted: readonly number[]): number {
  if (sorted.length === 0) return 0;
  return Math.min(
    ...sorted.map((_, at) => {
      const [first, rest] = [sorted.slice(0, at + 1), sorted.slice(at + 1)];
      return 40 + first.length * (first.at(-1) as number) + bruteForce(rest);
    }),
  );
}

test("runs hold every wanted sentence once and are the cheapest there are", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 100 }), { maxLength: 9 }), (lengths) => {
      const tasks = lengths.map((length) => task(length));
      const runs = cutRuns(tasks, () => true);
      expect(runs.flat().sort((a, b) => a - b)).toEqual([...lengths.keys()]);
      expect(costOf(runs, lengths)).toBe(bruteForce(lengths.toSorted((a, b) => a - b)));
    }),
  );
  expect(cutRuns([task(3), task(5)], () => false)).toEqual([]);
});

/** A model that fails on some word, and at once with several sentences if one of them has it. */
function decoderOf(bad: string): Decoder {
  const model = {
    config: { decoding: "best" },
    async *scores(sentences: readonly (readonly string[])[]) {
      if (sentences.some((words) => words.includes(bad))) throw new Error("out of order");
      for (const [index, { length }] of sentences.entries()) {
        yield { index, scores: new Float32Array(length * length) };
      }
    },
  };
  return new LocalDecoder(model as unknown as SpanModel);
}

test("a sentence that fails takes no other with it, in any model", async () => {
  const rounds = new RoundParser(
    new Map([
      ["a", decoderOf("w4")],
      ["b", decoderOf("w9")],
    ]),
  );
  const tasks = [task(3, "a"), task(5, "a"), task(4, "a"), task(5, "b"), task(10, "b")];
  const finished: Finished[] = [];
  let last = 0;
  await rounds.parse(
    tasks,
    (done) => finished.push(...done),
    () => {
      last += 1;
    },
  );
  expect(last).toBe(1);
  const byIndex = finished.toSorted((a, b) => a.index - b.index).map(({ record }) => record);
  expect(byIndex.map(({ isProblem }) => isProblem)).toEqual([false, true, false, false, true]);
  expect(JSON.parse(byIndex[1]?.json ?? "").error).toContain("out of order");
  expect(JSON.parse(byIndex[3]?.json ?? "").tokens).toHaveLength(5);
});

test("a model that cannot parse anything is not the sentences' fault", async () => {
  const rounds = new RoundParser(new Map([["a", decoderOf("a")]]));
  const bad = { ...task(1, "a"), input: { leaves: [{ word: "a" }, { word: "c" }] } };
  const parse = rounds.parse(
    [bad, task(3, "a")],
    () => {},
    () => {},
  );
  await expect(parse).rejects.toThrow("out of order");
});
