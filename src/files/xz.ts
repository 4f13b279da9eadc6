/**
 * Reads xz files as streams. Node has no xz, and data sets are often published in it. The packages that
 * read it are native code, hold files as a whole, or allow one open file in a process (`xz-decompress`:
 * two files that are read side by side would wait for each other forever). The format has been the same
 * since 2009.
 *
 * A file is one or more streams of blocks. Each block is LZMA2, with a checksum of what it holds. Filters
 * for programs (BCJ) and for sounds (delta) are not for text and not read.
 */

import { crc32 } from "node:zlib";
import { InputError } from "../errors.js";
import { ByteSource } from "./byte-source.js";
import { BadLzma, LzmaDecoder, Window } from "./lzma.js";
import { CHECK_SIZES, digestOf } from "./xz-checks.js";

const HEADER_MAGIC = [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00];
const FOOTER_MAGIC = [0x59, 0x5a];
/** How many bytes tell that a file is xz. */
export const XZ_MAGIC_SIZE = HEADER_MAGIC.length;

export function isXz(bytes: Uint8Array): boolean {
  return HEADER_MAGIC.every((byte, index) => bytes[index] === byte);
}

/** The contents of an xz file in chunks of at most 2 MB. */
export async function* unxz(
  source: AsyncIterable<Uint8Array>,
  file: string,
): AsyncGenerator<Buffer> {
  const reader = new XzReader(source);
  try {
    for await (const chunk of reader.read()) {
      yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    }
  } catch (error) {
    if (!(error instanceof BadLzma) && !(error instanceof BadXz)) throw error;
    const isUnread = error instanceof Unread;
    throw new InputError(
      isUnread ? error.message : `damaged or truncated xz data (${error.message})`,
      { file },
      isUnread ? `decompress it first: xz -dk ${file}` : "download or copy the file again",
    );
  }
}

class BadXz extends Error {}

/** Right, but not read here. */
class Unread extends BadXz {}

const LZMA2 = 0x21;
/** What `xz` itself writes is at most 64 MB, unless it is told otherwise. */
const LARGEST_DICTIONARY = 2 ** 30;

interface Block {
  readonly unpadded: number;
  readonly size: number;
}

