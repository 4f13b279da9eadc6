import { readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { writeWhole } from "../../src/files/output.js";
import { ModelFolder } from "../../src/model/folder.js";
import { loadParser } from "../../src/parser/load-parser.js";
import { toHalf } from "../../src/safetensors/half.js";
import { openSafetensors } from "../../src/safetensors/open.js";
import { safetensorsBytes } from "../../src/safetensors/writer.js";
import { temporaryFolder } from "../temporary.js";
import { remake, writeTinyModel } from "./tiny-model.js";

const folder = temporaryFolder();

async function readBack(file: string, name: string, length: number): Promise<Float32Array> {
  const opened = await openSafetensors(file);
  const target = new Float32Array(length);
  await opened.read(name, target);
  await opened.close();
  return target;
}

describe("half precision", () => {
  /** What the bits of a half stand for. */
  const fromHalf = (bits: number) => {
    const [sign, exponent, fraction] = [
      bits & 0x8000 ? -1 : 1,
      (bits >> 10) & 31,
      (bits & 0x3ff) / 1024,
    ];
    if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
    return exponent === 0
      ? sign * fraction * 2 ** -14
      : sign * (1 + fraction) * 2 ** (exponent - 15);
  };

  test("every half is itself", () => {
    for (let bits = 0; bits < 65536; bits++) {
      const value = fromHalf(bits);
      if (Number.isNaN(value)) expect(Number.isNaN(fromHalf(toHalf(value)))).toBe(true);
      else expect(toHalf(value)).toBe(bits);
    }
  });

  test("other numbers go to the nearest half, ties to even", () => {
    fc.assert(
      fc.property(fc.float({ min: -60000, max: 60000, noNaN: true }), (value) => {
        const bits = toHalf(value);
        const gap = Math.abs(fromHalf(bits) - value);
        for (const other of [bits - 1, bits + 1].filter(
          (each) => (each & 0x8000) === (bits & 0x8000) && each >= 0,
        )) {
          const otherGap = Math.abs(fromHalf(other) - value);
          expect(gap < otherGap || (gap === otherGap && (bits & 1) === 0)).toBe(true);
        }
      }),
      { numRuns: 2000 },
    );
    expect(fromHalf(toHalf(1e6))).toBe(Number.POSITIVE_INFINITY);
    expect(toHalf(1e-9)).toBe(0);
  });
});

test("safetensors read back as they were written", async () => {
  const data = Float32Array.from({ length: 12 }, (_, index) => Math.sin(index) * 3);
  const file = join(folder, "t.safetensors");
  const tensors = [
    { name: "ä", shape: [3, 4], data },
    { name: "b", shape: [1], data: new Float32Array([7]) },
  ];
  await writeWhole(file, safetensorsBytes(tensors, { type: "F32" }));
  expect(await readBack(file, "ä", 12)).toEqual(data);
  expect(await readBack(file, "b", 1)).toEqual(new Float32Array([7]));
  const half = safetensorsBytes([{ name: "x", shape: [12], data }], { type: "F16" });
  await writeWhole(file, half);
  const halves = await readBack(file, "x", 12);
  for (const [index, value] of data.entries())
    expect(Math.abs((halves[index] as number) - value)).toBeLessThan(2e-3);
});

describe("model folders", () => {
  const model = join(folder, "model");

  beforeEach(async () => {
    await writeTinyModel(folder, { layers: 1, scorer: { width: 8 } });
  });

  test("opens with its options", async () => {
    const { config } = await ModelFolder.open(model);
    expect(config).toMatchObject({
      layers: 1,
      mix: false,
      scorer: { width: 8, slope: 0.1, dropout: 0.33 },
    });
  });

  test.each([
    [
      "cut off",
      () => truncateSync(join(model, "model.safetensors"), 100),
      "model.safetensors: it has 100 bytes",
    ],
    [
      "altered",
      () => {
        const bytes = readFileSync(join(model, "model.safetensors"));
        bytes[bytes.length - 1] = (bytes.at(-1) as number) ^ 1;
        writeFileSync(join(model, "model.safetensors"), bytes);
      },
      "model.safetensors: its contents are not those",
    ],
    [
      "without a manifest entry",
      () => writeFileSync(join(model, "manifest.json"), '{"files": {}}'),
      "config.json: the manifest does not list it",
    ],
    [
      "manifest not JSON",
      () => writeFileSync(join(model, "manifest.json"), "{"),
      "manifest.json: not valid JSON",
    ],
  ])("%s: an error that names the file", async (_, damage, message) => {
    damage();
    await expect(ModelFolder.open(model)).rejects.toThrow(message);
  });

  const changeConfig = (change: (bracken: Record<string, unknown>) => void) =>
    remake(model, "config.json", (text) => {
      const config = JSON.parse(text);
      change(config.bracken);
      return JSON.stringify(config);
    });

  test.each([
    [9, "a newer bracken made it"],
    ["1b", "use the bracken that made the model"],
    [undefined, "use the bracken that made the model"],
  ])("of another format (%s) it says so, whatever else is different", async (format, remedy) => {
    changeConfig((bracken) => {
      bracken.format = format;
      bracken.layers = "all";
    });
    rmSync(join(model, "model.safetensors"));
    await expect(ModelFolder.open(model)).rejects.toMatchObject({
      problem: `the model's format is ${JSON.stringify(format)}; this bracken reads format 1`,
      remedy: expect.stringContaining(remedy),
      place: { file: join(model, "config.json") },
    });
  });

  test("fields that are not known are passed over, those that are missing have defaults", async () => {
    changeConfig((bracken) => {
      bracken.colour = "green";
      bracken.scorer = { width: 8, later: true };
      delete bracken.mix;
    });
    const { config } = await ModelFolder.open(model);
    expect(config).toMatchObject({ mix: false, layers: 1, scorer: { width: 8, slope: 0.1 } });
    await (await loadParser(model, { threads: 1, workers: 0 })).close();
  });

  test.each([
    ["layers", 3, '"layers" of "bracken" must be a whole number up to 2, not 3'],
    [
      "language",
      "english",
      '"language" of "bracken" must be a language code such as en, or a list of them, not',
    ],
    ["mix", "yes", '"mix" of "bracken" must be true or false, not "yes"'],
    ["scorer", null, '"scorer" of "bracken" must be an object, not null'],
    ["scorer", { width: 0 }, '"scorer.width" of "bracken" must be a whole number above 0, not 0'],
  ])("what makes no sense is named: %s %j", async (name, value, message) => {
    changeConfig((bracken) => {
      bracken[name] = value;
    });
    await expect(ModelFolder.open(model)).rejects.toThrow(message);
  });

  test("the language is recorded, and English where an older folder does not say", async () => {
    expect((await ModelFolder.open(model)).config.language).toBe("en");
    changeConfig((bracken) => {
      delete bracken.language;
    });
    expect((await ModelFolder.open(model)).config.language).toBe("en");
    changeConfig((bracken) => {
      bracken.language = "PT-br";
    });
    expect((await ModelFolder.open(model)).config.language).toBe("pt-BR");
  });

  test("weights of another shape are named", async () => {
    changeConfig((bracken) => {
      bracken.scorer = { width: 9 };
    });
    await expect(loadParser(model, { threads: 1, workers: 0 })).rejects.toThrow(
      /model\.safetensors: tensor "scorer\.\w+\.weight" has shape/,
    );
  });

  test.each(["null", "[]", '{"files": null}', '{"files": {"config.json": {}}}'])(
    "a manifest that holds nothing of use: %s",
    async (manifest) => {
      writeFileSync(join(model, "manifest.json"), manifest);
      await expect(ModelFolder.open(model)).rejects.toThrow(/config\.json|manifest\.json/);
    },
  );

  test("what the manifest lists beyond the model's own files is checked", async () => {
    remake(model, "README.md", (text) => text);
    const path = join(model, "manifest.json");
    const { files } = JSON.parse(readFileSync(path, "utf8"));
    files["notes.txt"] = files["README.md"];
    writeFileSync(path, JSON.stringify({ files }));
    await expect(ModelFolder.open(model)).rejects.toThrow("notes.txt: it is missing");
  });

  test("an encoder is no model", async () => {
    await expect(ModelFolder.open(join(folder, "encoder"))).rejects.toThrow("manifest.json");
  });
});
