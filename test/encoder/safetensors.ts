/** Writes safetensors files for tests. */

import { writeFileSync } from "node:fs";

export interface TensorData {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly bytes: Uint8Array;
}

export function float32(shape: readonly number[], values: ArrayLike<number>): TensorData {
  return { dtype: "F32", shape, bytes: new Uint8Array(Float32Array.from(values).buffer) };
}

export function uint16(dtype: string, shape: readonly number[], bits: number[]): TensorData {
  return { dtype, shape, bytes: new Uint8Array(Uint16Array.from(bits).buffer) };
}

export function writeSafetensors(file: string, tensors: Readonly<Record<string, TensorData>>) {
  let at = 0;
  const header: Record<string, unknown> = { __metadata__: { format: "pt" } };
  for (const [name, { dtype, shape, bytes }] of Object.entries(tensors)) {
    header[name] = { dtype, shape, data_offsets: [at, at + bytes.length] };
    at += bytes.length;
  }
  const json = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(json.length));
  writeFileSync(
    file,
    Buffer.concat([length, json, ...Object.values(tensors).map(({ bytes }) => bytes)]),
  );
}
