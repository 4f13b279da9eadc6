/**
 * Reads safetensors files: eight bytes with the length of a JSON header, the header with the type,
 * shape and place of each tensor, and the numbers. Tensors are read in pieces directly into their
 * destination, so a file of any size needs no memory of its own.
 */

import { InputError } from "../errors.js";

/** Where the bytes of a file are: on a disk, or in memory. */
export interface ByteSource {
  /** What errors call the file. */
  readonly file: string;
  readonly size: number;
  /** Fills `target` with the bytes from `position` on. */
  read(target: Uint8Array, position: number): Promise<void>;
  close(): Promise<void>;
}

export interface TensorEntry {
  readonly type: string;
  readonly shape: readonly number[];
  /** Bytes from the beginning of the file. */
  readonly begin: number;
  readonly end: number;
}

export const DAMAGED = "the file may be damaged or truncated: download it again";
const LONGEST_HEADER = 100_000_000;
const CHUNK = 1 << 22;

export class SafetensorsFile {
  readonly file: string;
  readonly entries: ReadonlyMap<string, TensorEntry>;
  readonly #source: ByteSource;

  private constructor(source: ByteSource, entries: ReadonlyMap<string, TensorEntry>) {
    this.file = source.file;
    this.#source = source;
    this.entries = entries;
  }

  /** Closes the source if it holds no tensors. */
  static async open(source: ByteSource): Promise<SafetensorsFile> {
    try {
      return new SafetensorsFile(source, await readHeader(source));
    } catch (error) {
      await source.close();
      throw error;
    }
  }

  /**
   * Reads tensors of known names and shapes, each into the array that `target` gives for it. None of
   * the numbers may be infinite or NaN.
   */
  async readAll(
    tensors: readonly { readonly name: string; readonly shape: readonly number[] }[],
    target: (name: string) => Float32Array,
  ): Promise<void> {
    // First all shapes, so that no memory is taken for numbers that are not there.
    for (const { name, shape } of tensors) this.#checkShape(name, shape);
    for (const { name } of tensors) {
      const numbers = target(name);
      await this.read(name, numbers);
      if (!areFinite(numbers)) throw notFinite(name, this.file);
    }
  }

  #checkShape(name: string, shape: readonly number[]): void {
    const found = this.entries.get(name)?.shape;
    if (found?.join() === shape.join()) return;
    throw new InputError(
      found
        ? `tensor "${name}" has shape [${found.join(", ")}] where the model needs [${shape.join(", ")}]`
        : `no tensor "${name}"`,
      { file: this.file },
      DAMAGED,
    );
  }

  /** Fills `target` with a tensor's numbers at single precision. */
  async read(name: string, target: Float32Array): Promise<void> {
    const entry = this.entries.get(name);
    if (!entry) throw new InputError(`no tensor "${name}"`, { file: this.file });
    await this.#readNumbers(name, entry, target);
    if (entry.type === "I8") await this.#multiplyRows(name, entry, target);
  }

  /** Whole numbers in 8 bits have one scale for each row, in a tensor of its own. */
  async #multiplyRows(name: string, { shape }: TensorEntry, target: Float32Array): Promise<void> {
    const [rows = 1] = shape;
    const scales = new Float32Array(rows);
    const scalesName = scalesOf(name);
    this.#checkShape(scalesName, [rows]);
    await this.#readNumbers(scalesName, this.entries.get(scalesName) as TensorEntry, scales);
    const columns = target.length / rows;
    for (let at = 0; at < target.length; at++) {
      target[at] = (target[at] as number) * (scales[Math.floor(at / columns)] as number);
    }
  }

  async #readNumbers(name: string, entry: TensorEntry, target: Float32Array): Promise<void> {
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
        DAMAGED,
      );
    }
    const chunk = new Uint8Array(Math.min(CHUNK, entry.end - entry.begin));
    for (let at = entry.begin; at < entry.end; at += CHUNK) {
      const bytes = chunk.subarray(0, Math.min(CHUNK, entry.end - at));
      await this.#source.read(bytes, at);
      convert.into(bytes, target, (at - entry.begin) / convert.width);
    }
  }

  close(): Promise<void> {
    return this.#source.close();
  }
}

function notFinite(name: string, file: string): InputError {
  return new InputError(
    `tensor "${name}" has infinite numbers or NaN`,
    { file },
    "training failed, or the file is damaged: train or download it again",
  );
}

function areFinite(numbers: Float32Array): boolean {
  for (let at = 0; at < numbers.length; at++) if (!Number.isFinite(numbers[at])) return false;
  return true;
}

interface Conversion {
  /** Bytes a number. */
  readonly width: number;
  into(bytes: Uint8Array, target: Float32Array, offset: number): void;
}

/** The name of the tensor with the scales of one whose numbers are whole. */
export function scalesOf(name: string): string {
  return `${name}.scales`;
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
  I8: {
    width: 1,
    into: (bytes, target, offset) =>
      target.set(new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length), offset),
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

async function readHeader(source: ByteSource): Promise<Map<string, TensorEntry>> {
  const { file, size } = source;
  const prefix = new Uint8Array(8);
  await source.read(prefix, 0);
  const length = Number(new DataView(prefix.buffer).getBigUint64(0, true));
  if (length > Math.min(size - 8, LONGEST_HEADER)) {
    throw new InputError("no safetensors header", { file }, DAMAGED);
  }
  const text = new Uint8Array(length);
  await source.read(text, 8);
  let header: unknown;
  try {
    header = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(text));
  } catch {
    throw new InputError("the safetensors header is not JSON", { file }, DAMAGED);
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
      throw new InputError(`tensor "${name}" has no proper entry in the header`, { file }, DAMAGED);
    }
    if (start + end > size) {
      throw new InputError(`tensor "${name}" lies beyond the end of the file`, { file }, DAMAGED);
    }
    entries.set(name, { type: dtype, shape, begin: start + begin, end: start + end });
  }
  checkLayout(file, entries, start, size);
  return entries;
}

/** Tensors lie one behind the other and fill the file, as the format asks for. */
function checkLayout(
  file: string,
  entries: ReadonlyMap<string, TensorEntry>,
  start: number,
  size: number,
): void {
  const inOrder = [...entries].sort(([, a], [, b]) => a.begin - b.begin || a.end - b.end);
  let at = start;
  for (const [name, { type, shape, begin, end }] of inOrder) {
    if (begin !== at) {
      const problem =
        begin < at ? "overlaps another one" : "does not begin where the one before ends";
      throw new InputError(`tensor "${name}" ${problem}`, { file }, DAMAGED);
    }
    const width = CONVERT[type]?.width;
    const needed = width === undefined ? end - begin : shape.reduce((all, dim) => all * dim, width);
    if (end - begin !== needed) {
      const problem = `takes ${end - begin} bytes where its shape needs ${needed}`;
      throw new InputError(`tensor "${name}" ${problem}`, { file }, DAMAGED);
    }
    at = end;
  }
  if (at === size) return;
  throw new InputError(`${size - at} bytes at its end belong to no tensor`, { file }, DAMAGED);
}

function isWholeNumbers(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((item) => Number.isSafeInteger(item) && item >= 0);
}
