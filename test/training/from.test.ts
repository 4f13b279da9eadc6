/** Further training of a trained parser: it starts with the parser's weights, and keeps its shape and its labels. */

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { ModelOptions } from "../../src/model/config.js";
import { ModelFolder } from "../../src/model/folder.js";
import { modelTape } from "../../src/model/graph.js";
import { labelLogits } from "../../src/model/label-scorer.js";
import { SpanModel } from "../../src/model/span-model.js";
import { PRESETS, type TrainSettings } from "../../src/training/settings.js";
import { type TrainOptions, train } from "../../src/training/train.js";
import { bracken } from "../cli/run.js";
import { writeTinyModel } from "../model/tiny-model.js";
import { temporaryFolder } from "../temporary.js";
import { tinyData } from "./tiny-encoder.js";

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);
const STILL: TrainSettings = { ...PRESETS.continue, steps: 1, rate: 0, headRate: 0 };
const MOVING: TrainSettings = { ...PRESETS.continue, steps: 12, warmup: 2, rate: 3e-3 };
const SENTENCE = "the old man sat on a bench .".split(" ");

const from = (model: string, options: TrainOptions = {}): TrainOptions => ({
  from: at(`${model}/model`),
  threads: 1,
  ...options,
});

async function weightsOf(model: string): Promise<Map<string, Float32Array>> {
  const opened = await ModelFolder.open(model);
  const { parameters } = modelTape(opened.config, { training: false });
  const sizes = new Map(parameters.map(({ name, shape }) => [name, shape.reduce((a, b) => a * b)]));
  const weights = new Map<string, Float32Array>();
  await opened.readWeights(parameters, (name) => {
    weights.set(name, new Float32Array(sizes.get(name) as number));
    return weights.get(name) as Float32Array;
  });
  return weights;
}

async function scoresOf(model: string) {
  const spans = await SpanModel.load(await ModelFolder.open(model), { threads: 1 });
  try {
    for await (const found of spans.scores([SENTENCE])) return { ...found, config: spans.config };
  } finally {
    await spans.close();
  }
  throw new Error("no scores");
}

const labels = { classes: ["-", "NP", "VP"], width: 6, rank: 2 };
const SHAPES: Record<string, ModelOptions> = {
  plain: { decoding: "phrases" },
  named: { decoding: "phrases", labels, scorer: { width: 8 }, mix: true, layers: 1 },
  dutch: { decoding: "best", language: "nl" },
};

beforeAll(async () => {
  for (const [name, shape] of Object.entries(SHAPES)) await writeTinyModel(at(name), shape);
  writeFileSync(at("data.jsonl"), tinyData(60));
  const votes = { brackets: [[0, 2]], labels: [{ NP: 0.5, PP: 0.4 }], source: "test", id: "1" };
  const named = JSON.stringify({ tokens: ["a", "man", "sat", "."], ...votes });
  writeFileSync(at("votes.jsonl"), `${named}\n${named}\n`);
});

describe("without learning anything", () => {
  test.each([
    ["plain", 0],
    ["plain", 0.9],
    ["named", 0],
  ])("the model stays the same: %s, average %d", async (name, average) => {
    const out = at(`still-${name}-${average}`);
    await train([at("data.jsonl")], out, { ...STILL, average }, from(name));
    const weights = (model: string) => readFileSync(join(model, "model.safetensors"));
    expect(weights(out).equals(weights(at(`${name}/model`)))).toBe(true);
    const { config } = await ModelFolder.open(out);
    expect(config).toEqual((await ModelFolder.open(at(`${name}/model`))).config);
  });

  test("labels that only the data has are added, and old ones keep their scores", async () => {
    const out = at("added");
    await train([at("votes.jsonl")], out, STILL, from("named"));
    const [before, after] = [await scoresOf(at("named/model")), await scoresOf(out)];
    expect(after.config.labels).toEqual({ ...labels, classes: ["-", "NP", "VP", "PP"] });
    expect(after.scores).toEqual(before.scores);
    const logitsOf = ({ labels: factors }: typeof before, classes: number) => {
      const logits = new Float32Array(classes);
      if (factors) labelLogits(factors, labels.rank, 1, 5, logits);
      return [...logits];
    };
    const [old, grown] = [logitsOf(before, 3), logitsOf(after, 4)];
    expect(old.every((logit) => logit !== 0)).toBe(true);
    for (const [index, logit] of old.entries()) expect(grown[index]).toBeCloseTo(logit, 5);
    expect(grown[3]).not.toBe(0);
  });

  test("a model without labels gets them from votes", async () => {
    const out = at("first-labels");
    await train([at("votes.jsonl")], out, STILL, from("plain"));
    const [before, after] = [await scoresOf(at("plain/model")), await scoresOf(out)];
    expect(after.config.labels?.classes).toEqual(["-", "NP", "PP"]);
    expect(after.scores).toEqual(before.scores);
  });

  test("a model that ranks trees decodes with the probabilities that it is taught", async () => {
    await train([at("data.jsonl")], at("taught"), STILL, from("dutch"));
    const { config } = await ModelFolder.open(at("taught"));
    expect([config.decoding, config.language]).toEqual(["phrases", "nl"]);
    const binary = { ...STILL, phraseWeight: 0 };
    await train([at("data.jsonl")], at("kept"), binary, from("plain"));
    expect((await ModelFolder.open(at("kept"))).config.decoding).toBe("phrases");
  });
});

