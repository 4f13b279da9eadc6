/**
 * A model on disk: config.json, model.safetensors, tokenizer.json, README.md, and a manifest with the
 * size and SHA-256 of each. The manifest is written last and checked first, so that an incomplete or
 * altered folder is not taken for a model.
 */

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { readWordPieces } from "../encoder/files.js";
import type { WordPieces } from "../encoder/wordpiece.js";
import { InputError } from "../errors.js";
import { openSafetensors } from "../safetensors/open.js";
import type { SafetensorsFile } from "../safetensors/reader.js";
import type { Parameter } from "../tensor/index.js";
import { type ModelConfig, modelConfigFromJson, withNames } from "./config.js";
import {
  broken,
  FILES,
  type FileDescription,
  LARGEST_MANIFEST,
  MANIFEST,
  type ModelSource,
} from "./source.js";

/** The size and hash of a file. */
export async function describeFile(file: string): Promise<FileDescription> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return { bytes: (await stat(file)).size, sha256: hash.digest("hex") };
}

/** A model folder that has been checked and can be read. */
export class ModelFolder implements ModelSource {
  /** The path of the folder. */
  readonly folder: string;
  /** The configuration in its config.json. */
  readonly config: ModelConfig;
  /** Size and hash of each file, from the manifest. */
  readonly files: ReadonlyMap<string, FileDescription>;

  private constructor(
    folder: string,
    config: ModelConfig,
    files: ReadonlyMap<string, FileDescription>,
  ) {
    this.folder = folder;
    this.config = config;
    this.files = files;
  }

  /**
   * Opens a model folder and checks every file that its manifest lists. The configuration comes first,
   * because it says whether another version made the model.
   *
   * @param folder a path; `findModel` finds bundled models.
   * @param options if `thorough` is false, only sizes are checked, not hashes.
   * @throws InputError that names the file that is missing, damaged or altered.
   * @example
   * ```ts
   * import { findModel, ModelFolder, modelInfo } from "bracken";
   *
   * const model = await ModelFolder.open(await findModel("default"));
   * console.log((await modelInfo(model)).parameters);
   * ```
   */
  static async open(folder: string, { thorough = true } = {}): Promise<ModelFolder> {
    const { files, names } = await readManifest(folder);
    await checkFile(folder, FILES.config, files, thorough);
    const file = join(folder, FILES.config);
    const written = modelConfigFromJson(await readJson(file, LARGEST_MANIFEST), file);
    const config = withNames(written, names, join(folder, MANIFEST));
    for (const name of new Set([...Object.values(FILES), ...files.keys()])) {
      if (name !== FILES.config) await checkFile(folder, name, files, thorough);
    }
    return new ModelFolder(folder, config, files);
  }

  /** Equal for two models only if they give the same trees. */
  get identity(): string {
    const names = [FILES.config, FILES.weights, FILES.tokenizer];
    const hashes = names.map((name) => this.files.get(name)?.sha256);
    const { names: given } = this.config.labels ?? {};
    return [...hashes, ...(given ? [JSON.stringify(given)] : [])].join(" ");
  }

  /** @internal */
  wordPieces(): Promise<WordPieces> {
    return readWordPieces(join(this.folder, FILES.tokenizer));
  }

  /** The model card, in Markdown. */
  card(): Promise<string> {
    return readFile(join(this.folder, FILES.card), "utf8");
  }

  /** How many tensors of each number type the weights have on disk. */
  async storedTypes(): Promise<Map<string, number>> {
    const types = new Map<string, number>();
    await this.#withWeights(async (file) => {
      for (const { type } of file.entries.values()) types.set(type, (types.get(type) ?? 0) + 1);
    });
    return types;
  }

  /** The path of its tokenizer.json. */
  get tokenizer(): string {
    return join(this.folder, FILES.tokenizer);
  }

  /**
   * Reads every parameter into the array that `target` gives for it.
   * @internal
   */
  async readWeights(
    parameters: readonly Parameter[],
    target: (parameter: string) => Float32Array,
  ): Promise<void> {
    await this.#withWeights((file) => file.readAll(parameters, target));
  }

  async #withWeights(work: (file: SafetensorsFile) => Promise<void>): Promise<void> {
    const file = await openSafetensors(join(this.folder, FILES.weights));
    try {
      await work(file);
    } finally {
      await file.close();
    }
  }
}

/** The files in the manifest, and the names of labels as they stand there. */
async function readManifest(
  folder: string,
): Promise<{ files: Map<string, FileDescription>; names: unknown }> {
  const file = join(folder, MANIFEST);
  const manifest = (await readJson(file, LARGEST_MANIFEST)) as {
    files?: unknown;
    names?: unknown;
  } | null;
  const files = Object.entries(manifest?.files ?? {});
  const isDescription = (value: unknown) => {
    const { bytes, sha256 } = (value ?? {}) as Record<string, unknown>;
    return Number.isInteger(bytes) && typeof sha256 === "string";
  };
  const odd = files.find(([, description]) => !isDescription(description));
  if (odd) throw broken(file, `it does not give the size and SHA-256 of "${odd[0]}"`);
  return { files: new Map(files as [string, FileDescription][]), names: manifest?.names };
}

async function checkFile(
  folder: string,
  name: string,
  files: ReadonlyMap<string, FileDescription>,
  thorough: boolean,
): Promise<void> {
  const path = join(folder, name);
  const expected = files.get(name);
  if (!expected) throw broken(path, "the manifest does not list it");
  const bytes = await stat(path).then(
    ({ size }) => size,
    () => undefined,
  );
  if (bytes === undefined) throw broken(path, "it is missing");
  if (bytes !== expected.bytes) {
    throw broken(path, `it has ${bytes} bytes where the manifest says ${expected.bytes}`);
  }
  if (thorough && (await describeFile(path)).sha256 !== expected.sha256) {
    throw broken(path, "its contents are not those that the manifest describes");
  }
}

async function readJson(file: string, limit: number): Promise<unknown> {
  const size = (await stat(file).catch(() => undefined))?.size ?? 0;
  if (size > limit) throw broken(file, `it has more than ${limit} bytes`);
  const text = await readFile(file, "utf8").catch(() => {
    throw new InputError(
      "there is no such file",
      { file },
      "a model is a folder that bracken train has finished, or one that bracken ships",
    );
  });
  try {
    return JSON.parse(text);
  } catch {
    throw new InputError(
      "not valid JSON",
      { file },
      "the model is damaged: download or train it again",
    );
  }
}
