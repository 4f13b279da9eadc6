/**
 * Files, pipes and standard input as text, compressed by gzip, bzip2, xz or not at all, streamed in chunks. The first
 * bytes tell the compression, not the name. What is no regular file is opened once and read through.
 */

import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { InputError, type Place } from "../errors.js";
import { refuseAddress } from "./address.js";
import { bunzip2, type Inflate, isBzip2 } from "./bzip2.js";
import { fileFailure } from "./failure.js";
import { gunzip, gunzipMembers, isGzip } from "./gzip.js";
import { isStdin } from "./stdin.js";
import { isXz, unxz, XZ_MAGIC_SIZE } from "./xz.js";

export { STDIN } from "./stdin.js";

/** The longest line of a file that is read line by line, and the longest record: 64 Mi characters. */
export const LONGEST_LINE = 1 << 26;

/** How an input is opened. */
export interface OpenOptions {
  /** Called with the bytes read from disk, before decompression, and their number. */
  readonly onBytes?: ((count: number, bytes: Uint8Array) => void) | undefined;
  /** Turn invalid UTF-8 into replacement characters instead of raising an error. */
  readonly lenient?: boolean | undefined;
  /**
   * Decodes bzip2 blocks, where others can help.
   * @internal
   */
  readonly inflate?: Inflate | undefined;
  /** How many bzip2 blocks may be at work. */
  readonly inFlight?: number | undefined;
  /**
   * Gives a file's bytes from a place on, instead of the file system.
   * @internal
   */
  readonly openBytes?: ByteOpener | undefined;
  /**
   * Called with each place at which unpacking can begin.
   * @internal
   */
  readonly onMark?: ((mark: Mark) => void) | undefined;
}

/** The bytes of a file, as they are on disk, from this one on. */
export type ByteOpener = (file: string, start: number) => AsyncIterable<Buffer>;

/** How a file is packed. */
export type Packing = "none" | "gzip" | "bzip2" | "xz";

/** The first bytes tell. */
export function packingOf(head: Uint8Array): Packing {
  if (isGzip(head)) return "gzip";
  if (isBzip2(head)) return "bzip2";
  return isXz(head) ? "xz" : "none";
}

/** The beginning of a gzip member or of a bzip2 block. */
export interface Mark {
  /** Its byte on disk. */
  readonly seek: number;
  /** The position of its first byte, as `Part` has it. */
  readonly position: number;
  /** How many bytes there are before it, unpacked. */
  readonly unpacked: number;
}

/** Where reading begins in the middle of a file. */
export interface ReadStart extends Omit<Mark, "unpacked"> {
  readonly packing: Packing;
  /** How many bytes from there on are passed over, unpacked. */
  readonly skip: number;
}

/** Whether a file can be read again, and from any position: standard input, pipes and devices cannot. */
export async function isRegularFile(file: string): Promise<boolean> {
  return !isStdin(file) && (await statusOf(file)).isFile();
}

/** The size of a file on disk in bytes; undefined if only reading it would tell. */
export async function sizeOnDisk(file: string): Promise<number | undefined> {
  if (isStdin(file)) return undefined;
  const status = await statusOf(file);
  return status.isFile() ? status.size : undefined;
}

async function statusOf(file: string) {
  refuseAddress(file);
  return stat(file).catch((error) => {
    throw fileFailure(error, file);
  });
}

/** Bytes with their position in the file, before or after decompression. */
export interface Part {
  readonly bytes: Uint8Array;
  readonly position: number;
  /** Whether each byte has its own position; all bytes of a bzip2 block have the block's. */
  readonly exact: boolean;
}

/** The text of a file in chunks. Invalid UTF-8 and damaged gzip data are errors that name the file. */
export async function* readText(file: string, options: OpenOptions = {}): AsyncGenerator<string> {
  yield* decodeText(readBytes(file, options), file, options);
}

/** Bytes as text in chunks. Invalid UTF-8 is an error that names the file and the line. */
export async function* decodeText(
  source: AsyncIterable<Uint8Array>,
  file: string,
  options: Pick<OpenOptions, "lenient"> = {},
): AsyncGenerator<string> {
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
  for await (const bytes of source) {
    const text = decode(bytes);
    yield text;
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) line += 1;
  }
  const rest = decode();
  if (rest) yield rest;
}

/** The bytes of a file in chunks, decompressed. */
export async function* readBytes(file: string, options: OpenOptions = {}): AsyncGenerator<Buffer> {
  for await (const { bytes } of readParts(file, options)) yield asBuffer(bytes);
}

/**
 * The bytes of a file with their positions, from the given one on. In a bzip2 file, a position is that of a
 * block before decompression; in any other file, that of a byte after decompression.
 */
export async function* readParts(
  file: string,
  options: OpenOptions = {},
  from: number | ReadStart = 0,
): AsyncGenerator<Part> {
  if (typeof from !== "number") {
    yield* unpack(file, openSource(file, options, from.seek), options, from);
    return;
  }
  const source = openSource(file, options);
  const first = await source.next();
  if (first.done) return;
  const packing = packingOf(first.value);
  const hasPlaces = packing === "none" || packing === "bzip2";
  const seeks = from > 0 && hasPlaces && (await canSeek(file, options));
  if (seeks) await source.return(undefined);
  const rest = seeks ? openSource(file, options, from) : prepend(first.value, source);
  const seek = seeks ? from : 0;
  const skip = packing === "bzip2" ? 0 : from - seek;
  for await (const part of unpack(file, rest, options, { packing, seek, position: seek, skip })) {
    if (part.position >= from) yield part;
  }
}

