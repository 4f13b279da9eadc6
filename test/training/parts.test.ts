import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Random } from "../../src/random.js";
import { type DataSet, type Example, readDataSet } from "../../src/training/examples.js";
import { Objective } from "../../src/training/objective.js";
import { Sampler } from "../../src/training/sampler.js";
import { PRESETS, scheduleFactor, type TrainSettings } from "../../src/training/settings.js";
import { temporaryFolder } from "../temporary.js";

const folder = temporaryFolder();

function example(length: number, ...brackets: [number, number][]): Example {
  return {
    words: Array.from({ length }, (_, index) => `w${index}`),
    brackets: brackets.map(([begin, end]) => ({ begin, end })),
    weights: brackets.map((_, index) => index + 1),
  };
}

describe("schedule", () => {
  const at = (decay: TrainSettings["decay"]) => (step: number) =>
    scheduleFactor(step, { steps: 100, warmup: 20, decay });

  test("rises in a line, then stays or falls to 0", () => {
    expect([1, 10, 20].map(at("constant"))).toEqual([0.05, 0.5, 1]);
    expect([60, 100].map(at("constant"))).toEqual([1, 1]);
    expect([60, 100].map(at("linear"))).toEqual([0.5, 0]);
    expect(at("cosine")(60)).toBeCloseTo(0.5, 12);
    expect(at("cosine")(100)).toBeCloseTo(0, 12);
  });

  test("needs no warm-up", () => {
    expect(scheduleFactor(1, { steps: 10, warmup: 0, decay: "constant" })).toBe(1);
  });
});

describe("sampler", () => {
  const set = (size: number, weight = 1, name = "s"): DataSet => ({
    name,
    weight,
    hash: "",
    validation: [],
    examples: Array.from({ length: size }, (_, index) => ({
      ...example(2 + (index % 30)),
      words: [name, `${index}`, ...Array(index % 30).fill("x")],
    })),
  });

  test("each epoch has every sentence once, in batches of similar length", () => {
    const sampler = new Sampler([set(1000)], 8, 1);
    for (let epoch = 0; epoch < 2; epoch++) {
      const batches = Array.from({ length: 125 }, () => sampler.next());
      expect(new Set(batches.flat().map(({ words }) => words[1])).size).toBe(1000);
      const spread = batches.map((batch) => {
        const lengths = batch.map(({ words }) => words.length);
        return Math.max(...lengths) - Math.min(...lengths);
      });
      expect(spread.reduce((sum, value) => sum + value, 0) / 125).toBeLessThan(3);
    }
  });

  test("goes on from a saved state", () => {
    fc.assert(
      fc.property(fc.nat(60), fc.integer(), (steps, seed) => {
        const sets = [set(50, 1, "a"), set(30, 2, "b")];
        const sampler = new Sampler(sets, 4, seed);
        for (let step = 0; step < steps; step++) sampler.next();
        const resumed = new Sampler(sets, 4, seed, JSON.parse(JSON.stringify(sampler.state)));
        for (let step = 0; step < 30; step++) expect(resumed.next()).toEqual(sampler.next());
      }),
      { numRuns: 20 },
    );
  });

  test("draws from data sets by their weights", () => {
    const sampler = new Sampler([set(40, 3, "a"), set(40, 1, "b")], 4, 7);
    const drawn = Array.from({ length: 2000 }, () => sampler.next()[0]?.words[0]);
    expect(drawn.filter((name) => name === "a").length / 2000).toBeCloseTo(0.75, 1);
  });
});

