/**
 * From what a user names on the command line to text: files, folders, patterns and standard input,
 * gzipped, bzipped or neither, streamed in chunks. Compression is told by the first bytes, not by
 * the name.
 */

import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { glob, isDynamicPattern } from "tinyglobby";
import { InputError } from "../errors.js";
import { bunzip2, type Inflate, isBzip2 } from "./bzip2.js";

export const STDIN = "-";

/**
 * The files that the arguments stand for, folders and patterns in the order of their paths.
 * From a folder only names with one of the extensions are taken, plain or with `.gz` or `.bz2`.
 */
export async function expandInputs(
  names: readonly string[],
  extensions: readonly string[],
): Promise<string[]> {
  const found: string[] = [];
  for (const name of names) found.push(...(await expandInput(name, extensions)));
  return found;
}

async function expandInput(name: string, extensions: readonly string[]): Promise<string[]> {
  if (name === STDIN) return [STDIN];
  const kind = await stat(name).catch(() => undefined);
  if (kind?.isDirectory()) {
    const pattern = extensions.flatMap((extension) =>
      ["", ".gz", ".bz2"].map((packed) => `**/*${extension}${packed}`),
    );
    const inside = await glob(pattern, { cwd: name, expandDirectories: false, dot: false });
    if (inside.length === 0) {
      throw new InputError(
        "this folder holds no file of a known kind",
        { file: name },
        `expected names ending in ${extensions.join(", ")} (or .gz, .bz2); or name the files themselves`,
      );
    }
    return inside.sort(byCodeUnits).map((path) => `${name.replace(/\/+$/, "")}/${path}`);
  }
  if (kind) return [name];
  const matches = isDynamicPattern(name) ? await glob(name, { expandDirectories: false }) : [];
  if (matches.length === 0) {
    throw new InputError(
      "no such file, folder or pattern",
      { file: name },
      "check the spelling and the folder you are in; - reads standard input",
    );
  }
  return matches.sort(byCodeUnits);
}

/** Not `localeCompare`: the order must be the same on every machine. */
function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export interface OpenOptions {
  /** Called with the number of bytes read from disk, before decompression. */
  readonly onBytes?: ((count: number) => void) | undefined;
  /** Take invalid UTF-8 for replacement characters, in place of an error. */
  readonly lenient?: boolean | undefined;
  /** Decodes bzip2 blocks, where others can help. */
  readonly inflate?: Inflate | undefined;
  /** How many bzip2 blocks may be at work. */
  readonly inFlight?: number | undefined;
}

/** Bytes with their place: in the file, before or after decompression. */
export interface Part {
  readonly bytes: Uint8Array;
  readonly position: number;
  /** Whether each byte has a place of its own; of a bzip2 block all bytes have the block's. */
  readonly exact: boolean;
}

/** The text of a file in chunks. Invalid UTF-8 and damaged gzip data are errors that name the file. */
export async function* readText(file: string, options: OpenOptions = {}): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: !options.lenient });
  let line = 1;
  const decode = (bytes?: Uint8Array): string => {
    try {
      return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode();
    } catch {
      throw new InputError(
        "not valid UTF-8 at or after this line",
        { file, line },
        `convert it first, for instance: iconv -f latin1 -t utf-8 ${file}`,
      );
    }
  };
  for await (const bytes of readBytes(file, options)) {
    const text = decode(bytes);
    yield text;
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) line += 1;
  }
  const rest = decode();
  if (rest) yield rest;
}

/** The bytes of a file in chunks, decompressed where it is gzip or bzip2. */
export async function* readBytes(file: string, options: OpenOptions = {}): AsyncGenerator<Buffer> {
  for await (const { bytes } of readParts(file, options)) yield asBuffer(bytes);
}

/**
 * The bytes of a file with their places, from the given place on. What a place is depends on the
 * file: of bzip2 data that of a block before decompression, otherwise that of a byte after it.
 */
export async function* readParts(
  file: string,
  options: OpenOptions = {},
  from = 0,
): AsyncGenerator<Part> {
  const source = count(await openSource(file), options.onBytes);
  const first = await source.next();
  if (first.done) return;
  const whole = prepend(first.value, source);
  if (isGzip(first.value)) {
    yield* readStream(file, gunzip(whole), 0, from);
    return;
  }
  // Standard input can not be opened again: it is read through.
  const seeks = from > 0 && file !== STDIN;
  if (seeks) await source.return(undefined);
  const rest = seeks ? count(await openSource(file, from), options.onBytes) : whole;
  const begin = seeks ? from : 0;
  if (isBzip2(first.value)) yield* readBlocks(file, rest, options, begin, from);
  else yield* readStream(file, rest, begin, from);
}

