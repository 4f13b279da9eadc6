/**
 * The bits of a bzip2 block and its Huffman codes: how they are written at the head of a block, and the
 * tables for reading its symbols.
 */

import { registerError } from "../workers/error-crossing.js";

/** What is wrong with a block; `cutOff` where its data ends too early. */
export class BlockError extends Error {
  override readonly name = "BlockError";
  readonly cutOff: boolean;

  constructor(message: string, cutOff = false) {
    super(message);
    this.cutOff = cutOff;
  }
}

registerError(BlockError, ({ message, cutOff }) => [message, cutOff]);

const MOST_SYMBOLS = 258;
export const LONGEST_CODE = 20;
export const GROUP = 50;
/** Codes up to this long, which are nearly all, are read with one look into a table. */
export const FAST_BITS = 10;
export const FAST_MASK = (1 << FAST_BITS) - 1;

/** A Huffman table: `fast` maps the next bits to length and symbol, the rest is for longer codes. */
export interface Code {
  readonly fast: Uint16Array;
  readonly limits: Int32Array;
  readonly bases: Int32Array;
  readonly symbols: Uint16Array;
}

/** Reads bits, the highest first, through a buffer of up to 32 of them. */
export class Bits {
  readonly bytes: Uint8Array;
  at: number;
  buffer = 0;
  count = 0;

  constructor(bytes: Uint8Array, bit: number) {
    this.bytes = bytes;
    this.at = bit >> 3;
    if (bit & 7) this.take(bit & 7);
  }

  /** Makes at least 20 bits available; past the end zeros follow, and `check` tells. */
  fill(): void {
    while (this.count <= 24) {
      this.buffer = (this.buffer << 8) | (this.bytes[this.at++] ?? 0);
      this.count += 8;
    }
  }

  take(count: number): number {
    if (this.count < count) this.fill();
    this.count -= count;
    return (this.buffer >>> this.count) & ((1 << count) - 1);
  }

  check(): void {
    if (this.at - (this.count >> 3) > this.bytes.length) {
      throw new BlockError("the data ends within a block", true);
    }
  }
}

export interface Codes {
  readonly tables: readonly Code[];
  readonly selectors: Uint8Array;
}

export function readCodes(bits: Bits, symbols: number): Codes {
  const count = bits.take(3);
  const groups = bits.take(15);
  if (count < 2 || count > 6 || groups === 0) throw new BlockError("wrong number of code tables");
  const front = [0, 1, 2, 3, 4, 5];
  const selectors = new Uint8Array(groups);
  for (let group = 0; group < groups; group++) {
    let position = 0;
    while (bits.take(1)) position += 1;
    if (position >= count) throw new BlockError("a selector names no code table");
    const table = front.splice(position, 1)[0] as number;
    front.unshift(table);
    selectors[group] = table;
  }
  const tables = Array.from({ length: count }, () => readCode(bits, symbols));
  bits.check();
  return { tables, selectors };
}

function readCode(bits: Bits, symbols: number): Code {
  const lengths = new Uint8Array(symbols);
  let length = bits.take(5);
  for (let symbol = 0; symbol < symbols; symbol++) {
    while (bits.take(1)) length += bits.take(1) ? -1 : 1;
    if (length < 1 || length > LONGEST_CODE) throw new BlockError("wrong length of a code");
    lengths[symbol] = length;
  }
  return makeCode(lengths);
}

function makeCode(lengths: Uint8Array): Code {
  const symbols = new Uint16Array(MOST_SYMBOLS);
  const limits = new Int32Array(LONGEST_CODE + 2);
  const bases = new Int32Array(LONGEST_CODE + 2);
  const fast = new Uint16Array(1 << FAST_BITS);
  let [code, index] = [0, 0];
  for (let length = 1; length <= LONGEST_CODE; length++) {
    bases[length] = index - code;
    for (let symbol = 0; symbol < lengths.length; symbol++) {
      if (lengths[symbol] !== length) continue;
      symbols[index++] = symbol;
      if (length <= FAST_BITS) {
        const shift = FAST_BITS - length;
        fast.fill((symbol << 5) | length, code << shift, (code + 1) << shift);
      }
      code += 1;
    }
    limits[length] = code;
    code <<= 1;
  }
  return { fast, limits, bases, symbols };
}

/** The length of the next code if it is longer than those of the fast table; 0 if there is no such code. */
export function codeLength(limits: Int32Array, buffer: number, count: number): number {
  for (let length = FAST_BITS + 1; length <= LONGEST_CODE; length++) {
    const code = (buffer >>> (count - length)) & ((1 << length) - 1);
    if (code < (limits[length] as number)) return length;
  }
  return 0;
}