describe("objective", () => {
  const examples = [example(4, [0, 2], [1, 3]), example(2), example(6, [2, 5], [3, 5])];
  const longest = 6;
  const settings: Partial<TrainSettings>[] = [
    { loss: "soft", cost: "counted", costFactor: 3 },
    { loss: "soft", cost: "counted", weighted: true, temperature: 0.5 },
    { loss: "soft", cost: "loose", strictness: 0.3 },
    { loss: "soft", cost: "strict" },
    { loss: "ramp", cost: "strict" },
    { loss: "ramp", cost: "loose" },
  ];

  test.each(settings)("%j: the gradient is that of the mean loss", (changed) => {
    const objective = new Objective({ ...PRESETS.small, phraseWeight: 0, ...changed });
    const random = new Random(5);
    const scores = Float32Array.from(
      { length: 3 * longest * longest },
      () => random.unit() * 4 - 2,
    );
    const { gradient, violations } = objective.treeLoss(scores, examples, longest);
    expect(violations).toBeGreaterThan(0);
    const step = 1e-2;
    for (let at = 0; at < scores.length; at++) {
      const moved = (by: number) => {
        const copy = Float32Array.from(scores);
        copy[at] = (copy[at] as number) + by;
        return objective.treeLoss(copy, examples, longest).loss;
      };
      expect((moved(step) - moved(-step)) / (2 * step)).toBeCloseTo(gradient[at] as number, 2);
    }
  });

  test("phrase-probability is learnt below the diagonal, from brackets, marks and unasked spans", () => {
    const settings = { ...PRESETS.small, phraseWeight: 0.5 };
    const marked: Example = {
      ...example(6, [2, 5]),
      chunks: [{ begin: 2, end: 5 }],
      fragments: [{ begin: 0, end: 2 }],
    };
    const both: Example = { ...example(6, [0, 2]), fragments: [{ begin: 0, end: 2 }] };
    const scores = new Float32Array(36);
    const { gradient } = new Objective(settings).treeLoss(scores, [marked], 6);
    const without = new Objective({ ...settings, phraseWeight: 0 }).treeLoss(scores, [marked], 6);
    const slope = (begin: number, end: number) => gradient[(end - 1) * 6 + begin] as number;
    const above = (all: Float32Array) => all.filter((_, at) => at % 6 >= Math.floor(at / 6));
    expect(above(gradient)).toEqual(above(without.gradient));
    // At even odds a bracket pulls with a half of the weight.
    expect(slope(2, 5)).toBeCloseTo(-0.25, 6);
    // What is known to be no phrase, in a chunk or as a fragment, pulls as much the other way.
    expect(slope(3, 5)).toBeCloseTo(0.25, 6);
    expect(slope(0, 2)).toBeCloseTo(0.25, 6);
    // Of four parts, the bracket being one, these are in two of five trees; unasked spans count a
    // fifth, times the share of spans that have brackets, of which there is one in four.
    expect(slope(0, 5)).toBeCloseTo(0.25 * 0.4 * 0.2 * 0.25, 3);
    expect(slope(1, 4)).toBeCloseTo(0, 2);
    expect(slope(0, 6)).toBe(0);
    // A bracket that is marked as a fragment is one of trees, and no phrase.
    const marks = new Objective(settings).treeLoss(scores, [both], 6).gradient;
    expect(marks[6]).toBeCloseTo(0.25, 6);
    expect(marks[1]).toBeLessThan(0);
  });

  test("phrase log-odds are learnt from soft labels, each as far as it is probable", () => {
    const soft: Example = {
      ...example(6, [2, 5], [0, 2], [3, 5]),
      weights: [0.8, 1, 0.5],
      isSoft: true,
      phraseProbabilities: [1, 0.25, undefined],
    };
    const objective = new Objective({ ...PRESETS.small, phraseWeight: 0.5 });
    const { gradient } = objective.treeLoss(new Float32Array(36), [soft], 6);
    const slope = (begin: number, end: number) => gradient[(end - 1) * 6 + begin] as number;
    expect(slope(2, 5)).toBeCloseTo(0.5 * 0.8 * (0.5 - 1), 6);
    expect(slope(0, 2)).toBeCloseTo(0.5 * 1 * (0.5 - 0.25), 6);
    expect([slope(3, 5), slope(1, 3)]).toEqual([0, 0]);
  });

  test("scores of padding do not matter", () => {
    const objective = new Objective(PRESETS.small);
    const scores = new Float32Array(3 * longest * longest);
    const before = objective.treeLoss(scores, examples, longest).loss;
    scores[longest * longest + 2] = 1e6;
    expect(objective.treeLoss(scores, examples, longest).loss).toBe(before);
  });
});

