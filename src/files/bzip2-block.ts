/**
 * Decodes one block of bzip2 data. Dumps of encyclopaedias are bzip2, and the JavaScript packages that
 * read it are several times slower than the C library. This decoder is written for speed and for single
 * blocks, so that threads can share a file. docs/links.md has the numbers.
 *
 * A block is: 48 bits of magic, a checksum, the symbols in use, up to six Huffman tables and which of
 * them serves each group of fifty symbols, then the symbols: run lengths and move-to-front positions of
 * the Burrows-Wheeler transform of run-length coded text.
 */

import {
  Bits,
  BlockError,
  type Code,
  type Codes,
  codeLength,
  FAST_BITS,
  FAST_MASK,
  GROUP,
  LONGEST_CODE,
  readCodes,
} from "./bzip2-codes.js";

const LARGEST_BLOCK = 900_000;

/** Decodes blocks one after the other; its tables are used again for each. */
export class BlockDecoder {
  readonly #links = new Uint32Array(LARGEST_BLOCK);
  #output = new Uint8Array(1 << 20);

  /** The bytes of the block whose magic begins at this bit. They are the caller's. */
  decode(bytes: Uint8Array, bit: number): Uint8Array {
    const bits = new Bits(bytes, bit);
    bits.take(24);
    bits.take(24);
    const checksum = ((bits.take(16) << 16) | bits.take(16)) >>> 0;
    if (bits.take(1)) throw new BlockError("the block is randomised, which no tool writes today");
    const origin = bits.take(24);
    const used = readUsed(bits);
    const codes = readCodes(bits, used.length + 2);
    const counts = new Int32Array(256);
    const length = this.#readSymbols(bits, used, codes, counts);
    bits.check();
    if (origin >= length) throw new BlockError("the block's origin lies outside of it");
    const size = this.#unsort(length, origin, counts);
    if (crc(this.#output, size) !== checksum) throw new BlockError("the block's checksum differs");
    return this.#output.slice(0, size);
  }

  /**
   * Fills `#links` with the transformed text and counts its bytes. Half of all time is spent here,
   * so the bits are kept in local variables.
   */
  #readSymbols(bits: Bits, used: Uint8Array, { tables, selectors }: Codes, counts: Int32Array) {
    const links = this.#links;
    const { bytes } = bits;
    const front = used.slice();
    const end = used.length + 1;
    let { buffer, count, at } = bits;
    let [length, run, weight] = [0, 0, 1];
    for (const selector of selectors) {
      const { fast, limits, bases, symbols } = tables[selector] as Code;
      for (let left = GROUP; left > 0; left--) {
        while (count < LONGEST_CODE) {
          buffer = (buffer << 8) | (at < bytes.length ? (bytes[at] as number) : 0);
          at += 1;
          count += 8;
        }
        let symbol = fast[(buffer >>> (count - FAST_BITS)) & FAST_MASK] as number;
        if (symbol !== 0) {
          count -= symbol & 31;
          symbol >>>= 5;
        } else {
          const size = codeLength(limits, buffer, count);
          if (size === 0) throw new BlockError("a code stands for no symbol", at > bytes.length);
          count -= size;
          const code = (buffer >>> count) & ((1 << size) - 1);
          symbol = symbols[code + (bases[size] as number)] as number;
        }
        if (symbol <= 1) {
          run += weight << symbol;
          weight <<= 1;
          if (run > LARGEST_BLOCK) throw tooLong(at > bytes.length);
          continue;
        }
        if (length + run >= LARGEST_BLOCK + (symbol === end ? 1 : 0)) {
          throw tooLong(at > bytes.length);
        }
        if (run > 0) {
          const byte = front[0] as number;
          links.fill(byte, length, length + run);
          counts[byte] = (counts[byte] as number) + run;
          length += run;
          run = 0;
          weight = 1;
        }
        if (symbol === end) {
          Object.assign(bits, { buffer, count, at });
          return length;
        }
        const byte = front[symbol - 1] as number;
        if (symbol > 16) front.copyWithin(1, 0, symbol - 1);
        else for (let to = symbol - 1; to > 0; to--) front[to] = front[to - 1] as number;
        front[0] = byte;
        counts[byte] = (counts[byte] as number) + 1;
        links[length++] = byte;
      }
    }
    throw new BlockError("the block has more symbols than announced", at > bytes.length);
  }

  /** Undoes the Burrows-Wheeler transform and the run lengths; returns the number of bytes. */
  #unsort(length: number, origin: number, counts: Int32Array): number {
    const links = this.#links;
    let sum = 0;
    for (let byte = 0; byte < 256; byte++) {
      const count = counts[byte] as number;
      counts[byte] = sum;
      sum += count;
    }
    for (let at = 0; at < length; at++) {
      const byte = (links[at] as number) & 0xff;
      const place = counts[byte] as number;
      counts[byte] = place + 1;
      links[place] = (links[place] as number) | (at << 8);
    }
    let output = this.#output;
    let room = output.length - 256;
    let size = 0;
    let repeats = 0;
    let last = -1;
    let link = links[origin] as number;
    for (let left = length; left > 0; left--) {
      link = links[link >>> 8] as number;
      const byte = link & 0xff;
      if (size > room) {
        output = this.#grow(size);
        room = output.length - 256;
      }
      if (repeats === 4) {
        output.fill(last, size, size + byte);
        size += byte;
        repeats = 0;
        last = -1;
      } else {
        repeats = byte === last ? repeats + 1 : 1;
        last = byte;
        output[size++] = byte;
      }
    }
    return size;
  }

  #grow(size: number): Uint8Array<ArrayBuffer> {
    const larger = new Uint8Array(this.#output.length * 2);
    larger.set(this.#output.subarray(0, size));
    this.#output = larger;
    return larger;
  }
}

/** The byte values that occur, ascending. */
function readUsed(bits: Bits): Uint8Array {
  const ranges = bits.take(16);
  const used: number[] = [];
  for (let range = 0; range < 16; range++) {
    if (!(ranges & (0x8000 >> range))) continue;
    const inside = bits.take(16);
    for (let at = 0; at < 16; at++) if (inside & (0x8000 >> at)) used.push(range * 16 + at);
  }
  bits.check();
  if (used.length === 0) throw new BlockError("the block uses no symbols");
  return Uint8Array.from(used);
}

function tooLong(cutOff: boolean): BlockError {
  return new BlockError("the block is too long", cutOff);
}

const CRC = new Uint32Array(256);
for (let byte = 0; byte < 256; byte++) {
  let value = byte << 24;
  for (let bit = 0; bit < 8; bit++)
    value = value & 0x80000000 ? (value << 1) ^ 0x04c11db7 : value << 1;
  CRC[byte] = value >>> 0;
}

function crc(bytes: Uint8Array, size: number): number {
  let value = -1;
  for (let at = 0; at < size; at++) {
    value = (value << 8) ^ (CRC[(value >>> 24) ^ (bytes[at] as number)] as number);
  }
  return ~value >>> 0;
}
