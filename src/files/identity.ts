/**
 * What tells whether an input is still the same when a run goes on: its size and a SHA-256 of its
 * contents. Of a file of more than 64 MiB that would take too long; there the hash is of 64 blocks of
 * 1 MiB, evenly spread from the first byte to the last, and the time of the last change counts as well,
 * which tells of changes between the blocks. What can be read only once (standard input, pipes) has no
 * identity.
 */

import { createHash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import { fileFailure } from "./failure.js";
import { isRegularFile } from "./input.js";

const BLOCK = 1 << 20;
const MOST_BLOCKS = 64;

/** The identity of each file; undefined where one of them has none. */
export async function identitiesOf(files: readonly string[]): Promise<string[] | undefined> {
  const identities: string[] = [];
  for (const file of files) {
    if (!(await isRegularFile(file))) return undefined;
    identities.push(await identityOf(file));
  }
  return identities;
}

async function identityOf(file: string): Promise<string> {
  try {
    const handle = await open(file);
    try {
      const { size, mtimeMs } = await handle.stat();
      const isLarge = size > BLOCK * MOST_BLOCKS;
      const hash = await hashBlocks(handle, size);
      return isLarge ? `${size} ${mtimeMs} ${hash}` : `${size} ${hash}`;
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw fileFailure(error, file);
  }
}

async function hashBlocks(handle: FileHandle, size: number): Promise<string> {
  const hash = createHash("sha256");
  const blocks = Math.min(MOST_BLOCKS, Math.ceil(size / BLOCK));
  const buffer = Buffer.alloc(Math.min(BLOCK, size));
  for (let index = 0; index < blocks; index++) {
    const spread = Math.floor(((size - BLOCK) / (MOST_BLOCKS - 1)) * index);
    const position = size > BLOCK * MOST_BLOCKS ? spread : index * BLOCK;
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, position);
    hash.update(buffer.subarray(0, bytesRead));
  }
  return hash.digest("hex");
}
