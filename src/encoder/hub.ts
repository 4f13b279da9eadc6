/** BERT models from the Hugging Face hub, fetched once and kept in its cache. */

import { createHash } from "node:crypto";
import { basename } from "node:path";
import { InputError } from "../errors.js";
import { download, MissingFile, type Told } from "./download.js";
import type { Environment } from "./environment.js";
import { HttpClient } from "./http.js";
import { CachedRevision, hubCacheFolder } from "./hub-cache.js";
import type { EncoderFiles } from "./source.js";
import { shards } from "./weights.js";

/** How files are fetched from the Hugging Face hub. */
export interface HubOptions {
  /** Environment variables: HF_ENDPOINT, HF_TOKEN, HF_HUB_OFFLINE, HF_HOME, HF_HUB_CACHE and proxies. */
  readonly env?: Environment;
  /** Called as the bytes of a file arrive. */
  readonly onProgress?: (file: string, received: number, total: number | undefined) => void;
  /** Milliseconds before the next attempt after a failure. */
  readonly pause?: (attempt: number) => number;
}

const HUB = "https://huggingface.co";
const INDEX = "model.safetensors.index.json";

/** `owner/name` or `name`, and a revision after `@` if not the newest. */
const MODEL_ID = /^((?:[\w-][\w.-]*\/)?[\w-][\w.-]*)(?:@([\w-][\w./-]*))?$/;

export function isModelId(name: string): boolean {
  return MODEL_ID.test(name) && !name.includes("..");
}

/** The files of a model, fetched unless they are there. */
export async function fetchFromHub(id: string, options: HubOptions = {}): Promise<EncoderFiles> {
  const [, model = "", revision = "main"] = MODEL_ID.exec(id) ?? [];
  const { env = process.env } = options;
  const cached = await CachedRevision.open(hubCacheFolder(env), model, revision);
  const client = new HttpClient(env);
  const fetchFile = async (file: string) => {
    if (!(await cached.has(file))) {
      if (isOn(env.HF_HUB_OFFLINE)) throw offline(id, cached.path(file));
      await fetchMissing(client, model, cached, file, options);
    }
    return cached.path(file);
  };
  try {
    const config = await fetchFile("config.json");
    const tokenizer = await fetchFile("tokenizer.json");
    const weights = (await cached.has(INDEX))
      ? await fetchParts(fetchFile)
      : await fetchWeights(id, fetchFile);
    return { config, tokenizer, weights };
  } finally {
    await client.close();
  }
}

function offline(id: string, file: string): InputError {
  return new InputError(
    `model "${id}" is not in the cache, and HF_HUB_OFFLINE does not allow downloading it`,
    { file },
    "download it once while online, or use a folder with the model",
  );
}

async function fetchMissing(
  client: HttpClient,
  model: string,
  cached: CachedRevision,
  file: string,
  { env = process.env, onProgress, pause }: HubOptions,
): Promise<void> {
  const endpoint = (env.HF_ENDPOINT || HUB).replace(/\/+$/, "");
  const base = `${endpoint}/${model}/resolve/${encodeURIComponent(cached.revision)}/`;
  const url = new URL(file, base);
  const place = ({ etag }: Told) => cached.blob(etag ?? hashOf(url.href));
  await cached.prepare();
  const told = await download({
    client,
    url,
    place,
    headers: env.HF_TOKEN ? { authorization: `Bearer ${env.HF_TOKEN}` } : {},
    pause,
    onProgress: (received, total) => onProgress?.(file, received, total),
  });
  await cached.add(file, place(told), told.commit);
}

/** A name for contents of which a server tells none. */
function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

type FetchFile = (file: string) => Promise<string>;

/** One file, or the index of several and those. */
async function fetchWeights(id: string, fetchFile: FetchFile): Promise<string> {
  try {
    return await fetchFile("model.safetensors");
  } catch (error) {
    if (!(error instanceof MissingFile)) throw error;
  }
  try {
    return await fetchParts(fetchFile);
  } catch (error) {
    if (!(error instanceof MissingFile)) throw error;
    throw new InputError(
      `model "${id}" has no weights in safetensors`,
      error.place,
      "choose a model that has a model.safetensors file",
    );
  }
}

async function fetchParts(fetchFile: FetchFile): Promise<string> {
  const index = await fetchFile(INDEX);
  for (const part of await shards(index)) await fetchFile(basename(part));
  return index;
}

function isOn(flag: string | undefined): boolean {
  return ["1", "on", "yes", "true"].includes((flag ?? "").toLowerCase());
}
