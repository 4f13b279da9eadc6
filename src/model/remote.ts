/**
 * A model at a URL. Each file is fetched with progress, checked against the size and SHA-256 in the manifest,
 * and kept in the browser's cache under its hash. So it is fetched once and is never stale. The cache and the
 * hashes need a secure page (https or localhost); on other pages only sizes are checked.
 */

import { WordPieces } from "../encoder/wordpiece.js";
import { InputError } from "../errors.js";
import { SafetensorsFile } from "../safetensors/reader.js";
import type { Parameter } from "../tensor/index.js";
import { type ModelConfig, modelConfigFromJson, withNames } from "./config.js";
import { broken, FILES, LARGEST_MANIFEST, MANIFEST, type ModelSource } from "./source.js";

/** How much of a model has arrived. */
export interface FetchProgress {
  /** The bytes that have arrived. */
  readonly loaded: number;
  /** The bytes of all files of the model. */
  readonly total: number;
}

/** How the files of a model are fetched. */
export interface FetchOptions {
  /** Called as bytes arrive. */
  readonly onProgress?: ((progress: FetchProgress) => void) | undefined;
  /** Cancels loading. */
  readonly signal?: AbortSignal | undefined;
  /** Keep the files in the browser's cache; true by default. */
  readonly cache?: boolean | undefined;
}

interface FileDescription {
  readonly bytes: number;
  readonly sha256: string;
}

/** Browser types that Node's types lack. */
interface KeptFiles {
  match(key: string): Promise<Response | undefined>;
  put(key: string, response: Response): Promise<void>;
  keys(): Promise<readonly { readonly url: string }[]>;
  delete(key: string): Promise<boolean>;
}
interface Caches {
  open(name: string): Promise<KeptFiles>;
}

const CACHE = "bracken-models";
/** The most bytes that an array can have in every browser. */
const LARGEST_FILE = 2 ** 32 - 1;
const WANTED = [FILES.config, FILES.tokenizer, FILES.weights] as const;

export class RemoteModel implements ModelSource {
  readonly config: ModelConfig;
  readonly #base: string;
  readonly #files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;

