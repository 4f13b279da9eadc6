/**
 * The inputs of a plan. When it is made, each is read through once and hashed in chunks. Workers read whole chunks
 * and check each before anything is made of it, so that a part never comes from a file that has changed.
 */

import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { resolve } from "node:path";
import { InputError } from "../errors.js";
import { isAddress } from "../files/address.js";
import { fileFailure } from "../files/failure.js";
import { type ByteOpener, isRegularFile, type Packing, packingOf } from "../files/input.js";
import { CHUNK, type PlannedInput } from "./plan.js";

/** Reads any bytes of a file. */
export interface RangeReader {
  readonly size: number;
  /** The bytes from `begin` up to `end`; fewer at the end of the file. */
  read(begin: number, end: number): Promise<Buffer>;
  close(): Promise<void>;
}

/** Opens a file by its path or address. */
export type OpenRanges = (at: string) => Promise<RangeReader>;

/** A file of this machine's file system. */
export async function openLocalRanges(path: string): Promise<RangeReader> {
  const handle = await open(path).catch((error) => {
    throw fileFailure(error, path);
  });
  const { size } = await handle.stat();
  return {
    size,
    read: async (begin, end) => {
      const buffer = Buffer.allocUnsafe(end - begin);
      let length = 0;
      while (length < buffer.length) {
        const { bytesRead } = await handle
          .read(buffer, length, buffer.length - length, begin + length)
          .catch((error) => {
            throw fileFailure(error, path);
          });
        if (bytesRead === 0) break;
        length += bytesRead;
      }
      return buffer.subarray(0, length);
    },
    close: () => handle.close(),
  };
}

/** Where workers find a file: they may be in another folder than the one who plans. */
export async function locate(name: string): Promise<string> {
  if (isAddress(name)) return name;
  if (await isRegularFile(name)) return resolve(name);
  throw new InputError(
    "standard input, pipes and devices cannot be cut into parts",
    { file: name },
    "write it to a file first",
  );
}

/** What is known of an input once it has been read through. */
export type ReadInput = Pick<PlannedInput, "bytes" | "packing" | "sha256">;

/** Reads a file through once: `consume` gets its bytes, and what it leaves is read after it. */
export async function readThrough(
  at: string,
  { openRanges, onBytes }: { openRanges: OpenRanges; onBytes(count: number): void },
  consume: (openBytes: ByteOpener, packing: Packing) => Promise<void>,
): Promise<ReadInput> {
  const ranges = await openRanges(at);
  const chunks = readChunks(ranges, 0);
  const sha256: string[] = [];
  const first = await chunks.next();
  const hashed = async function* (): AsyncGenerator<Buffer> {
    let next = sha256.length === 0 ? first : await chunks.next();
    for (; !next.done; next = await chunks.next()) {
      sha256.push(hashOf(next.value));
      onBytes(next.value.length);
      yield next.value;
    }
  };
  const packing = packingOf(first.value ?? Buffer.alloc(0));
  try {
    await consume(() => hashed(), packing);
    for await (const _ of hashed());
  } finally {
    await ranges.close();
  }
  return { bytes: ranges.size, packing, sha256 };
}

/** The chunks of a file from a certain one on, one of them read ahead. */
async function* readChunks(ranges: RangeReader, first: number): AsyncGenerator<Buffer> {
  const read = (index: number) => {
    const begin = index * CHUNK;
    const end = Math.min(ranges.size, begin + CHUNK);
    if (begin >= end) return undefined;
    const bytes = ranges.read(begin, end);
    // It is met in its turn; until then it must not count as unhandled.
    bytes.catch(() => {});
    return bytes;
  };
  let next = read(first);
  for (let index = first + 1; next; index++) {
    const bytes = await next;
    next = read(index);
    yield bytes;
  }
}

function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Opens the inputs of a plan by their names; every byte that comes out has been checked. */
export function checkedOpener(inputs: readonly PlannedInput[], openRanges: OpenRanges): ByteOpener {
  const byName = new Map(inputs.map((input) => [input.name, input]));
  return (name, start) => readChecked(byName.get(name) as PlannedInput, start, openRanges);
}

async function* readChecked(
  { name, at, bytes, sha256 }: PlannedInput,
  start: number,
  openRanges: OpenRanges,
): AsyncGenerator<Buffer> {
  const ranges = await openRanges(at);
  try {
    if (ranges.size !== bytes) {
      throw changed(name, `it has ${ranges.size} bytes, and had ${bytes}`);
    }
    let index = Math.floor(start / CHUNK);
    let skip = start - index * CHUNK;
    for await (const chunk of readChunks(ranges, index)) {
      if (hashOf(chunk) !== sha256[index]) {
        throw changed(name, `bytes ${index * CHUNK} to ${index * CHUNK + chunk.length} differ`);
      }
      if (skip < chunk.length) yield chunk.subarray(skip);
      [index, skip] = [index + 1, 0];
    }
  } finally {
    await ranges.close();
  }
}

function changed(file: string, how: string): InputError {
  return new InputError(
    `this is not the file that the plan was made for: ${how}`,
    { file },
    "bring the file back as it was, or make a new plan",
  );
}