class XzReader {
  readonly #bytes: ByteSource;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#bytes = new ByteSource(toParts(source));
  }

  async *read(): AsyncGenerator<Uint8Array> {
    let header = await this.#take(12);
    for (;;) {
      yield* this.#readStream(header);
      const next = await this.#nextStream();
      if (!next) return;
      header = next;
    }
  }

  /** The header of another stream, after zeros in fours; undefined at the end. */
  async #nextStream(): Promise<Uint8Array | undefined> {
    for (;;) {
      const before = this.#bytes.position;
      const four = await this.#bytes.take(4);
      if (!four && this.#bytes.position === before) return undefined;
      if (!four) throw new BadXz("it does not end with a whole stream");
      if (four.every((byte) => byte === 0)) continue;
      return concat(four, await this.#take(8));
    }
  }

  async *#readStream(header: Uint8Array): AsyncGenerator<Uint8Array> {
    if (!isXz(header)) throw new BadXz("a stream has no header");
    const flags = header.subarray(6, 8);
    checkSum(flags, header.subarray(8, 12));
    const check = (flags[1] as number) & 0x0f;
    if (flags[0] !== 0 || (flags[1] as number) > 0x0f) throw new BadXz("unknown stream flags");
    const blocks: Block[] = [];
    for (;;) {
      const size = (await this.#take(1))[0] as number;
      if (size === 0) break;
      blocks.push(yield* this.#readBlock(size, check));
    }
    const indexSize = await this.#readIndex(blocks);
    await this.#readFooter(flags, indexSize);
  }

  async *#readBlock(sizeByte: number, check: number): AsyncGenerator<Uint8Array, Block> {
    const begin = this.#bytes.position - 1;
    const rest = await this.#take(sizeByte * 4 + 3);
    const header = concat(Uint8Array.of(sizeByte), rest);
    checkSum(header.subarray(0, -4), header.subarray(-4));
    const { dictionary, packed, unpacked } = readBlockHeader(header);
    const digest = digestOf(check);
    const from = this.#bytes.position;
    let size = 0;
    for await (const chunk of this.#readLzma2(dictionary)) {
      size += chunk.length;
      digest?.update(chunk);
      yield chunk;
    }
    const packedSize = this.#bytes.position - from;
    const isOther = (told: number | undefined, found: number) =>
      told !== undefined && told !== found;
    if (isOther(packed, packedSize) || isOther(unpacked, size)) {
      throw new BadXz("a block has another size than it says");
    }
    await this.#takeZeros((4 - (packedSize % 4)) % 4);
    const sum = await this.#take(CHECK_SIZES[check] as number);
    if (digest && !isEqual(digest.value(), sum)) throw new BadXz("a block has another checksum");
    return { unpadded: from - begin + packedSize + sum.length, size };
  }

  async *#readLzma2(dictionary: number): AsyncGenerator<Uint8Array> {
    const window = new Window(dictionary);
    const decoder = new LzmaDecoder();
    let position = 0;
    let isBegun = false;
    for (;;) {
      const control = (await this.#take(1))[0] as number;
      if (control === 0) return;
      const resetsDictionary = control === 1 || control >= 0xe0;
      if (!isBegun && !resetsDictionary) throw new BadLzma("no beginning of a dictionary");
      if (resetsDictionary) {
        window.reset();
        position = 0;
        isBegun = true;
      }
      const chunk =
        control < 0x80
          ? await this.#readStored(control, window)
          : await this.#readCoded(control, window, decoder, position);
      position += chunk.length;
      yield chunk;
    }
  }

  /** A chunk that is stored as it is. */
  async #readStored(control: number, window: Window): Promise<Uint8Array> {
    if (control > 2) throw new BadLzma("unknown kind of chunk");
    const size = bigEndian(await this.#take(2)) + 1;
    const stored = await this.#take(size);
    const { bytes, end } = window.reserve(size);
    bytes.set(stored, end);
    return window.take(size);
  }

  async #readCoded(
    control: number,
    window: Window,
    decoder: LzmaDecoder,
    position: number,
  ): Promise<Uint8Array> {
    const sizes = await this.#take(4);
    const size = ((control & 0x1f) << 16) + bigEndian(sizes.subarray(0, 2)) + 1;
    const packed = bigEndian(sizes.subarray(2)) + 1;
    if (control >= 0xc0) decoder.setProperties((await this.#take(1))[0] as number);
    if (control >= 0xa0) decoder.resetState();
    return decoder.decode(await this.#take(packed), size, window, position);
  }

  /** The sizes of all blocks once more. Gives the size of the index. */
  async #readIndex(blocks: readonly Block[]): Promise<number> {
    const begin = this.#bytes.position - 1;
    const read: number[] = [0];
    const number = async () => {
      let [value, scale] = [0, 1];
      for (let count = 0; count < 9; count++) {
        const byte = (await this.#take(1))[0] as number;
        read.push(byte);
        value += (byte & 0x7f) * scale;
        scale *= 128;
        if (byte < 0x80) return value;
      }
      throw new BadXz("a number is too long");
    };
    if ((await number()) !== blocks.length) throw new BadXz("the index has other blocks");
    for (const { unpadded, size } of blocks) {
      if ((await number()) !== unpadded || (await number()) !== size) {
        throw new BadXz("the index has other blocks");
      }
    }
    const padding = (4 - (read.length % 4)) % 4;
    read.push(...(await this.#takeZeros(padding)));
    checkSum(Uint8Array.from(read), await this.#take(4));
    return this.#bytes.position - begin;
  }

  async #readFooter(flags: Uint8Array, indexSize: number): Promise<void> {
    const footer = await this.#take(12);
    checkSum(footer.subarray(4, 10), footer.subarray(0, 4));
    const backward = new DataView(footer.buffer, footer.byteOffset).getUint32(4, true);
    const isEnd = FOOTER_MAGIC.every((byte, index) => footer[10 + index] === byte);
    if (!isEnd || (backward + 1) * 4 !== indexSize || !isEqual(footer.subarray(8, 10), flags)) {
      throw new BadXz("the footer does not fit");
    }
  }

  async #take(count: number): Promise<Uint8Array> {
    const taken = await this.#bytes.take(count);
    if (!taken) throw new BadXz("it ends too early");
    return taken;
  }

  async #takeZeros(count: number): Promise<Uint8Array> {
    const zeros = await this.#take(count);
    if (zeros.some((byte) => byte !== 0)) throw new BadXz("padding is not zero");
    return zeros;
  }
}

async function* toParts(
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<{ readonly bytes: Uint8Array }> {
  for await (const bytes of source) yield { bytes };
}

interface BlockHeader {
  readonly dictionary: number;
  /** Sizes, where the header tells them. */
  readonly packed: number | undefined;
  readonly unpacked: number | undefined;
}

function readBlockHeader(header: Uint8Array): BlockHeader {
  const flags = header[1] as number;
  let at = 2;
  const number = () => {
    let [value, scale] = [0, 1];
    for (let count = 0; count < 9 && at < header.length - 4; count++) {
      const byte = header[at++] as number;
      value += (byte & 0x7f) * scale;
      scale *= 128;
      if (byte < 0x80) return value;
    }
    throw new BadXz("a block's header is too short");
  };
  if (flags & 0x3c) throw new BadXz("unknown block flags");
  const packed = flags & 0x40 ? number() : undefined;
  const unpacked = flags & 0x80 ? number() : undefined;
  const filter = number();
  if ((flags & 3) !== 0 || filter !== LZMA2) {
    throw new Unread("xz data with a filter other than LZMA2 is not read");
  }
  if (number() !== 1 || at >= header.length - 4) throw new BadXz("LZMA2 has one property");
  const dictionary = dictionarySize(header[at++] as number);
  if (header.subarray(at, -4).some((byte) => byte !== 0)) throw new BadXz("padding is not zero");
  return { dictionary, packed, unpacked };
}

function dictionarySize(byte: number): number {
  if (byte > 40) throw new BadXz("unknown size of the dictionary");
  const size = (2 + (byte & 1)) * 2 ** ((byte >> 1) + 11);
  if (size <= LARGEST_DICTIONARY) return size;
  throw new Unread("xz data with a dictionary of over 1 GiB is not read");
}

function checkSum(bytes: Uint8Array, sum: Uint8Array): void {
  const view = new DataView(sum.buffer, sum.byteOffset);
  if (crc32(bytes) !== view.getUint32(0, true)) throw new BadXz("a header has another checksum");
}

function bigEndian(bytes: Uint8Array): number {
  return ((bytes[0] as number) << 8) + (bytes[1] as number);
}

function concat(a: Uint8Array, b: Uint8Array): Uint8Array {
  const whole = new Uint8Array(a.length + b.length);
  whole.set(a);
  whole.set(b, a.length);
  return whole;
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
