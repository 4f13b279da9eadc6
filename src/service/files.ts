/**
 * The files that are served over HTTP: those of the page and of the served models. They are listed
 * once, and a request is looked up in that list, so no other path can be reached, however it is spelt.
 */

import { type FileHandle, open, readdir } from "node:fs/promises";
import { extname, join, relative, sep } from "node:path";
import { MANIFEST } from "../model/source.js";
import type { ServedModel } from "./models.js";

export interface ServedFile {
  readonly path: string;
  readonly type: string;
  readonly cache: string;
}

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".jsonl": "application/x-ndjson; charset=utf-8",
  ".map": "application/json; charset=utf-8",
  ".md": "text/markdown; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
  ".webmanifest": "application/manifest+json",
  ".wasm": "application/wasm",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
};

const ALWAYS_ASK = "no-cache";
const FOR_EVER = "public, max-age=31536000, immutable";

/** A name with a hash of the contents, as the bundler writes it: `assets/index-B4dF00d1.js`. */
const HASHED = /^assets\/.+-[\w-]{8}\.\w+$/;

export async function listFiles(
  page: string,
  models: readonly ServedModel[],
): Promise<ReadonlyMap<string, ServedFile>> {
  const files = new Map<string, ServedFile>();
  const add = (url: string, path: string, cache: string) =>
    files.set(url, { path, type: TYPES[extname(path)] ?? "application/octet-stream", cache });
  const entries = await readdir(page, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const url = relative(page, path).split(sep).join("/");
    add(`/${url}`, path, HASHED.test(url) ? FOR_EVER : ALWAYS_ASK);
  }
  const index = files.get("/index.html");
  if (index) files.set("/", index);
  for (const { name, folder, files: listed } of models) {
    for (const file of [MANIFEST, ...listed.map((each) => each.name)]) {
      add(`/models/${name}/${file}`, join(folder, file), ALWAYS_ASK);
    }
  }
  return files;
}

export interface OpenedFile {
  readonly handle: FileHandle;
  readonly bytes: number;
  /** Changes whenever the file does. */
  readonly tag: string;
}

/** Undefined where the file is no longer there. */
export async function openFile({ path }: ServedFile): Promise<OpenedFile | undefined> {
  const handle = await open(path).catch(() => undefined);
  if (!handle) return undefined;
  const { size, mtimeMs, ino } = await handle.stat();
  return {
    handle,
    bytes: size,
    tag: `"${[size, Math.round(mtimeMs), ino].map(base36).join("-")}"`,
  };
}

function base36(number: number): string {
  return number.toString(36);
}
