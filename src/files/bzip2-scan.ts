/**
 * Finds the blocks in a stream of bzip2 data without decoding it. A block begins with 48 bits of magic
 * at any bit of a byte, and a stream ends with another magic; a dump may have many streams one after
 * the other. Five whole bytes of a magic are known for every bit offset, so it is enough to look at two
 * bytes in every four and to compare the rest if they fit.
 */

/** A block still compressed: its magic begins at this bit of the first byte. */
export interface Segment {
  readonly bytes: Uint8Array;
  readonly bit: number;
  /** The first byte's place in the file: the block's name, wherever reading began. */
  readonly position: number;
}

const BLOCK = [0x31, 0x41, 0x59, 0x26, 0x53, 0x59];
const END = [0x17, 0x72, 0x45, 0x38, 0x50, 0x90];
const MAGIC = 6;

interface Candidate {
  readonly isBlock: boolean;
  readonly shift: number;
  /** How many bytes before the pair the magic's first byte stands. */
  readonly back: number;
}

/** For each pair of neighbouring bytes the places of a magic at which they can stand. */
const CANDIDATES = new Map<number, Candidate[]>();
const IS_CANDIDATE = new Uint8Array(1 << 16);
for (const magic of [BLOCK, END]) {
  for (let shift = 0; shift < 8; shift++) {
    const shifted = shift === 0 ? magic : shiftBytes(magic, shift);
    for (let back = 1; back <= 4; back++) {
      const pair = ((shifted[back] as number) << 8) | (shifted[back + 1] as number);
      IS_CANDIDATE[pair] = 1;
      const known = CANDIDATES.get(pair) ?? [];
      CANDIDATES.set(pair, [...known, { isBlock: magic === BLOCK, shift, back }]);
    }
  }
}

function shiftBytes(bytes: readonly number[], shift: number): number[] {
  return [0, ...bytes].map(
    (byte, index) => ((byte << (8 - shift)) | ((bytes[index] ?? 0) >> shift)) & 0xff,
  );
}

interface Found {
  readonly isBlock: boolean;
  readonly byte: number;
  readonly bit: number;
}

/** The first magic at or after `from`. */
function findMagic(bytes: Uint8Array, from: number): Found | undefined {
  const last = bytes.length - MAGIC - 1;
  for (let at = from; at <= last; at += 4) {
    const pair = ((bytes[at] as number) << 8) | (bytes[at + 1] as number);
    if (IS_CANDIDATE[pair] === 0) continue;
    for (const { isBlock, shift, back } of CANDIDATES.get(pair) as Candidate[]) {
      const byte = at - back;
      if (byte >= 0 && matches(bytes, byte, shift, isBlock ? BLOCK : END)) {
        return { isBlock, byte, bit: shift };
      }
    }
  }
  return undefined;
}

function matches(bytes: Uint8Array, at: number, shift: number, magic: readonly number[]): boolean {
  return magic.every((expected, index) => {
    const pair = ((bytes[at + index] as number) << 8) | (bytes[at + index + 1] ?? 0);
    return ((pair >> (8 - shift)) & 0xff) === expected;
  });
}

export interface ScanEnd {
  /** Whether the data ended within a block or before the end of a stream. */
  readonly cutOff: boolean;
}

/** Yields the blocks of the data, which begins at `position` of its file, and returns how it ended. */
export async function* scanBlocks(
  source: AsyncIterable<Uint8Array>,
  position = 0,
): AsyncGenerator<Segment, ScanEnd> {
  // With zeros after the end, the same comparison finds a magic in the last bytes.
  const padding = new Uint8Array(MAGIC + 4);
  let held = new Uint8Array(0);
  let base = position;
  let open: { byte: number; bit: number } | undefined;
  // Reading may start after the last block: then there is none, and none is missing.
  let [at, ended] = [0, position > 0];
  const finish = async function* (): AsyncGenerator<Segment> {
    for (;;) {
      const found = findMagic(held, at);
      if (!found) break;
      if (open) yield cut(held, base, open, found);
      open = found.isBlock ? found : undefined;
      ended = !found.isBlock;
      at = found.byte + MAGIC;
    }
    // Keeps bytes that may be part of a magic, and those of the open block.
    const searched = Math.max(at, held.length - 2 * MAGIC);
    const keep = open ? open.byte : searched;
    at = searched - keep;
    if (open) open = { byte: 0, bit: open.bit };
    held = held.subarray(keep);
    base += keep;
  };
  for await (const bytes of source) {
    held = concat(held, bytes);
    if (held.length > 4 * MAGIC) yield* finish();
  }
  held = concat(held, padding);
  yield* finish();
  return { cutOff: open !== undefined || !ended };
}

function cut(
  held: Uint8Array,
  base: number,
  open: { byte: number; bit: number },
  next: Found,
): Segment {
  const end = next.byte + (next.bit > 0 ? 1 : 0);
  return { bytes: held.slice(open.byte, end), bit: open.bit, position: base + open.byte };
}

/** Two pieces as one: the magic between them was part of the data. */
export function joinSegments(first: Segment, next: Segment): Segment {
  const gap = next.position - first.position;
  const bytes = concat(first.bytes.subarray(0, gap), next.bytes);
  return { ...first, bytes };
}

function concat(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(first.length + second.length);
  joined.set(first);
  joined.set(second, first.length);
  return joined;
}