/** Whether a file can be read from any place on. */
export async function canSeek(file: string, { openBytes }: OpenOptions): Promise<boolean> {
  return openBytes !== undefined || (await isRegularFile(file));
}

/** A reader that stops early closes the source, too; one that still waits for data is not waited for. */
async function* unpack(
  file: string,
  source: AsyncGenerator<Buffer>,
  options: OpenOptions,
  start: ReadStart,
): AsyncGenerator<Part> {
  try {
    yield* unpackAll(file, source, options, start);
  } finally {
    source.return(undefined).catch(() => {});
  }
}

function unpackAll(
  file: string,
  source: AsyncIterable<Buffer>,
  options: OpenOptions,
  { packing, position, skip }: ReadStart,
): AsyncGenerator<Part> {
  const { onMark } = options;
  if (packing === "bzip2") return readBlocks(file, source, options, { position, skip });
  const members = () =>
    onMark
      ? gunzipMembers(source, (seek, unpacked) => onMark({ seek, position: unpacked, unpacked }))
      : gunzip(source);
  const unpacked = packing === "gzip" ? members() : packing === "xz" ? unxz(source, file) : source;
  return readStream(file, unpacked, position, position + skip);
}

/** The size of a file in the terms of its places: gzip and xz data must be read through to know it. */
export async function inputSize(file: string): Promise<number> {
  if (!(await isRegularFile(file))) {
    throw new InputError(
      "standard input and pipes cannot be cut into shards",
      { file },
      "write it to a file first",
    );
  }
  const packing = packingOf(await firstBytes(file));
  if (packing === "none" || packing === "bzip2") return (await stat(file)).size;
  let size = 0;
  for await (const { bytes } of readParts(file)) size += bytes.length;
  return size;
}

async function firstBytes(file: string): Promise<Uint8Array> {
  const handle = await open(file).catch((error) => {
    throw fileFailure(error, file);
  });
  try {
    const { buffer, bytesRead } = await handle.read(
      new Uint8Array(XZ_MAGIC_SIZE),
      0,
      XZ_MAGIC_SIZE,
      0,
    );
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** Of the first block, so many bytes are passed over. */
async function* readBlocks(
  file: string,
  source: AsyncIterable<Buffer>,
  options: OpenOptions,
  { position: begin, skip }: Pick<ReadStart, "position" | "skip">,
): AsyncGenerator<Part> {
  let unpacked = 0;
  for await (const { bytes, position } of bunzip2(source, { ...options, file, position: begin })) {
    options.onMark?.({ seek: position, position, unpacked });
    yield { bytes: unpacked === 0 ? bytes.subarray(skip) : bytes, position, exact: false };
    unpacked += bytes.length;
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
      `damaged or truncated gzip data (${error.message})`,
      { file },
      "download or copy the file again",
    );
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Large chunks: each one costs a switch between threads, and passes a chain of generators. */
const CHUNK = 1 << 18;

async function* openSource(
  file: string,
  { onBytes, openBytes = openFile }: OpenOptions,
  start?: number,
): AsyncGenerator<Buffer> {
  const source = openBytes(file, start ?? 0);
  try {
    for await (const bytes of source) {
      onBytes?.(bytes.length, bytes);
      yield bytes;
    }
  } catch (error) {
    throw fileFailure(error, file);
  }
}

/** A pipe cannot be opened at a position, not even at 0. */
function openFile(file: string, start: number): AsyncIterable<Buffer> {
  if (isStdin(file)) return process.stdin;
  return createReadStream(file, { highWaterMark: CHUNK, ...(start > 0 ? { start } : {}) });
}

/** A reader that stops at the first chunk closes the rest, too. */
async function* prepend(first: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield first;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}

function isZlibError(error: unknown): error is Error {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" && code.startsWith("Z_");
}

/** The lines of a file with their numbers, without line ends (`\n` or `\r\n`). */
export function readLines(
  file: string,
  options: OpenOptions = {},
): AsyncGenerator<{ text: string; line: number }> {
  return splitLines(readText(file, options), file);
}

/**
 * @throws {InputError} if a line is longer than the limit: a file without line ends must not fill the memory.
 */
export async function* splitLines(
  chunks: AsyncIterable<string>,
  file?: string,
  limit = LONGEST_LINE,
): AsyncGenerator<{ text: string; line: number }> {
  let held: string[] = [];
  let size = 0;
  let line = 1;
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf("\n"); end >= 0; end = chunk.indexOf("\n", from)) {
      held.push(chunk.slice(from, end));
      yield { text: joinLine(held), line: line++ };
      [held, size, from] = [[], 0, end + 1];
    }
    if (from === chunk.length) continue;
    held.push(chunk.slice(from));
    size += chunk.length - from;
    if (size > limit) throw tooLong(`a line of over ${limit} characters`, { file, line });
  }
  if (size > 0) yield { text: joinLine(held), line };
}

function joinLine(parts: readonly string[]): string {
  const text = parts.length === 1 ? (parts[0] as string) : parts.join("");
  return text.endsWith("\r") ? text.slice(0, -1) : text;
}

/** The error for something so long that it cannot be what it was taken for. */
export function tooLong(problem: string, place: Place = {}): InputError {
  return new InputError(problem, place, "check that the file has the expected format");
}
