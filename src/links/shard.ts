/**
 * Cuts inputs into shards by the places of their documents: a shard is a stretch of the input, so
 * that the outputs of all shards one after the other are the output of the whole. Shards are of
 * about equal size in bytes, which costs no more than to ask for the sizes, except that gzipped
 * files must be read through once, since only then their size is known.
 */

import { stat } from "node:fs/promises";
import { InputError } from "../errors.js";
import { readParts, STDIN } from "../io/input.js";

export interface Shard {
  /** Counted from 1. */
  readonly number: number;
  readonly of: number;
}

/** A stretch of all inputs laid end to end. */
export interface Stretch {
  /** The place of each input's beginning. */
  readonly begins: readonly number[];
  readonly from: number;
  readonly to: number;
}

export async function stretchOf(shard: Shard, files: readonly string[]): Promise<Stretch> {
  const begins: number[] = [];
  let total = 0;
  for (const file of files) {
    begins.push(total);
    total += Math.max(1, await sizeOf(file));
  }
  const edge = (number: number) => Math.floor((total / shard.of) * number);
  const to = shard.number === shard.of ? Number.POSITIVE_INFINITY : edge(shard.number);
  return { begins, from: edge(shard.number - 1), to };
}

async function sizeOf(file: string): Promise<number> {
  if (file === STDIN) {
    throw new InputError(
      "standard input can not be cut into shards",
      { file },
      "write it to a file first",
    );
  }
  let size = 0;
  for await (const { bytes, exact } of readParts(file)) {
    if (!exact) return (await stat(file)).size;
    size += bytes.length;
  }
  return size;
}
