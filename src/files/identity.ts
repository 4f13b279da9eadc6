/**
 * Tells whether an input is unchanged when a run is resumed: by its size and a SHA-256 of its contents.
 * For a file over 64 MiB that would take too long; its hash covers 64 blocks of 1 MiB, evenly spread
 * from the first byte to the last, and its modification time counts as well, because it reveals changes
 * between the blocks. Standard input and pipes have no identity.
 */

import { createHash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import { fileFailure } from "./failure.js";
import { isRegularFile } from "./input.js";

const BLOCK = 1 << 20;
const MOST_BLOCKS = 64;

/** The identity of each file; undefined if one of them has none. */
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
