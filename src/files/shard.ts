/**
 * Cuts inputs into shards. A shard is a contiguous part of the input, so that the outputs of all
 * shards, concatenated in order, are the output of the whole. Shards have about the same size in bytes.
 * Sizes are cheap to find, except for gzipped files, which must be read through once. The same places
 * also tell how far a run has come, so that it can be resumed.
 */

/** One of several parts of the input. */
export interface Shard {
  /** Which part, counted from 1. */
  readonly number: number;
  /** The number of parts. */
  readonly of: number;
}

/** Where something stands: several may share a place, and no later one has a lesser. */
export interface InputPlace {
  /** The number of its input. */
  readonly input: number;
  readonly position: number;
}

/** Up to where everything is done: this many at this place, and all before it. */
export interface DonePlace extends InputPlace {
  readonly count: number;
}

export const NOTHING_DONE: DonePlace = { input: 0, position: 0, count: 0 };

/** What stands between two places; up to the end of the inputs if it has no end of its own. */
export interface Stretch {
  readonly from: InputPlace;
  readonly to?: InputPlace | undefined;
}

/** The shard's stretch of inputs that have these sizes. */
export function stretchOf(shard: Shard, sizes: readonly number[]): Stretch {
  const begins: number[] = [];
  let total = 0;
  for (const size of sizes) {
    begins.push(total);
    total += Math.max(1, size);
  }
  const edge = (number: number): InputPlace => {
    const at = Math.floor((total / shard.of) * number);
    const input = begins.findLastIndex((begin) => begin <= at);
    return { input, position: at - (begins[input] as number) };
  };
  const to = shard.number === shard.of ? undefined : edge(shard.number);
  return { from: edge(shard.number - 1), to };
}

/** What is left to do of the inputs. */
export interface Remainder {
  readonly stretch?: Stretch | undefined;
  readonly done?: DonePlace | undefined;
}

/** Nothing before this place is left to do. */
export function beginOf({ stretch, done }: Remainder): InputPlace {
  const from = stretch?.from ?? NOTHING_DONE;
  return done && !isBefore(done, from) ? done : from;
}

/** What is left to do of the items, which begin at `beginOf` and come in lists. */
export async function* remaining<Item extends InputPlace>(
  lists: AsyncIterable<readonly Item[]>,
  { stretch, done }: Remainder,
): AsyncGenerator<readonly Item[]> {
  let skipped = 0;
  const isLeft = (item: Item): boolean => {
    if (stretch && isBefore(item, stretch.from)) return false;
    const isDone = done !== undefined && isSamePlace(item, done) && skipped < done.count;
    if (isDone) skipped += 1;
    return !isDone;
  };
  const to = stretch?.to;
  for await (const items of lists) {
    const end = to ? items.findIndex((item) => !isBefore(item, to)) : -1;
    yield (end < 0 ? items : items.slice(0, end)).filter(isLeft);
    if (end >= 0) return;
  }
}

/** What is done once this item is done too. */
export function doneWith({ input, position }: InputPlace, before: DonePlace): DonePlace {
  const isSame = isSamePlace({ input, position }, before);
  return { input, position, count: isSame ? before.count + 1 : 1 };
}

export function isSamePlace(a: InputPlace, b: InputPlace): boolean {
  return a.input === b.input && a.position === b.position;
}

/** In the order of the inputs. */
export function isBefore(a: InputPlace, b: InputPlace): boolean {
  return a.input < b.input || (a.input === b.input && a.position < b.position);
}