describe("a run with frozen layers", () => {
  const settings = { ...MOVING, freeze: 1, average: 0.9 };

  test("changes all other weights", async () => {
    await train([at("data.jsonl")], at("frozen"), settings, from("plain"));
    const [before, after] = [await weightsOf(at("plain/model")), await weightsOf(at("frozen"))];
    const same = [...before].filter(([name, weight]) => {
      const other = after.get(name) as Float32Array;
      return weight.every((value, index) => value === other[index]);
    });
    const isFrozen = (name: string) => /^(embeddings|encoder\.layer\.0)\./.test(name);
    expect(same.map(([name]) => name)).toEqual([...before.keys()].filter(isFrozen));
  });

  test("stopped and resumed ends with the same bits", async () => {
    let steps = 0;
    const stop = { isStopped: () => steps++ >= 5 };
    const { finished } = await train(
      [at("data.jsonl")],
      at("stopped"),
      settings,
      from("plain", stop),
    );
    expect(finished).toBe(false);
    await train([at("data.jsonl")], at("stopped"), settings, from("plain"));
    const weights = (out: string) => readFileSync(at(`${out}/model.safetensors`));
    expect(weights("stopped").equals(weights("frozen"))).toBe(true);
  });
});

describe("the folder", () => {
  const args = (out: string, ...more: string[]) => [
    ...["train", at("data.jsonl"), "--out", at(out), "--steps", "3", "--threads", "1", ...more],
  ];

  test("says what it started from, and is not continued from another model", async () => {
    expect((await bracken(args("card", "--from", at("plain/model")))).code).toBe(0);
    const { from, encoder, settings } = JSON.parse(
      readFileSync(at("card/training/settings.json"), "utf8"),
    );
    expect([from.name, encoder, settings.rate]).toEqual([
      at("plain/model"),
      undefined,
      PRESETS.continue.rate,
    ]);
    expect(readFileSync(at("card/README.md"), "utf8")).toContain(
      `Further training of ${at("plain/model")} (\`${from.sha256.slice(0, 16)}\`)`,
    );
    const info = await bracken(["model", "info", at("card")]);
    expect(info.stdout).toContain(`from the model ${at("plain/model")}`);
    const other = await bracken(args("card", "--from", at("named/model")));
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining("another run")]);
  });

  test.each([
    ["--layers", ["--layers", "1"], '"layers" cannot be set'],
    ["--mix", ["--mix"], '"mix" cannot be set'],
    ["--encoder", ["--encoder", "minilm"], "leave out --encoder or --from"],
    ["another language", ["--language", "de"], "the model's language is en, not de"],
    ["more frozen layers than there are", ["--freeze", "3"], "the model has 2 layers"],
  ])("refused, and nothing is made: %s", async (_, more, reason) => {
    const { code, stderr } = await bracken(args("refused", "--from", at("plain/model"), ...more));
    expect([code, stderr]).toEqual([2, expect.stringContaining(reason)]);
    expect(existsSync(at("refused"))).toBe(false);
  });

  test("a damaged model is refused", async () => {
    await writeTinyModel(at("damaged"));
    const file = at("damaged/model/model.safetensors");
    const bytes = readFileSync(file);
    bytes[bytes.length - 1] = (bytes.at(-1) as number) ^ 1;
    writeFileSync(file, bytes);
    const { code, stderr } = await bracken(args("refused", "--from", at("damaged/model")));
    expect([code, stderr]).toEqual([2, expect.stringContaining("the model is damaged")]);
    expect(existsSync(at("refused"))).toBe(false);
  });

  test.each(["bracken-en", "plain/model"])("--encoder %s: use --from", async (name) => {
    const model = name.includes("/") ? at(name) : name;
    const { code, stderr } = await bracken(args("refused", "--encoder", model));
    expect([code, stderr]).toEqual([2, expect.stringContaining(`use --from ${model}`)]);
  });
});
