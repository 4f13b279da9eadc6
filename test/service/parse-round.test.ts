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

test("runs hold every wanted sentence once, the shorter ones first, and end when they are full", () => {
  const lengths = fc.array(fc.integer({ min: 1, max: 100 }), { maxLength: 80 });
  fc.assert(
    fc.property(lengths, (sizes) => {
      const runs = cutRuns(
        sizes.map((size) => task(size)),
        () => true,
      );
      expect(runs.flat().sort((a, b) => a - b)).toEqual([...sizes.keys()]);
      const sizesOf = runs.map((run) => run.map((at) => sizes[at] as number));
      for (const [at, run] of sizesOf.entries()) {
        const before = sizesOf[at - 1];
        if (before) expect(Math.max(...before)).toBeLessThanOrEqual(Math.min(...run));
        const words = run.reduce((sum, size) => sum + size, 0);
        expect(words - (run.at(-1) as number)).toBeLessThan(1024);
        if (at > 0) expect(words).toBeGreaterThanOrEqual(1024);
      }
    }),
  );
  expect(cutRuns([task(3), task(5)], () => false)).toEqual([]);
});

/** A model that fails on some word, and at once with several sentences if one of them has it. */
function decoderOf(bad: string): Decoder {
  const model = {
    config: { decoding: "best" },
    async *passingScores(sentences: readonly (readonly string[])[]) {
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
