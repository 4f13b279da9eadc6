/** Learning names: the gradient of the label loss, and a run from votes to named trees. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { toLine } from "../../src/brackets/record.js";
import { modelConfigFromJson, modelConfigToJson, newModelConfig } from "../../src/model/config.js";
import { ModelFolder } from "../../src/model/folder.js";
import { loadParser } from "../../src/parser/load-parser.js";
import { Random } from "../../src/random.js";
import type { LabelledSpan } from "../../src/training/examples.js";
import { LabelLoss } from "../../src/training/label-loss.js";
import { PRESETS } from "../../src/training/settings.js";
import { train } from "../../src/training/train.js";
import { toPenn } from "../../src/trees/penn-writer.js";
import { temporaryFolder } from "../temporary.js";
import { TINY_CONFIG, writeTinyEncoder } from "./tiny-encoder.js";

describe("the label loss", () => {
  const config = { classes: ["-", "NP", "VP", "S+VP"], width: 4, rank: 2 };
  const words = 4;
  const size = words * config.classes.length * (config.rank + 1);
  const spans: LabelledSpan[] = [
    { begin: 0, end: 1, votes: { "-": 0.9 } },
    { begin: 1, end: 2, votes: { NP: 0.6, VP: 0.2 } },
    { begin: 0, end: 3, votes: { NP: 0.5, VP: 0.4 } },
    { begin: 1, end: 4, votes: { "S+VP": 1 } },
    // No vote counts that the labels do not have, nor "no phrase" of several words.
    { begin: 2, end: 4, votes: { "-": 0.5, QP: 0.5 } },
  ];
  const random = new Random(3);
  const numbers = () => Float32Array.from({ length: size }, () => random.unit() * 3 - 1.5);
  const factors = { left: numbers(), right: numbers() };
  const zeros = () => ({ left: new Float32Array(size), right: new Float32Array(size) });
  const loss = new LabelLoss(config);

  test("has the gradient that differences show", () => {
    const gradient = zeros();
    loss.compute(factors, spans, gradient, 1);
    const step = 1e-2;
    for (const side of ["left", "right"] as const) {
      for (let at = 0; at < size; at++) {
        const moved = (by: number) => {
          const copy = { ...factors, [side]: Float32Array.from(factors[side]) };
          copy[side][at] = (copy[side][at] as number) + by;
          return loss.compute(copy, spans, zeros(), 1);
        };
        const slope = (moved(step) - moved(-step)) / (2 * step);
        expect(gradient[side][at]).toBeCloseTo(slope, 3);
      }
    }
  });

  test("falls along its gradient until labels agree with votes", () => {
    const own = { left: factors.left.slice(), right: factors.right.slice() };
    const voted = spans.slice(0, 4);
    for (let step = 0; step < 300; step++) {
      const gradient = zeros();
      loss.compute(own, voted, gradient, 1);
      for (const side of ["left", "right"] as const) {
        for (let at = 0; at < size; at++) {
          own[side][at] = (own[side][at] as number) - 0.1 * (gradient[side][at] as number);
        }
      }
    }
    expect(loss.agreement(own, voted)).toEqual({ spans: 4, agreeing: 4 });
  });
});

describe("a run with votes", () => {
  const folder = temporaryFolder();
  const [nouns, verbs] = [
    ["man", "dog", "bench", "door"],
    ["sat", "ran"],
  ];

  beforeAll(async () => {
    await writeTinyEncoder(join(folder, "encoder"));
    const random = new Random(1);
    const pick = (list: readonly string[]) => list[random.below(list.length)] as string;
    const lines = Array.from({ length: 200 }, (_, index) => {
      const tokens = ["the", pick(nouns), pick(verbs), "by", "a", pick(nouns), "."];
      const votes = [
        [[0, 2], { NP: 0.9 }],
        [[2, 6], { VP: 0.9 }],
        [[3, 6], { PP: 0.9 }],
        [[4, 6], { NP: 0.9 }],
        [[0, 7], { S: 0.9 }],
        ...tokens.map((_, at) => [[at, at + 1], { "-": 0.9 }]),
      ] as [[number, number], Record<string, number>][];
      return toLine({
        tokens,
        brackets: votes.map(([bracket]) => bracket),
        labels: votes.map(([, label]) => label),
        kinds: votes.map((_, at) => (at < 4 ? "answer" : "label")),
        source: "test",
        id: `${index}`,
      });
    });
    writeFileSync(join(folder, "data.jsonl"), lines.join(""));
    const settings = { ...PRESETS.small, steps: 200, warmup: 10, rate: 3e-3, headRate: 3e-3 };
    await train([join(folder, "data.jsonl")], join(folder, "model"), settings, {
      encoder: join(folder, "encoder"),
      threads: 1,
    });
  }, 120_000);

  test("gives trees with names", async () => {
    await using parser = await loadParser(join(folder, "model"), { threads: 1, workers: 0 });
    const { tree, spans } = await parser.parseWords("the dog ran by a door .".split(" "));
    expect(toPenn(tree)).toBe("(S (NP the dog) (VP ran (PP by (NP a door))) .)");
    for (const { labelProbability } of spans) expect(labelProbability).toBeGreaterThan(0.5);
  });

  test("the model tells its labels, the most frequent first", async () => {
    const { config } = await ModelFolder.open(join(folder, "model"));
    expect(config.labels?.classes).toEqual(["-", "NP", "PP", "S", "VP"]);
  });

  test("data without votes, or a weight of 0, gives a model without names", async () => {
    const settings = { ...PRESETS.small, steps: 1, labelWeight: 0 };
    const out = join(folder, "unnamed");
    await train([join(folder, "data.jsonl")], out, settings, {
      encoder: join(folder, "encoder"),
      threads: 1,
    });
    expect((await ModelFolder.open(out)).config.labels).toBeUndefined();
    await using parser = await loadParser(out, { threads: 1, workers: 0 });
    const { tree } = await parser.parseWords(["the", "dog", "ran"]);
    expect(toPenn(tree)).toContain("(X");
  });
});

test("labels are part of a model's configuration, and are checked", () => {
  const config = newModelConfig(TINY_CONFIG, { labels: { classes: ["-", "NP"] } });
  expect(config.labels).toEqual({ classes: ["-", "NP"], width: 128, rank: 8 });
  const json = modelConfigToJson(config) as { bracken: object };
  expect(modelConfigFromJson(json).labels).toEqual(config.labels);
  for (const classes of [[], ["NP", "VP"], ["-"], ["-", "NP", "NP"], ["-", "a b"], "NP"]) {
    const bracken = { ...json.bracken, labels: { classes } };
    expect(() => modelConfigFromJson({ ...json, bracken })).toThrow(/"labels.classes"/);
  }
});
