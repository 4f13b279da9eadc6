/** The same bytes, packed in each way that inputs may be. */

import { spawnSync } from "node:child_process";
import { gzipSync } from "node:zlib";

function byCommand(
  command: string,
  args: readonly string[],
  input: Uint8Array,
): Buffer | undefined {
  const { status, stdout } = spawnSync(command, args, { input, maxBuffer: 1 << 28 });
  if (status === 0) return stdout;
  console.warn(`SKIPPED: files packed by ${command}, which is not installed`);
  return undefined;
}

/** Members of these sizes, over and over. */
function members(bytes: Uint8Array, size: number): Buffer {
  const packed: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size)
    packed.push(gzipSync(bytes.subarray(at, at + size)));
  return Buffer.concat(packed);
}

/** By the ending of their names; without those whose program is missing. */
export function packings(bytes: Uint8Array): [ending: string, bytes: Uint8Array][] {
  const all: [string, Uint8Array | undefined][] = [
    ["", bytes],
    [".gz", gzipSync(bytes)],
    [".members.gz", members(bytes, 20_011)],
    [".bz2", byCommand("bzip2", ["-1", "-c"], bytes)],
    [".xz", byCommand("xz", ["-0", "-c"], bytes)],
  ];
  return all.filter((each): each is [string, Uint8Array] => each[1] !== undefined);
}