  private constructor(base: string, { files, names }: Fetched) {
    this.#base = base;
    this.#files = files;
    const file = base + FILES.config;
    const written = modelConfigFromJson(parseJson(this.#text(FILES.config), file), file);
    this.config = withNames(written, names, base + MANIFEST);
  }

  /** Fetches the model whose manifest.json lies under `base`. */
  static async fetch(base: string, options: FetchOptions = {}): Promise<RemoteModel> {
    const folder = base.endsWith("/") ? base : `${base}/`;
    return new RemoteModel(folder, await new Fetching(folder, options).run());
  }

  #text(name: string): string {
    return new TextDecoder().decode(this.#files.get(name));
  }

  async wordPieces(): Promise<WordPieces> {
    return WordPieces.parse(this.#text(FILES.tokenizer), this.#base + FILES.tokenizer);
  }

  async readWeights(
    parameters: readonly Parameter[],
    target: (parameter: string) => Float32Array,
  ): Promise<void> {
    const bytes = this.#files.get(FILES.weights) as Uint8Array<ArrayBuffer>;
    const file = await SafetensorsFile.open({
      file: this.#base + FILES.weights,
      size: bytes.length,
      read: async (into, position) => into.set(bytes.subarray(position, position + into.length)),
      close: async () => {},
    });
    await file.readAll(parameters, target);
  }
}

interface Fetched {
  readonly files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;
  /** The names of labels, as they stand in the manifest. */
  readonly names: unknown;
}

class Fetching {
  readonly #base: string;
  readonly #options: FetchOptions;
  #loaded = 0;
  #total = 0;

  constructor(base: string, options: FetchOptions) {
    this.#base = base;
    this.#options = options;
  }

  async run(): Promise<Fetched> {
    const kept = this.#options.cache === false ? undefined : await openCache();
    const manifest = await this.#manifest(kept);
    const described = WANTED.map(
      (name) => [name, describedIn(manifest, name, this.#base + name)] as const,
    );
    this.#total = described.reduce((sum, [, { bytes }]) => sum + bytes, 0);
    this.#count(0);
    const files = new Map<string, Uint8Array<ArrayBuffer>>();
    for (const [name, description] of described) {
      files.set(name, await this.#file(name, description, kept));
    }
    return { files, names: (manifest as { names?: unknown } | null)?.names };
  }

  /** The current manifest; without a network, the one that was cached with the model. */
  async #manifest(kept: KeptFiles | undefined): Promise<unknown> {
    const url = this.#base + MANIFEST;
    let text: string;
    try {
      text = await textOf(await this.#get(url), url);
      await kept?.put(url, new Response(text)).catch(() => {});
    } catch (error) {
      const known = error instanceof InputError ? undefined : await kept?.match(url);
      if (!known) throw error;
      text = await known.text();
    }
    return parseJson(text, url);
  }

  async #file(
    name: string,
    description: FileDescription,
    kept: KeptFiles | undefined,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const url = this.#base + name;
    const key = `${url}?sha256=${description.sha256}`;
    const found = await kept?.match(key);
    if (found) {
      const bytes = new Uint8Array(await found.arrayBuffer());
      if ((await problemOf(bytes, description)) === undefined) {
        this.#count(bytes.length);
        return bytes;
      }
      // Damaged on disk: it is fetched again.
    }
    const bytes = await this.#download(url, description.bytes);
    const problem = await problemOf(bytes, description);
    if (problem) throw broken(url, problem);
    if (kept) await keep(kept, key, bytes);
    return bytes;
  }

  async #download(url: string, size: number): Promise<Uint8Array<ArrayBuffer>> {
    const response = await this.#get(url);
    const bytes = new Uint8Array(size);
    let at = 0;
    for await (const chunk of chunksOf(response)) {
      if (at + chunk.length > size) throw broken(url, `it has more than ${size} bytes`);
      bytes.set(chunk, at);
      at += chunk.length;
      this.#count(chunk.length);
    }
    return at === size ? bytes : bytes.slice(0, at);
  }

  async #get(url: string): Promise<Response> {
    const { signal } = this.#options;
    const init: RequestInit & { cache: "no-cache" } = {
      // Ask the server again, so that a file of an older model is not taken for this one's.
      cache: "no-cache",
      ...(signal ? { signal } : {}),
    };
    const response = await fetch(url, init);
    if (response.ok) return response;
    throw new InputError(
      `the server answers ${response.status}`,
      { file: url },
      "a model is a folder with manifest.json, config.json, tokenizer.json and model.safetensors",
    );
  }

  #count(bytes: number): void {
    this.#loaded += bytes;
    this.#options.onProgress?.({ loaded: this.#loaded, total: this.#total });
  }
}

/** The entry of a file in a manifest; errors call it `file`. */
function describedIn(manifest: unknown, name: string, file: string): FileDescription {
  const { files } = (manifest ?? {}) as { files?: Readonly<Record<string, FileDescription>> };
  const found = files?.[name];
  if (!found) throw broken(file, "the manifest does not list it");
  const { bytes, sha256 } = found;
  const isSize = Number.isSafeInteger(bytes) && bytes >= 0 && bytes <= LARGEST_FILE;
  if (isSize && typeof sha256 === "string") return found;
  throw broken(file, "the manifest does not give its size and SHA-256, or it is too large to load");
}

/** The text of a response, which might be endless. */
async function textOf(response: Response, url: string): Promise<string> {
  const decoder = new TextDecoder();
  let [text, size] = ["", 0];
  for await (const chunk of chunksOf(response)) {
    size += chunk.length;
    if (size > LARGEST_MANIFEST) throw broken(url, `it has more than ${LARGEST_MANIFEST} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw broken(file, "not valid JSON");
  }
}

/** Some browsers cannot iterate over a stream. */
async function* chunksOf({ body }: Response): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader();
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (done || !value) return;
    yield value;
  }
}

async function problemOf(
  bytes: Uint8Array<ArrayBuffer>,
  expected: FileDescription,
): Promise<string | undefined> {
  if (bytes.length !== expected.bytes) {
    return `it has ${bytes.length} bytes where the manifest says ${expected.bytes}`;
  }
  const { subtle } = globalThis.crypto;
  if (!subtle) return undefined;
  const hash = new Uint8Array(await subtle.digest("SHA-256", bytes));
  const hex = Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
  if (hex === expected.sha256) return undefined;
  return "its contents are not those that the manifest describes";
}

/** A private window may refuse the cache; the model is then fetched each time. */
async function openCache(): Promise<KeptFiles | undefined> {
  const { caches } = globalThis as { caches?: Caches };
  return caches?.open(CACHE).catch(() => undefined);
}

/** Keeps a file and drops its older versions. A full disk only means that it is fetched again. */
async function keep(kept: KeptFiles, key: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  try {
    const address = key.slice(0, key.lastIndexOf("?"));
    for (const { url } of await kept.keys()) {
      if (url.startsWith(`${address}?`)) await kept.delete(url);
    }
    await kept.put(key, new Response(bytes));
  } catch {
    // The file is fetched again next time.
  }
}
