import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { bert, declareInputs } from "../../src/encoder/bert.js";
import { parseConfig } from "../../src/encoder/config.js";
import { readConfig } from "../../src/encoder/files.js";
import { loadWeights } from "../../src/encoder/weights.js";
import { openSafetensors } from "../../src/safetensors/open.js";
import { Tape } from "../../src/tensor/index.js";
import { temporaryFolder } from "../temporary.js";
import { float32, type TensorData, uint16, writeSafetensors } from "./safetensors.js";

const folder = temporaryFolder();
let count = 0;
const newFile = () => join(folder, `${count++}.safetensors`);

const CONFIG = {
  hidden_size: 4,
  num_hidden_layers: 2,
  num_attention_heads: 2,
  intermediate_size: 6,
  max_position_embeddings: 8,
  type_vocab_size: 2,
  vocab_size: 10,
};

function parameters(layers = 2) {
  const tape = new Tape({ training: true });
  bert(tape, parseConfig(CONFIG), declareInputs(tape), { layers, mix: true });
  return tape.parameters;
}

/** A tensor for every pretrained parameter, filled with the parameter's number. */
function tensors(rename: (name: string) => string = (name) => name): Record<string, TensorData> {
  const named = parameters().filter(({ name }) => !name.startsWith("mix."));
  return Object.fromEntries(
    named.map(({ name, shape }, index) => {
      const size = shape.reduce((product, dim) => product * dim, 1);
      return [rename(name), float32(shape, new Array(size).fill(index))];
    }),
  );
}

async function load(file: string, layers?: number): Promise<Map<string, Float32Array>> {
  const arrays = new Map(
    parameters(layers).map(({ name, shape }) => [
      name,
      new Float32Array(shape.reduce((product, dim) => product * dim, 1)),
    ]),
  );
  await loadWeights(file, parameters(layers), (name) => arrays.get(name) as Float32Array);
  return arrays;
}

async function expectNumbered(file: string): Promise<void> {
  const arrays = await load(file);
  const names = parameters().flatMap(({ name }) => (name.startsWith("mix.") ? [] : [name]));
  for (const [index, name] of names.entries()) {
    expect(
      arrays.get(name)?.every((value) => value === index),
      name,
    ).toBe(true);
  }
}

describe("numbers of every width", () => {
  const read = async (data: TensorData, length: number) => {
    const file = newFile();
    writeSafetensors(file, { x: data });
    const opened = await openSafetensors(file);
    const target = new Float32Array(length);
    try {
      await opened.read("x", target);
    } finally {
      await opened.close();
    }
    return [...target];
  };

  test("F16", async () => {
    const bits = [0x0000, 0x3c00, 0xc000, 0x7bff, 0x0001, 0x0400, 0x7c00, 0x3555];
    const values = [0, 1, -2, 65504, 2 ** -24, 2 ** -14, Number.POSITIVE_INFINITY, 1365 / 4096];
    expect(await read(uint16("F16", [8], bits), 8)).toEqual(values);
  });

  test("BF16", async () => {
    const bits = [0x0000, 0x3f80, 0xc000, 0x4049];
    expect(await read(uint16("BF16", [4], bits), 4)).toEqual([0, 1, -2, 3.140625]);
  });

  test("F32, more than is read at once", async () => {
    const values = Float32Array.from({ length: 1_200_000 }, (_, i) => i / 7);
    expect(await read(float32([1_200_000], values), 1_200_000)).toEqual([...values]);
  });

  test("and no others", async () => {
    const data = { dtype: "I64", shape: [1], bytes: new Uint8Array(8) };
    await expect(read(data, 1)).rejects.toThrow(/"x" has type I64; only F32, F16, BF16/);
    await expect(read(float32([2], [1, 2]), 3)).rejects.toThrow(/takes 8 bytes .* needs 12/);
  });
});

