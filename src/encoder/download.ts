/**
 * Downloads one file from a server that may hang up: what has arrived is kept, and the rest is
 * requested again. The file gets its name only when it is complete and has the hash that the server
 * gave.
 */

import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { open, rm, stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { InputError, WorkFailure } from "../errors.js";
import { fileFailure } from "../files/failure.js";
import { lockOutput } from "../files/lock.js";
import { giveName } from "../files/whole.js";
import type { Answer, AnswerHeaders, Headers, HttpClient } from "./http.js";

export interface Download {
  readonly client: HttpClient;
  readonly url: URL;
  readonly headers?: Headers | undefined;
  /** Where the file goes, given what the server says that it is. */
  readonly place: (told: Told) => string;
  /** How often in a row nothing may arrive. */
  readonly attempts?: number | undefined;
  /** Milliseconds before the next attempt, counted from 1. */
  readonly pause?: ((attempt: number) => number) | undefined;
  readonly onProgress?: ((received: number, total: number | undefined) => void) | undefined;
}

/** What a server tells of a file before it comes. */
export interface Told {
  /** Its name for these contents. */
  readonly etag: string | undefined;
  /** Its SHA-256, or the SHA-1 that git gives it. */
  readonly hash: string | undefined;
  /** The commit that it is of. */
  readonly commit: string | undefined;
}

/** The server has no such file. */
export class MissingFile extends InputError {}

const RESUMABLE = new Set([408, 429, 500, 502, 503, 504]);

/** Fetches a file unless it is there; returns what the server told of it. */
export async function download(file: Download): Promise<Told> {
  const { attempts = 6, pause = (attempt) => 250 * 2 ** attempt } = file;
  /** What there is of the file, once the server has told which it is. */
  let partial: string | undefined;
  for (let failures = 0; ; ) {
    const before = partial === undefined ? 0 : await sizeOf(partial);
    try {
      const answer = await request(file, before);
      const told = toldBy(answer.hops);
      if (answer.status === 416 && partial !== undefined && told.hash === undefined) {
        await rm(partial, { force: true });
        throw new Error("what had arrived is not part of the file");
      }
      const target = file.place(told);
      partial = partialName(target);
      if (await takeIn(file, answer, target, before)) return told;
      if (++failures >= attempts) throw givenUp(file.url, "it changes while it is fetched");
    } catch (error) {
      if (error instanceof InputError || error instanceof WorkFailure) throw error;
      const hasAdvanced = partial !== undefined && (await sizeOf(partial)) > before;
      failures = hasAdvanced ? 1 : failures + 1;
      if (failures >= attempts) throw givenUp(file.url, error);
      await sleep(pause(failures));
    }
  }
}

/** Whether the file is complete. If not, the server sent more or less than the rest that was requested. */
async function takeIn(
  file: Download,
  answer: Answer,
  target: string,
  before: number,
): Promise<boolean> {
  const lock = await lockOutput(target, { wait: true });
  try {
    if (await exists(target)) return true;
    const partial = partialName(target);
    if ((await sizeOf(partial)) !== before) return false;
    await receive(file, answer, partial, before);
    await verify(file.url, answer, partial, before > 0);
    await giveName(await open(partial, "r+"), partial, target);
    return true;
  } finally {
    discard(answer);
    await lock.release();
  }
}

function partialName(target: string): string {
  return `${target}.partial`;
}

async function sizeOf(file: string): Promise<number> {
  return (await stat(file).catch(() => undefined))?.size ?? 0;
}

async function exists(file: string): Promise<boolean> {
  return (await stat(file).catch(() => undefined)) !== undefined;
}

/** Nobody waits for what is left of the body. */
function discard({ body }: Answer): void {
  body.on("error", () => {}).destroy();
}

async function request({ client, url, headers = {} }: Download, from: number): Promise<Answer> {
  const range = from > 0 ? { range: `bytes=${from}-` } : {};
  const asked = { ...headers, ...range, "accept-encoding": "identity", "user-agent": "bracken" };
  const answer = await client.get(url, asked);
  const { status } = answer;
  // A range that begins at the end cannot be had: the whole file is there, or it is another one.
  if (status === 200 || status === 206 || status === 416) return answer;
  discard(answer);
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
  { onProgress }: Download,
  { status, headers, body }: Answer,
  partial: string,
  from: number,
): Promise<void> {
  if (status === 416) return;
  const isContinued = status === 206 && startsAt(headers) === from;
  if (status === 206 && !isContinued) {
    await rm(partial, { force: true });
    throw new Error("the server sent another range than requested");
  }
  let received = isContinued ? from : 0;
  const length = headers["content-length"];
  const total = length === undefined ? undefined : received + Number(length);
  const counted = async function* (source: AsyncIterable<Buffer>) {
    for await (const chunk of source) {
      received += chunk.length;
      onProgress?.(received, total);
      yield chunk;
    }
  };
  const target = createWriteStream(partial, { flags: isContinued ? "a" : "w" });
  await pipeline(body, counted, target).catch((error) => {
    throw fileFailure(error, partial);
  });
}

function startsAt(headers: AnswerHeaders): number | undefined {
  const range = /^bytes (\d+)-/.exec(String(headers["content-range"] ?? ""));
  return range ? Number(range[1]) : undefined;
}

async function verify(
  url: URL,
  { hops }: Answer,
  partial: string,
  isContinued: boolean,
): Promise<void> {
  const { hash: expected } = toldBy(hops);
  if (expected === undefined) return;
  const found = await hashLike(expected, partial);
  if (found === expected) return;
  await rm(partial, { force: true });
  // The beginning may have come from an older version of the file.
  if (isContinued) throw new Error("the parts of the file do not belong together");
  throw new InputError(
    `the downloaded file has the hash ${found}, not ${expected}`,
    { file: url.href },
    "try again; if it happens again, something between you and the server changes files",
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

/** From `x-linked-etag`, or the first host's `etag`; other hosts' tags mean other things. */
function toldBy(hops: Answer["hops"]): Told {
  const origin = hops[0]?.url.origin;
  const own = hops.filter(({ url }) => url.origin === origin);
  const tags = [
    ...hops.map(({ headers }) => headers["x-linked-etag"]),
    ...own.map(({ headers }) => headers.etag),
  ];
  const names = tags.flatMap(
    (tag) => /^(?:W\/)?"?([\w-][\w.-]*)"?$/.exec(String(tag ?? ""))?.[1] ?? [],
  );
  const commit = own.map(({ headers }) => headers["x-repo-commit"]).find(Boolean);
  return {
    etag: names[0],
    hash: names.find((name) => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(name)),
    commit: /^[0-9a-f]{40}$/.exec(String(commit))?.[0],
  };
}

function givenUp(url: URL, error: unknown): InputError {
  return new InputError(
    `the download failed (${error instanceof Error ? error.message : error})`,
    { file: url.href },
    "check the connection and any proxy; the part that has arrived is kept, and a new attempt continues from there",
  );
}
