/**
 * Reads safetensors files: eight bytes that tell the length of a JSON header, the header with each
 * tensor's type, shape and place, and the numbers. Tensors are read in pieces straight to where they
 * are wanted, so a file of any size needs no memory of its own.
 */

import { type FileHandle, open } from "node:fs/promises";
import { InputError } from "../errors.js";

export interface TensorEntry {
  readonly type: string;
  readonly shape: readonly number[];
  /** Bytes from the beginning of the file. */
  readonly begin: number;
  readonly end: number;
}

const REMEDY = "the file may be damaged or cut off: fetch it again";
const LONGEST_HEADER = 100_000_000;
const CHUNK = 1 << 22;

export class SafetensorsFile {
  readonly file: string;
  readonly entries: ReadonlyMap<string, TensorEntry>;
  readonly #handle: FileHandle;

  private constructor(file: string, handle: FileHandle, entries: ReadonlyMap<string, TensorEntry>) {
    this.file = file;
    this.#handle = handle;
    this.entries = entries;
  }

  static async open(file: string): Promise<SafetensorsFile> {
    const handle = await open(file).catch((error: Error) => {
      throw new InputError(error.message, { file }, "check that the file exists and is readable");
    });
    try {
      return new SafetensorsFile(file, handle, await readHeader(file, handle));
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** Fills `target` with a tensor's numbers at single precision. */
  async read(name: string, target: Float32Array): Promise<void> {
    const entry = this.entries.get(name);
    if (!entry) throw new InputError(`no tensor "${name}"`, { file: this.file });
    const convert = CONVERT[entry.type];
    if (!convert) {
      const known = Object.keys(CONVERT).join(", ");
      throw new InputError(`tensor "${name}" has type ${entry.type}; only ${known} are supported`, {
        file: this.file,
      });
    }
    if (entry.end - entry.begin !== target.length * convert.width) {
      throw new InputError(
        `tensor "${name}" takes ${entry.end - entry.begin} bytes where its shape needs ` +
          `${target.length * convert.width}`,
        { file: this.file },
        REMEDY,
      );
    }
    const chunk = new Uint8Array(Math.min(CHUNK, entry.end - entry.begin));
    for (let at = entry.begin; at < entry.end; at += CHUNK) {
      const bytes = chunk.subarray(0, Math.min(CHUNK, entry.end - at));
      await readFully(this.file, this.#handle, bytes, at);
      convert.into(bytes, target, (at - entry.begin) / convert.width);
    }
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}

interface Conversion {
  /** Bytes a number. */
  readonly width: number;
  into(bytes: Uint8Array, target: Float32Array, offset: number): void;
}

const CONVERT: Readonly<Record<string, Conversion>> = {
  F32: {
    width: 4,
    into: (bytes, target, offset) =>
      target.set(new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4), offset),
  },
  F16: {
    width: 2,
    into: (bytes, target, offset) => {
      const halves = new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2);
      const table = halfPrecision();
      for (let i = 0; i < halves.length; i++) {
        target[offset + i] = table[halves[i] as number] as number;
      }
    },
  },
  BF16: {
    width: 2,
    into: (bytes, target, offset) => {
      // The upper half of a single-precision number.
      const halves = new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2);
      const bits = new Uint32Array(halves.length);
      for (let i = 0; i < halves.length; i++) bits[i] = (halves[i] as number) << 16;
      target.set(new Float32Array(bits.buffer), offset);
    },
  },
};

let halfTable: Float32Array | undefined;

/** Every number of half precision by its bits: one sign, five exponent and ten fraction bits. */
function halfPrecision(): Float32Array {
  if (halfTable) return halfTable;
  halfTable = Float32Array.from({ length: 65536 }, (_, bits) => {
    const sign = bits & 0x8000 ? -1 : 1;
    const exponent = (bits >> 10) & 0x1f;
    const fraction = (bits & 0x3ff) / 1024;
    if (exponent === 0) return sign * fraction * 2 ** -14;
    if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
    return sign * (1 + fraction) * 2 ** (exponent - 15);
  });
  return halfTable;
}

async function readHeader(file: string, handle: FileHandle): Promise<Map<string, TensorEntry>> {
  const { size } = await handle.stat();
  const prefix = new Uint8Array(8);
  await readFully(file, handle, prefix, 0);
  const length = Number(new DataView(prefix.buffer).getBigUint64(0, true));
  if (length > Math.min(size - 8, LONGEST_HEADER)) {
    throw new InputError("no safetensors header", { file }, REMEDY);
  }
  const text = new Uint8Array(length);
  await readFully(file, handle, text, 8);
  let header: unknown;
  try {
    header = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(text));
  } catch {
    throw new InputError("the safetensors header is not JSON", { file }, REMEDY);
  }
  return parseHeader(file, header, 8 + length, size);
}

function parseHeader(
  file: string,
  header: unknown,
  start: number,
  size: number,
): Map<string, TensorEntry> {
  const entries = new Map<string, TensorEntry>();
  for (const [name, value] of Object.entries(header ?? {})) {
    if (name === "__metadata__") continue;
    const { dtype, shape, data_offsets: offsets } = (value ?? {}) as Record<string, unknown>;
    const [begin, end] = isWholeNumbers(offsets) ? offsets : [];
    if (
      typeof dtype !== "string" ||
      !isWholeNumbers(shape) ||
      begin === undefined ||
      end === undefined ||
      begin > end
    ) {
      throw new InputError(`tensor "${name}" has no proper entry in the header`, { file }, REMEDY);
    }
    if (start + end > size) {
      throw new InputError(`tensor "${name}" lies beyond the end of the file`, { file }, REMEDY);
    }
    entries.set(name, { type: dtype, shape, begin: start + begin, end: start + end });
  }
  return entries;
}

function isWholeNumbers(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((item) => Number.isSafeInteger(item) && item >= 0);
}

async function readFully(
  file: string,
  handle: FileHandle,
  bytes: Uint8Array,
  position: number,
): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesRead } = await handle.read(bytes, done, bytes.length - done, position + done);
    if (bytesRead === 0) throw new InputError("the file ends too early", { file }, REMEDY);
    done += bytesRead;
  }
}