describe("weights are found", () => {
  test("under plain names", async () => {
    const file = newFile();
    writeSafetensors(file, tensors());
    await expectNumbered(file);
  });

  test("of RoBERTa, beside the head that is not used", async () => {
    const file = newFile();
    writeSafetensors(file, {
      ...tensors((name) => `roberta.${name}`),
      "lm_head.bias": float32([1], [1]),
    });
    await expectNumbered(file);
  });

  test("under a prefix, with gamma and beta, beside parts that are not used", async () => {
    const file = newFile();
    const old = (name: string) =>
      `bert.${name}`
        .replace("LayerNorm.weight", "LayerNorm.gamma")
        .replace("LayerNorm.bias", "LayerNorm.beta");
    writeSafetensors(file, {
      "bert.embeddings.position_ids": { dtype: "I64", shape: [1], bytes: new Uint8Array(8) },
      ...tensors(old),
      "bert.pooler.dense.bias": float32([4], [1, 1, 1, 1]),
      "cls.predictions.bias": float32([1], [1]),
    });
    await expectNumbered(file);
  });

  test("in several files", async () => {
    const all = Object.entries(tensors());
    const weightMap: Record<string, string> = {};
    for (const [part, some] of [all.slice(0, 9), all.slice(9)].entries()) {
      const file = `part-${part}.safetensors`;
      writeSafetensors(join(folder, file), Object.fromEntries(some));
      for (const [name] of some) weightMap[name] = file;
    }
    const index = join(folder, "model.safetensors.index.json");
    writeFileSync(index, JSON.stringify({ weight_map: weightMap }));
    await expectNumbered(index);
    writeFileSync(index, JSON.stringify({ weight_map: { x: "../../elsewhere" } }));
    await expect(load(index)).rejects.toThrow(/index\.json: no "weight_map"/);
  });

  test("without the layers that are dropped", async () => {
    const file = newFile();
    writeSafetensors(file, tensors());
    const loaded = await load(file, 1);
    expect(loaded.has("encoder.layer.1.output.dense.bias")).toBe(false);
    expect(loaded.has("encoder.layer.0.output.dense.bias")).toBe(true);
  });
});

describe("what is wrong with weights is told with the file and the tensor", () => {
  const name = "encoder.layer.1.output.dense.weight";

  test("a missing tensor", async () => {
    const file = newFile();
    const { [name]: _, ...rest } = tensors();
    writeSafetensors(file, rest);
    await expect(load(file)).rejects.toThrow(`${file}: tensor "${name}" is missing`);
  });

  test("a tensor too many", async () => {
    const file = newFile();
    writeSafetensors(file, { ...tensors(), "encoder.layer.1.extra": float32([1], [1]) });
    await expect(load(file)).rejects.toThrow(
      `${file}: this BERT has no tensor "encoder.layer.1.extra"`,
    );
  });

  test("another shape", async () => {
    const file = newFile();
    writeSafetensors(file, { ...tensors(), [name]: float32([2, 2], [1, 2, 3, 4]) });
    await expect(load(file)).rejects.toThrow(/shape \[2, 2\] where config\.json has \[4, 6\]/);
  });

  test("a file that is cut off, or none at all", async () => {
    const file = newFile();
    writeSafetensors(file, tensors());
    const whole = readFileSync(file);
    for (const length of [0, 5, 100, whole.length - 1]) {
      writeFileSync(file, whole.subarray(0, length));
      await expect(load(file)).rejects.toMatchObject({
        name: "InputError",
        place: { file },
        remedy: expect.stringMatching(/download it again/),
      });
    }
    writeFileSync(file, Buffer.concat([Buffer.from([2, 0, 0, 0, 0, 0, 0, 0]), Buffer.from("no")]));
    await expect(load(file)).rejects.toThrow(/header is not JSON/);
    await expect(load(join(folder, "nowhere"))).rejects.toThrow(/nowhere: ENOENT/);
  });
});

describe("config.json", () => {
  test("has defaults for dropout and the norm's epsilon", () => {
    expect(parseConfig(CONFIG)).toMatchObject({ hiddenDropout: 0.1, layerNormEpsilon: 1e-12 });
  });

  test("must be BERT's and make sense", async () => {
    const wrong = (change: object) => () => parseConfig({ ...CONFIG, ...change }, "config.json");
    expect(wrong({ model_type: "gpt2" })).toThrow(/config\.json: "model_type" is "gpt2"/);
    expect(wrong({ hidden_act: "relu" })).toThrow(/"hidden_act"/);
    expect(wrong({ hidden_size: 5 })).toThrow(/not a multiple/);
    expect(wrong({ vocab_size: undefined })).toThrow(/"vocab_size" must be a whole number/);
    expect(wrong({ hidden_dropout_prob: 1.5 })).toThrow(/"hidden_dropout_prob"/);
    const file = join(folder, "config.json");
    await expect(readConfig(file)).rejects.toThrow(/config\.json: ENOENT/);
    writeFileSync(file, "{");
    await expect(readConfig(file)).rejects.toThrow(/config\.json: not JSON/);
  });
});