describe("data sets", () => {
  const file = join(folder, "d.jsonl");
  const line = (tokens: string, brackets: [number, number][], more = {}) =>
    `${JSON.stringify({ tokens: tokens.split(" "), brackets, source: "s", id: "1", ...more })}\n`;

  test("marks are no brackets", async () => {
    const brackets: [number, number][] = [
      [0, 3],
      [0, 3],
      [1, 4],
    ];
    writeFileSync(file, line("a b c d", brackets, { kinds: ["answer", "chunk", "fragment"] }));
    const { examples } = await readDataSet(file, { maxTokens: 5, validationShare: 0 });
    expect(examples).toEqual([
      {
        words: ["a", "b", "c", "d"],
        brackets: [{ begin: 0, end: 3 }],
        weights: [1],
        chunks: [{ begin: 0, end: 3 }],
        fragments: [{ begin: 1, end: 4 }],
      },
    ]);
  });

  test("phrase probabilities stand beside their soft labels", async () => {
    const brackets: [number, number][] = [
      [0, 3],
      [1, 3],
      [0, 3],
    ];
    const kinds = ["soft-label", "soft-label", "phrase-probability"];
    writeFileSync(file, line("a b c d", brackets, { kinds, weights: [0.5, 0.4, 0.9] }));
    const { examples } = await readDataSet(file, { maxTokens: 5, validationShare: 0 });
    expect(examples[0]).toMatchObject({
      weights: [0.5, 0.4],
      isSoft: true,
      phraseProbabilities: [0.9, undefined],
    });
  });

  test("keep multi-token brackets, united over kinds, and drop what cannot teach", async () => {
    writeFileSync(
      file,
      line(
        "a b c d",
        [
          [0, 2],
          [0, 2],
          [0, 1],
          [0, 4],
          [2, 4],
        ],
        { kinds: ["answer", "link", "answer", "answer", "link"], weights: [2, 3, 1, 1, 1] },
      ) +
        line("a b", [[0, 2]]) +
        line("a b c d e f", [[0, 2]]),
    );
    const { examples, weight } = await readDataSet(`${file}@0.5`, {
      maxTokens: 5,
      validationShare: 0,
    });
    expect(weight).toBe(0.5);
    expect(examples).toEqual([
      {
        words: ["a", "b", "c", "d"],
        brackets: [
          { begin: 0, end: 2 },
          { begin: 2, end: 4 },
        ],
        weights: [5, 1],
      },
    ]);
    const links = await readDataSet(file, {
      maxTokens: 5,
      validationShare: 0,
      kinds: new Set(["answer"]),
    });
    expect(links.examples[0]?.brackets).toEqual([{ begin: 0, end: 2 }]);
  });

  test("hold back the same sentences whatever the file", async () => {
    const many = Array.from({ length: 500 }, (_, index) => line(`w${index} b c`, [[0, 2]]));
    writeFileSync(file, many.join(""));
    const options = { maxTokens: 100, validationShare: 0.2 };
    const one = await readDataSet(file, options);
    expect(one.validation.length / 500).toBeCloseTo(0.2, 1);
    expect(one.examples.length + one.validation.length).toBe(500);
    writeFileSync(file, many.toReversed().join(""));
    const two = await readDataSet(file, options);
    const held = (set: DataSet) => set.validation.map(({ words }) => words[0]).sort();
    expect(held(two)).toEqual(held(one));
  });

  test("an unusable file is an error", async () => {
    writeFileSync(file, line("a b", [[0, 2]]));
    await expect(readDataSet(file, { maxTokens: 9, validationShare: 0 })).rejects.toThrow(
      "no sentence has a bracket",
    );
  });
});