/** The size of a file in the terms of its places: gzip data must be read through to know it. */
export async function inputSize(file: string): Promise<number> {
  if (file === STDIN) {
    throw new InputError(
      "standard input can not be cut into shards",
      { file },
      "write it to a file first",
    );
  }
  if (!isGzip(await firstBytes(file))) return (await stat(file)).size;
  let size = 0;
  for await (const { bytes } of readParts(file)) size += bytes.length;
  return size;
}

async function firstBytes(file: string): Promise<Uint8Array> {
  const handle = await open(file).catch((error: Error) => {
    throw unreadable(file, error);
  });
  try {
    const { buffer, bytesRead } = await handle.read(new Uint8Array(2), 0, 2, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

function unreadable(file: string, { message }: Error): InputError {
  return new InputError(message, { file }, "check that the file exists and is readable");
}

async function* readBlocks(
  file: string,
  source: AsyncIterable<Buffer>,
  options: OpenOptions,
  begin: number,
  from: number,
): AsyncGenerator<Part> {
  for await (const block of bunzip2(source, { ...options, file, position: begin })) {
    if (block.position >= from) yield { ...block, exact: false };
  }
}

async function* readStream(
  file: string,
  source: AsyncIterable<Buffer>,
  begin: number,
  from: number,
): AsyncGenerator<Part> {
  let position = begin;
  try {
    for await (const bytes of source) {
      const skipped = Math.min(bytes.length, Math.max(0, from - position));
      if (skipped < bytes.length) {
        yield { bytes: bytes.subarray(skipped), position: position + skipped, exact: true };
      }
      position += bytes.length;
    }
  } catch (error) {
    if (!isZlibError(error)) throw error;
    throw new InputError(
      `damaged or cut-off gzip data (${error.message})`,
      { file },
      "fetch or copy the file again",
    );
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

async function openSource(file: string, start = 0): Promise<Readable> {
  if (file === STDIN) return process.stdin;
  const stream = createReadStream(file, { highWaterMark: 1 << 18, start });
  await new Promise<void>((resolve, reject) => {
    stream.once("ready", resolve);
    stream.once("error", (error) => reject(unreadable(file, error)));
  });
  return stream;
}

async function* count(
  source: AsyncIterable<Buffer>,
  onBytes: OpenOptions["onBytes"],
): AsyncGenerator<Buffer> {
  for await (const bytes of source) {
    onBytes?.(bytes.length);
    yield bytes;
  }
}

async function* prepend(first: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}

function gunzip(source: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  const input = Readable.from(source, { objectMode: false });
  const output = createGunzip();
  input.on("error", (error) => output.destroy(error));
  return input.pipe(output);
}

function isZlibError(error: unknown): error is Error {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" && code.startsWith("Z_");
}

/** The lines of a file with their numbers, without line ends (`\n` or `\r\n`). */
export async function* readLines(
  file: string,
  options: OpenOptions = {},
): AsyncGenerator<{ text: string; line: number }> {
  yield* splitLines(readText(file, options));
}

export async function* splitLines(
  chunks: AsyncIterable<string>,
): AsyncGenerator<{ text: string; line: number }> {
  let rest = "";
  let line = 1;
  for await (const chunk of chunks) {
    const pieces = (rest + chunk).split("\n");
    rest = pieces.pop() as string;
    for (const piece of pieces) yield { text: piece.replace(/\r$/, ""), line: line++ };
  }
  if (rest) yield { text: rest.replace(/\r$/, ""), line };
}

/** A text that may be looked at before it is read, also where it is standard input. */
export class TextInput {
  readonly name: string;
  readonly #options: OpenOptions;
  #head: string | undefined;
  /** What follows the head on standard input; a file is opened again, so that none stays open. */
  #rest: AsyncGenerator<string> | undefined;

  constructor(name: string, options: OpenOptions = {}) {
    this.name = name;
    this.#options = options;
  }

  /** The beginning: at least one chunk, up to and with the first that is more than blanks. */
  async head(): Promise<string> {
    if (this.#head !== undefined) return this.#head;
    const isStdin = this.name === STDIN;
    const source = readText(this.name, isStdin ? this.#options : {});
    let text = "";
    while (text.trim() === "") {
      const { done, value } = await source.next();
      if (done) break;
      text += value;
    }
    if (isStdin) this.#rest = source;
    else await source.return(undefined);
    this.#head = text;
    return text;
  }

  /** The whole text, once. */
  async *chunks(): AsyncGenerator<string> {
    if (this.#rest) {
      yield this.#head as string;
      yield* this.#rest;
    } else {
      yield* readText(this.name, this.#options);
    }
  }

  async *lines(): AsyncGenerator<{ text: string; line: number }> {
    yield* splitLines(this.chunks());
  }

  async text(): Promise<string> {
    const parts: string[] = [];
    for await (const chunk of this.chunks()) parts.push(chunk);
    return parts.join("");
  }
}
