/**
 * The bytes of a safetensors file, tensor by tensor, so that the memory for a model does not double.
 * Others write them to disk.
 */

import { toHalf } from "./half.js";

export interface NamedTensor {
  readonly name: string;
  readonly shape: readonly number[];
  readonly data: Float32Array;
}

export interface WriteOptions {
  readonly type: "F16" | "F32";
  readonly metadata?: Readonly<Record<string, string>>;
}

export function* safetensorsBytes(
  tensors: readonly NamedTensor[],
  { type, metadata = {} }: WriteOptions,
): Generator<Uint8Array> {
  if (new Uint8Array(Uint16Array.of(1).buffer)[0] !== 1)
    throw new Error("safetensors are written on little-endian machines only");
  yield header(tensors, type, metadata);
  for (const { data } of tensors) yield type === "F16" ? halves(data) : bytesOf(data);
}

function header(
  tensors: readonly NamedTensor[],
  type: WriteOptions["type"],
  metadata: Readonly<Record<string, string>>,
): Uint8Array {
  const width = type === "F16" ? 2 : 4;
  let offset = 0;
  const entries = tensors.map(({ name, shape, data }) => {
    const begin = offset;
    offset += data.length * width;
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

function bytesOf(data: Float32Array): Uint8Array {
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

function halves(data: Float32Array): Uint8Array {
  const converted = new Uint16Array(data.length);
  for (let at = 0; at < data.length; at++) converted[at] = toHalf(data[at] as number);
  return new Uint8Array(converted.buffer);
}
