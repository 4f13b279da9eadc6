/**
 * The bytes of a safetensors file, tensor by tensor, so that the memory for a model does not double.
 * Others write them to disk.
 */

import { toHalf } from "./half.js";

export interface NamedTensor {
  readonly name: string;
  readonly shape: readonly number[];
  /** Whole numbers are written as they are. */
  readonly data: Float32Array | Int8Array;
  /** Of numbers that are not whole; by default as the options say. */
  readonly type?: "F16" | "F32";
}

/** A tensor of numbers that are not whole. */
export interface FloatTensor extends NamedTensor {
  readonly data: Float32Array;
}

export interface WriteOptions {
  readonly type: "F16" | "F32";
  readonly metadata?: Readonly<Record<string, string>>;
}

const WIDTHS = { F32: 4, F16: 2, I8: 1 } as const;

export function* safetensorsBytes(
  tensors: readonly NamedTensor[],
  { type, metadata = {} }: WriteOptions,
): Generator<Uint8Array> {
  if (new Uint8Array(Uint16Array.of(1).buffer)[0] !== 1)
    throw new Error("safetensors are written on little-endian machines only");
  const typed = tensors.map((tensor) => ({ ...tensor, type: typeOf(tensor, type) }));
  // The widest first, so that all numbers are aligned.
  typed.sort((a, b) => WIDTHS[b.type] - WIDTHS[a.type]);
  yield header(typed, metadata);
  for (const { data, type } of typed) {
    yield type === "F16" ? halves(data as Float32Array) : bytesOf(data);
  }
}

type TypedTensor = Omit<NamedTensor, "type"> & { readonly type: keyof typeof WIDTHS };

function typeOf({ data, type }: NamedTensor, byDefault: WriteOptions["type"]): TypedTensor["type"] {
  return data instanceof Int8Array ? "I8" : (type ?? byDefault);
}

function header(
  tensors: readonly TypedTensor[],
  metadata: Readonly<Record<string, string>>,
): Uint8Array {
  let offset = 0;
  const entries = tensors.map(({ name, shape, data, type }) => {
    const begin = offset;
    offset += data.length * WIDTHS[type];
    return [name, { dtype: type, shape, data_offsets: [begin, offset] }] as const;
  });
  const fields = { __metadata__: metadata, ...Object.fromEntries(entries) };
  const json = new TextEncoder().encode(JSON.stringify(fields));
  // Padded with blanks, so that the numbers behind it are aligned.
  const length = Math.ceil(json.length / 8) * 8;
  const bytes = new Uint8Array(8 + length).fill(0x20);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(length), true);
  bytes.set(json, 8);
  return bytes;
}

function bytesOf(data: Float32Array | Int8Array): Uint8Array {
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

function halves(data: Float32Array): Uint8Array {
  const converted = new Uint16Array(data.length);
  for (let at = 0; at < data.length; at++) converted[at] = toHalf(data[at] as number);
  return new Uint8Array(converted.buffer);
}
