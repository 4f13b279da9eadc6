/** `bracken model`, and what the commands say of models that are damaged. */

import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { writeTinyModel } from "../model/tiny-model.js";
import { InferenceSession } from "../onnxruntime.js";
import { temporaryFolder } from "../temporary.js";
import { bracken } from "./run.js";

const folder = temporaryFolder();
let model: string;

beforeAll(async () => {
  model = await writeTinyModel(folder, { layers: 1, scorer: { width: 8 } });
});

/** A copy of the model to damage. */
function copy(name: string): string {
  const path = join(folder, name);
  cpSync(model, path, { recursive: true });
  return path;
}

describe("info", () => {
  test("shape, parameters, sizes, precision and the card", async () => {
    const { code, stdout } = await bracken(["model", "info", model]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^encoder +BERT, 1 of 2 layers, width 16, 2 heads$/m);
    expect(stdout).toMatch(/^scorer +width 8, slope 0.1, dropout 0.33$/m);
    expect(stdout).toMatch(/^on disk +[\d,]+ bytes, \d+ tensors in half precision \(F16\)$/m);
    expect(stdout).toMatch(/# Card$/m);
    expect(stdout).not.toContain("trained");
  });

  test("the language", async () => {
    const german = await writeTinyModel(join(folder, "german"), { language: "de-AT" });
    expect((await bracken(["model", "info", model])).stdout).toMatch(/^language +English \(en\)$/m);
    const { stdout } = await bracken(["model", "info", german]);
    expect(stdout).toMatch(/^language +German \(de-AT\)$/m);
    const json = JSON.parse((await bracken(["model", "info", german, "--json"])).stdout);
    expect(json.language).toBe("de-AT");
  });

  test("as JSON; the parameters are those of the weights", async () => {
    const { stdout } = await bracken(["model", "info", model, "--json"]);
    const found = JSON.parse(stdout);
    const bytes = readFileSync(join(model, "model.safetensors"));
    const header = JSON.parse(bytes.subarray(8, 8 + Number(bytes.readBigUInt64LE())).toString());
    delete header.__metadata__;
    const shapes = Object.values(header as Record<string, { shape: number[] }>);
    const sizes = shapes.map(({ shape }) => shape.reduce((product, dim) => product * dim, 1));
    expect(found.parameters).toBe(sizes.reduce((sum, size) => sum + size, 0));
    expect(found.stored).toEqual({ F16: sizes.length });
    expect(found.files["model.safetensors"].bytes).toBe(bytes.length);
    expect(found).toMatchObject({ format: 1, card: "# Card\n", encoder: { layers: 1, heads: 2 } });
  });

  test("data and settings from the training folder", async () => {
    const trained = copy("trained");
    mkdirSync(join(trained, "training"));
    const description = {
      encoder: "minilm",
      data: [{ name: "answers.jsonl", weight: 2, sha256: "0", sentences: 1234 }],
      settings: { loss: "soft", steps: 10, model: { layers: 1 } },
    };
    writeFileSync(join(trained, "training/settings.json"), JSON.stringify(description));
    const { stdout } = await bracken(["model", "info", trained]);
    expect(stdout).toMatch(/^data +answers\.jsonl: 1,234 sentences, weight 2$/m);
    expect(stdout).toMatch(/^settings +loss soft\n +steps 10\n +layers 1$/m);
    const json = JSON.parse((await bracken(["model", "info", trained, "--json"])).stdout);
    expect(json.training).toEqual(description);
    writeFileSync(join(trained, "training/settings.json"), '{"of": "another version"}');
    expect((await bracken(["model", "info", trained])).code).toBe(0);
  });

  test("of the bundled model where none is named; a model that is not there is an error", async () => {
    const { stdout } = await bracken(["model", "info", "--json"]);
    expect(JSON.parse(stdout).folder).toMatch(/models\/bracken-en$/);
    const { code, stderr } = await bracken(["model", "info", join(folder, "none")]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("there is no such model")]);
    expect((await bracken(["model"])).code).toBe(2);
  });
});

describe("export", () => {
  test("writes a file that ONNX Runtime loads, and nothing else", async () => {
    mkdirSync(join(folder, "out"));
    const file = join(folder, "out/model.onnx");
    expect((await bracken(["model", "export", model, "--onnx", file])).code).toBe(0);
    expect(readdirSync(join(folder, "out"))).toEqual(["model.onnx"]);
    const session = await InferenceSession.create(file);
    expect(session.outputNames).toEqual(["scores"]);
    await session.release();
  });

  test("says what is missing, and leaves nothing behind", async () => {
    const nowhere = join(folder, "no/model.onnx");
    const { code, stderr } = await bracken(["model", "export", model, "--onnx", nowhere]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("there is no such folder")]);
    expect(existsSync(join(folder, "no"))).toBe(false);
    expect((await bracken(["model", "export", model])).code).toBe(2);
  });
});

describe("damaged models", () => {
  const flip = (file: string) => {
    const bytes = readFileSync(file);
    const middle = bytes.length >> 1;
    bytes[middle] = (bytes[middle] as number) ^ 1;
    writeFileSync(file, bytes);
  };
  const cutOff = (file: string) => truncateSync(file, readFileSync(file).length - 3);
  const CASES: [file: string, name: string, damage: (file: string) => void][] = [
    ["model.safetensors", "cut off", cutOff],
    ["model.safetensors", "altered", flip],
    ["model.safetensors", "missing", rmSync],
    ["config.json", "cut off", cutOff],
    ["tokenizer.json", "altered", flip],
    ["README.md", "missing", rmSync],
  ];

  test.each(CASES)("%s %s: exit code 2, the file named, no output", async (file, name, damage) => {
    const damaged = copy(`${name}-${file}`.replace(" ", "-"));
    damage(join(damaged, file));
    const commands = [
      ["model", "verify", damaged],
      ["parse", "--model", damaged, "The dog ran."],
    ];
    for (const { code, stdout, stderr } of await Promise.all(
      commands.map((each) => bracken(each)),
    )) {
      expect([code, stdout]).toEqual([2, ""]);
      expect(stderr).toContain(`error: ${join(damaged, file)}: `);
      expect(stderr).toContain("download or train it again");
      expect(stderr).not.toContain("    at ");
    }
  });

  test("without a manifest a folder is no model; a whole one is", async () => {
    const damaged = copy("bare");
    rmSync(join(damaged, "manifest.json"));
    const { code, stderr } = await bracken(["model", "verify", damaged]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("manifest.json: there is no such")]);
    const whole = await bracken(["model", "verify", model]);
    expect([whole.code, whole.stdout]).toEqual([0, expect.stringContaining("all 4 files match")]);
  });
});
