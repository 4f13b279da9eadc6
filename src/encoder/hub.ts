/** BERT models from the Hugging Face hub, kept in a folder so that each is fetched once. */

import { stat } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, join } from "node:path";
import { InputError } from "../errors.js";
import { download, MissingFile } from "./download.js";
import type { Environment } from "./http.js";
import type { EncoderFiles } from "./source.js";
import { shards } from "./weights.js";

export interface HubOptions {
  /** Where to look for HF_ENDPOINT, HF_TOKEN, HF_HUB_OFFLINE, BRACKEN_CACHE and proxies. */
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
  const folder = join(cacheFolder(env), "hub", model.replace("/", "--"), revision);
  const endpoint = (env.HF_ENDPOINT || HUB).replace(/\/+$/, "");
  const base = `${endpoint}/${model}/resolve/${encodeURIComponent(revision)}/`;
  const fetchFile = async (file: string) => {
    const target = join(folder, file);
    if (!(await exists(target))) {
      await fetchMissing(id, new URL(file, base), target, file, options);
    }
    return target;
  };
  const config = await fetchFile("config.json");
  const tokenizer = await fetchFile("tokenizer.json");
  const isKnownToBeSplit = await exists(join(folder, INDEX));
  const weights = isKnownToBeSplit
    ? await fetchParts(fetchFile)
    : await fetchWeights(id, fetchFile);
  return { config, tokenizer, weights };
}

function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

async function fetchMissing(
  id: string,
  url: URL,
  target: string,
  file: string,
  { env = process.env, onProgress, pause }: HubOptions,
): Promise<void> {
  if (isOn(env.HF_HUB_OFFLINE)) {
    throw new InputError(
      `model "${id}" is not in the cache, and HF_HUB_OFFLINE forbids to fetch it`,
      { file: target },
      "fetch it once with a connection, or give a folder with the model",
    );
  }
  await download(url, target, {
    env,
    ...(env.HF_TOKEN ? { headers: { authorization: `Bearer ${env.HF_TOKEN}` } } : {}),
    ...(pause ? { pause } : {}),
    onProgress: (received, total) => onProgress?.(file, received, total),
  });
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

/** BRACKEN_CACHE, or `bracken` in the user's cache folder. */
export function cacheFolder(env: Environment): string {
  return env.BRACKEN_CACHE || join(env.XDG_CACHE_HOME || join(homedir(), ".cache"), "bracken");
}

function isOn(flag: string | undefined): boolean {
  return ["1", "on", "yes", "true"].includes((flag ?? "").toLowerCase());
}
