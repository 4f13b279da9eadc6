/**
 * Writes safetensors files, tensor by tensor, so that a model's size in memory does not double. The
 * file has its name only when it is whole.
 */

import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { endianness } from "node:os";
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

export async function writeSafetensors(
  file: string,
  tensors: readonly NamedTensor[],
  { type, metadata = {} }: WriteOptions,
): Promise<void> {
  if (endianness() !== "LE")
    throw new Error("safetensors are written on little-endian machines only");
  const temporary = `${file}.${process.pid}.partial`;
  const handle = await open(temporary, "w");
  try {
    await writeHeader(handle, tensors, type, metadata);
    for (const { data } of tensors) {
      await handle.writeFile(type === "F16" ? halves(data) : bytesOf(data));
    }
    await handle.sync();
    await handle.close();
    await rename(temporary, file);
  } catch (error) {
    await handle.close().catch(() => {});
    await rm(temporary, { force: true });
    throw error;
  }
}

async function writeHeader(
  handle: FileHandle,
  tensors: readonly NamedTensor[],
  type: WriteOptions["type"],
  metadata: Readonly<Record<string, string>>,
): Promise<void> {
  const width = type === "F16" ? 2 : 4;
  let offset = 0;
  const entries = tensors.map(({ name, shape, data }) => {
    const begin = offset;
    offset += data.length * width;
    return [name, { dtype: type, shape, data_offsets: [begin, offset] }] as const;
  });
  const header = JSON.stringify({ __metadata__: metadata, ...Object.fromEntries(entries) });
  // Padded with blanks, so that the numbers behind it are aligned.
  const padded = header.padEnd(
    Math.ceil(Buffer.byteLength(header) / 8) * 8 - Buffer.byteLength(header) + header.length,
  );
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(Buffer.byteLength(padded)));
  await handle.writeFile(Buffer.concat([length, Buffer.from(padded)]));
}

function bytesOf(data: Float32Array): Uint8Array {
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

function halves(data: Float32Array): Uint8Array {
  const converted = new Uint16Array(data.length);
  for (let at = 0; at < data.length; at++) converted[at] = toHalf(data[at] as number);
  return new Uint8Array(converted.buffer);
}
