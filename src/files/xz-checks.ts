/** The checksums that xz files have: CRC32, CRC64 and SHA-256. */

import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";

/** How many bytes a checksum takes, by its number in the header. */
export const CHECK_SIZES = [0, 4, 4, 4, 8, 8, 8, 16, 16, 16, 32, 32, 32, 64, 64, 64];

/** A checksum of what it was given so far. */
export interface Digest {
  update(bytes: Uint8Array): void;
  value(): Uint8Array;
}

/** The checksum of this number; undefined for none, and for those that nobody has defined. */
export function digestOf(check: number): Digest | undefined {
  if (check === 1) return crc32Digest();
  if (check === 4) return new Crc64();
  if (check !== 10) return undefined;
  const hash = createHash("sha256");
  return { update: (bytes) => void hash.update(bytes), value: () => hash.digest() };
}

function crc32Digest(): Digest {
  let sum = 0;
  return {
    update: (bytes) => {
      sum = crc32(bytes, sum);
    },
    value: () => {
      const bytes = new Uint8Array(4);
      new DataView(bytes.buffer).setUint32(0, sum, true);
      return bytes;
    },
  };
}

/** The polynomial of ECMA-182 in two halves, since numbers have no 64 bits. */
const [LOW_POLYNOMIAL, HIGH_POLYNOMIAL] = [0xd7870f42, 0xc96c5795];
const LOW_TABLE = new Uint32Array(256);
const HIGH_TABLE = new Uint32Array(256);
for (let byte = 0; byte < 256; byte++) {
  let [low, high] = [byte, 0];
  for (let bit = 0; bit < 8; bit++) {
    const isOdd = low & 1;
    low = ((low >>> 1) | (high << 31)) >>> 0;
    high >>>= 1;
    if (isOdd) [low, high] = [(low ^ LOW_POLYNOMIAL) >>> 0, (high ^ HIGH_POLYNOMIAL) >>> 0];
  }
  LOW_TABLE[byte] = low;
  HIGH_TABLE[byte] = high;
}

class Crc64 implements Digest {
  #low = 0xffffffff;
  #high = 0xffffffff;

  update(bytes: Uint8Array): void {
    let [low, high] = [this.#low, this.#high];
    for (let at = 0; at < bytes.length; at++) {
      const index = (low ^ (bytes[at] as number)) & 0xff;
      low = ((low >>> 8) | (high << 24)) ^ (LOW_TABLE[index] as number);
      high = (high >>> 8) ^ (HIGH_TABLE[index] as number);
    }
    [this.#low, this.#high] = [low, high];
  }

  value(): Uint8Array {
    const bytes = new Uint8Array(8);
    const view = new DataView(bytes.buffer);
    view.setUint32(0, ~this.#low >>> 0, true);
    view.setUint32(4, ~this.#high >>> 0, true);
    return bytes;
  }
}
