/**
 * One file from a server that may hang up: what has arrived is kept, and the rest is asked for again.
 * The file gets its name only when it is whole and its hash is the one that the server told.
 */

import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, rename, rm, stat } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { InputError } from "../errors.js";
import { type Answer, type Environment, get, type Headers } from "./http.js";

export interface DownloadOptions {
  readonly headers?: Headers;
  readonly env?: Environment;
  /** How often in a row nothing may arrive. */
  readonly attempts?: number;
  /** Milliseconds before the next attempt, counted from 1. */
  readonly pause?: (attempt: number) => number;
  readonly onProgress?: ((received: number, total: number | undefined) => void) | undefined;
}

/** The server has no such file. */
export class MissingFile extends InputError {}

const RESUMABLE = new Set([408, 429, 500, 502, 503, 504]);

export async function download(
  url: URL,
  target: string,
  options: DownloadOptions = {},
): Promise<void> {
  const { attempts = 6, pause = (attempt) => 250 * 2 ** attempt } = options;
  const partial = `${target}.partial`;
  await mkdir(dirname(target), { recursive: true }).catch((error: Error) => {
    throw new InputError(error.message, { file: target }, "choose another folder: BRACKEN_CACHE=…");
  });
  let failures = 0;
  for (;;) {
    const before = await sizeOf(partial);
    try {
      const answer = await request(url, before, options);
      await receive(answer, partial, before, options);
      await verify(url, answer, partial, before > 0);
      return await rename(partial, target);
    } catch (error) {
      if (error instanceof InputError) throw error;
      const hasAdvanced = (await sizeOf(partial)) > before;
      failures = hasAdvanced ? 1 : failures + 1;
      if (failures >= attempts) throw givenUp(url, error);
      await sleep(pause(failures));
    }
  }
}

async function sizeOf(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  );
}

async function request(
  url: URL,
  from: number,
  { headers = {}, env = process.env }: DownloadOptions,
): Promise<Answer> {
  const range = from > 0 ? { range: `bytes=${from}-` } : {};
  const asked = { ...headers, ...range, "accept-encoding": "identity", "user-agent": "bracken" };
  const answer = await get(url, asked, env);
  const status = answer.response.statusCode ?? 0;
  // A range that begins at the end cannot be had: the whole file is there, or it is another one.
  if (status === 200 || status === 206 || status === 416) return answer;
  answer.response.resume();
  if (RESUMABLE.has(status)) throw new Error(`the server answered ${status}`);
  throw refusal(url, status);
}

function refusal(url: URL, status: number): InputError {
  const place = { file: url.href };
  if (status === 404) return new MissingFile("no such file on the server (404)", place);
  if (status === 401 || status === 403) {
    return new InputError(
      `the server refuses access (${status})`,
      place,
      "check the name; for a private or gated model set HF_TOKEN",
    );
  }
  return new InputError(`the server answered ${status}`, place);
}

async function receive(
  { response }: Answer,
  partial: string,
  from: number,
  { onProgress }: DownloadOptions,
): Promise<void> {
  if (response.statusCode === 416) return void response.resume();
  const isContinued = response.statusCode === 206 && startsAt(response) === from;
  if (response.statusCode === 206 && !isContinued) {
    response.destroy();
    await rm(partial, { force: true });
    throw new Error("the server sent another range than asked for");
  }
  let received = isContinued ? from : 0;
  const length = response.headers["content-length"];
  const total = length === undefined ? undefined : received + Number(length);
  const counted = async function* (source: AsyncIterable<Buffer>) {
    for await (const chunk of source) {
      received += chunk.length;
      onProgress?.(received, total);
      yield chunk;
    }
  };
  await pipeline(response, counted, createWriteStream(partial, { flags: isContinued ? "a" : "w" }));
}

function startsAt(response: IncomingMessage): number | undefined {
  const range = /^bytes (\d+)-/.exec(response.headers["content-range"] ?? "");
  return range ? Number(range[1]) : undefined;
}

async function verify(
  url: URL,
  { hops, response }: Answer,
  partial: string,
  isContinued: boolean,
): Promise<void> {
  const expected = toldHash(hops);
  if (!expected && response.statusCode !== 416) return;
  const found = expected ? await hashLike(expected, partial) : "unknown";
  if (found === expected) return;
  await rm(partial, { force: true });
  // The beginning may have come from an older version of the file.
  if (isContinued) throw new Error("the parts of the file do not belong together");
  throw new InputError(
    `what arrived has the hash ${found}, not ${expected}`,
    { file: url.href },
    "try again; if it stays so, something between here and the server changes files",
  );
}

/** A file's hash of the same kind: SHA-256, or the SHA-1 that git gives it with its kind and size. */
async function hashLike(expected: string, file: string): Promise<string> {
  const isGit = expected.length === 40;
  const hash = createHash(isGit ? "sha1" : "sha256");
  if (isGit) hash.update(`blob ${await sizeOf(file)}\0`);
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest("hex");
}

/** The hash in `x-linked-etag`, or in the first host's `etag`; other hosts' tags mean other things. */
function toldHash(hops: Answer["hops"]): string | undefined {
  const origin = hops[0]?.url.origin;
  for (const { url, headers } of hops) {
    const tag = headers["x-linked-etag"] ?? (url.origin === origin ? headers.etag : undefined);
    const hash = /^(?:W\/)?"?([0-9a-f]{40}|[0-9a-f]{64})"?$/.exec(String(tag ?? ""))?.[1];
    if (hash) return hash;
  }
  return undefined;
}

function givenUp(url: URL, error: unknown): InputError {
  return new InputError(
    `the download failed (${error instanceof Error ? error.message : error})`,
    { file: url.href },
    "check the connection and any proxy; what has arrived is kept, so a new attempt goes on from there",
  );
}
