/**
 * LZMA, the coding inside xz files: a range coder whose bits have adaptive probabilities, and matches in
 * what was decoded before. One call decodes one chunk of LZMA2, which is complete in memory, so nothing
 * needs to be suspended. Names of states and probabilities are those of the format's specification.
 */

/** What was decoded, as far back as matches may reach. */
export class Window {
  /** How far back a match may reach. */
  readonly #reach: number;
  #bytes = new Uint8Array(1 << 16);
  /** Where the next byte goes. */
  #end = 0;
  /** How many bytes of the dictionary are there to be matched. */
  #filled = 0;

  constructor(reach: number) {
    this.#reach = reach;
  }

  /** Forgets everything: matches reach no further back than here. */
  reset(): void {
    this.#end = 0;
    this.#filled = 0;
  }

  /** Makes room for so many bytes, and gives the buffer in which they go, from `end` on. */
  reserve(count: number): { bytes: Uint8Array; end: number; filled: number } {
    const kept = Math.min(this.#filled, this.#reach);
    const isFull = this.#end + count > this.#bytes.length;
    // Moving what is kept costs little if it is seldom done: the buffer has half as much again.
    if (isFull && kept + count <= this.#bytes.length && kept <= (this.#bytes.length * 2) / 3) {
      this.#bytes.copyWithin(0, this.#end - kept, this.#end);
      this.#end = kept;
    } else if (isFull) {
      const larger = new Uint8Array(Math.max(2 * this.#bytes.length, 2 * (kept + count)));
      larger.set(this.#bytes.subarray(this.#end - kept, this.#end));
      this.#bytes = larger;
      this.#end = kept;
    }
    return { bytes: this.#bytes, end: this.#end, filled: kept };
  }

  /** Says that so many bytes have been written, and gives them. */
  take(count: number): Uint8Array {
    this.#end += count;
    this.#filled += count;
    return this.#bytes.slice(this.#end - count, this.#end);
  }
}

/** Where each group of probabilities begins in one array. */
const LENGTH_SIZE = 2 + 16 * 8 + 16 * 8 + 256;
const IS_MATCH = 0;
const IS_REP = IS_MATCH + 12 * 16;
const IS_REP_G0 = IS_REP + 12;
const IS_REP_G1 = IS_REP_G0 + 12;
const IS_REP_G2 = IS_REP_G1 + 12;
const IS_REP0_LONG = IS_REP_G2 + 12;
const POS_SLOT = IS_REP0_LONG + 12 * 16;
const SPEC_POS = POS_SLOT + 4 * 64;
const ALIGN = SPEC_POS + 128;
const MATCH_LENGTH = ALIGN + 16;
const REP_LENGTH = MATCH_LENGTH + LENGTH_SIZE;
const LITERAL = REP_LENGTH + LENGTH_SIZE;

/** A length's choices, then three trees: eight short, eight middle and 256 long lengths. */
const LOW = 2;
const MIDDLE = LOW + 16 * 8;
const HIGH = MIDDLE + 16 * 8;

const EVEN = 1024;
const TOP = 1 << 24;

/** Thrown for data that no encoder writes. */
export class BadLzma extends Error {}

export class LzmaDecoder {
  #probabilities = new Uint16Array(0);
  #literalContext = 0;
  #literalMask = 0;
  #positionMask = 0;
  #state = 0;
  #reps = [0, 0, 0, 0];
  /** The data at hand, and how far it is read. */
  #input: Uint8Array = new Uint8Array(0);
  #at = 0;
  #range = 0;
  #code = 0;

  /** Sets how many bits of position and of the byte before decide the probabilities. */
  setProperties(byte: number): void {
    if (byte >= 9 * 5 * 5) throw new BadLzma("unknown properties");
    const literalContext = byte % 9;
    const literalPosition = Math.floor(byte / 9) % 5;
    if (literalContext + literalPosition > 4) throw new BadLzma("unknown properties");
    this.#literalContext = literalContext;
    this.#literalMask = (1 << literalPosition) - 1;
    this.#positionMask = (1 << Math.floor(byte / 45)) - 1;
    const literals = 0x300 << (literalContext + literalPosition);
    this.#probabilities = new Uint16Array(LITERAL + literals);
  }

  resetState(): void {
    if (this.#probabilities.length === 0) throw new BadLzma("no properties");
    this.#probabilities.fill(EVEN);
    this.#state = 0;
    this.#reps = [0, 0, 0, 0];
  }

  /** Decodes a chunk of `size` bytes into the window. Its position is counted from the last reset. */
  decode(input: Uint8Array, size: number, window: Window, position: number): Uint8Array {
    if (this.#probabilities.length === 0 || input.length < 5 || input[0] !== 0) {
      throw new BadLzma("not the beginning of a chunk");
    }
    this.#input = input;
    this.#range = 0xffffffff;
    this.#code = ((input[1] as number) << 24) >>> 0;
    this.#code += ((input[2] as number) << 16) | ((input[3] as number) << 8) | (input[4] as number);
    this.#at = 5;
    const { bytes, end, filled } = window.reserve(size);
    this.#fill(bytes, end, end + size, filled, position - end);
    this.#normalise();
    if (this.#at !== input.length || this.#code !== 0) throw new BadLzma("a chunk ends elsewhere");
    return window.take(size);
  }

  /** `shift` added to a place in the buffer is the position in the data. */
  #fill(bytes: Uint8Array, begin: number, end: number, filled: number, shift: number): void {
    const earliest = begin - filled;
    let at = begin;
    while (at < end) {
      const positionState = (at + shift) & this.#positionMask;
      const state = this.#state;
      if (this.#bit(IS_MATCH + (state << 4) + positionState) === 0) {
        this.#literal(bytes, at, earliest, shift);
        at += 1;
        continue;
      }
      const length = this.#match(state, positionState, at - earliest);
      const distance = (this.#reps[0] as number) + 1;
      if (distance > at - earliest) throw new BadLzma("a match reaches too far back");
      if (length > end - at) throw new BadLzma("a match reaches over the end");
      // Byte by byte: a match may overlap what it writes.
      for (const stop = at + length; at < stop; at++) bytes[at] = bytes[at - distance] as number;
    }
  }

  #literal(bytes: Uint8Array, at: number, earliest: number, shift: number): void {
    const before = at > earliest ? (bytes[at - 1] as number) : 0;
    const high = ((at + shift) & this.#literalMask) << this.#literalContext;
    const context = high + (before >> (8 - this.#literalContext));
    const base = LITERAL + 0x300 * context;
    let symbol = 1;
    if (this.#state >= 7) {
      const distance = (this.#reps[0] as number) + 1;
      if (distance > at - earliest) throw new BadLzma("a match reaches too far back");
      let matched = bytes[at - distance] as number;
      while (symbol < 0x100) {
        const expected = (matched >> 7) & 1;
        matched <<= 1;
        const bit = this.#bit(base + ((1 + expected) << 8) + symbol);
        symbol = (symbol << 1) | bit;
        if (bit !== expected) break;
      }
    }
    while (symbol < 0x100) symbol = (symbol << 1) | this.#bit(base + symbol);
    bytes[at] = symbol & 0xff;
    this.#state = this.#state < 4 ? 0 : this.#state < 10 ? this.#state - 3 : this.#state - 6;
  }

  /** Sets the distance and the state, and gives the length. */
  #match(state: number, positionState: number, available: number): number {
    if (this.#bit(IS_REP + state) === 0) {
      const length = this.#length(MATCH_LENGTH, positionState);
      this.#state = state < 7 ? 7 : 10;
      const [first, second, third] = this.#reps as [number, number, number, number];
      this.#reps = [this.#distance(length), first, second, third];
      return length;
    }
    if (available === 0) throw new BadLzma("a match without anything before it");
    if (this.#bit(IS_REP_G0 + state) === 0) {
      if (this.#bit(IS_REP0_LONG + (state << 4) + positionState) === 0) {
        this.#state = state < 7 ? 9 : 11;
        return 1;
      }
    } else {
      this.#chooseRepeat(state);
    }
    this.#state = state < 7 ? 8 : 11;
    return this.#length(REP_LENGTH, positionState);
  }

  /** Moves the second, third or fourth of the last distances to the front. */
  #chooseRepeat(state: number): void {
    const [zero, one, two, three] = this.#reps as [number, number, number, number];
    if (this.#bit(IS_REP_G1 + state) === 0) this.#reps = [one, zero, two, three];
    else if (this.#bit(IS_REP_G2 + state) === 0) this.#reps = [two, zero, one, three];
    else this.#reps = [three, zero, one, two];
  }

  #length(base: number, positionState: number): number {
    if (this.#bit(base) === 0) return 2 + this.#tree(base + LOW + (positionState << 3), 3);
    if (this.#bit(base + 1) === 0) return 10 + this.#tree(base + MIDDLE + (positionState << 3), 3);
    return 18 + this.#tree(base + HIGH, 8);
  }

  /** One less than how far back the match is. */
  #distance(length: number): number {
    const slot = this.#tree(POS_SLOT + (Math.min(length - 2, 3) << 6), 6);
    if (slot < 4) return slot;
    const bits = (slot >> 1) - 1;
    const high = ((2 | (slot & 1)) << bits) >>> 0;
    if (slot < 14) return high + this.#reverseTree(SPEC_POS + high - slot, bits);
    const distance = high + this.#evenBits(bits - 4) * 16 + this.#reverseTree(ALIGN, 4);
    if (distance === 0xffffffff) throw new BadLzma("an end mark, which LZMA2 does not have");
    return distance;
  }

  #tree(base: number, bits: number): number {
    let node = 1;
    for (let count = 0; count < bits; count++) node = (node << 1) | this.#bit(base + node);
    return node - (1 << bits);
  }

  #reverseTree(base: number, bits: number): number {
    let [node, value] = [1, 0];
    for (let count = 0; count < bits; count++) {
      const bit = this.#bit(base + node);
      node = (node << 1) | bit;
      value |= bit << count;
    }
    return value;
  }

  /** Bits of which both values are equally likely. */
  #evenBits(count: number): number {
    let value = 0;
    for (let left = count; left > 0; left--) {
      this.#normalise();
      this.#range >>>= 1;
      const bit = this.#code >= this.#range ? 1 : 0;
      if (bit) this.#code -= this.#range;
      value = value * 2 + bit;
    }
    return value;
  }

  /** The next bit, whose probability it moves towards what it was. */
  #bit(index: number): 0 | 1 {
    this.#normalise();
    const probabilities = this.#probabilities;
    const probability = probabilities[index] as number;
    const bound = (this.#range >>> 11) * probability;
    if (this.#code < bound) {
      this.#range = bound;
      probabilities[index] = probability + ((2048 - probability) >> 5);
      return 0;
    }
    this.#range -= bound;
    this.#code -= bound;
    probabilities[index] = probability - (probability >> 5);
    return 1;
  }

  #normalise(): void {
    if (this.#range >= TOP) return;
    if (this.#at >= this.#input.length) throw new BadLzma("a chunk ends too early");
    this.#range = this.#range * 256;
    this.#code = this.#code * 256 + (this.#input[this.#at] as number);
    this.#at += 1;
  }
}
