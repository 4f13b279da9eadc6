/**
 * Reads tar archives as streams: one file after the other, its contents in parts with their places,
 * nothing unpacked to disk. It reads what tar programs write today: ustar, and long names of GNU and
 * pax.
 *
 * `tar-stream` also gives the places, but version 3.2 brings twelve more packages and 7.6 MB, most of
 * it native code for a runtime other than Node. It also reads beyond the end of an archive, so that
 * anything appended there by a tape or a download is an error.
 */

import { InputError } from "../errors.js";
import { ByteSource } from "./byte-source.js";
import type { Part } from "./input.js";

export interface TarEntry {
  readonly name: string;
  readonly size: number;
  /** The place of its header in the archive. */
  readonly position: number;
  /** Its contents; what is not read is passed over. */
  parts(): AsyncGenerator<Part>;
}

const RECORD = 512;
/** A header, a long name or a pax record; the contents of files are never held. */
const LARGEST_META = 1 << 20;

export function isTar(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(257, 262)).toString("latin1") === "ustar";
}

export async function* readTar(
  source: AsyncIterable<Part>,
  file: string,
): AsyncGenerator<TarEntry> {
  const bytes = new ByteSource(source);
  try {
    yield* readEntries(bytes, file);
  } finally {
    bytes.close();
  }
}

async function* readEntries(bytes: ByteSource, file: string): AsyncGenerator<TarEntry> {
  /** What records before the header say in its place. */
  let told: Partial<Pick<TarEntry, "name" | "size">> = {};
  for (;;) {
    const position = bytes.position;
    const header = await bytes.take(RECORD);
    if (bytes.position === position || header?.every((byte) => byte === 0)) return;
    if (!header || !isTar(header) || !hasChecksum(header)) throw damaged(file, position);
    const type = String.fromCharCode(header[156] as number);
    const ownSize = readNumber(header.subarray(124, 136));
    if (type === "L" || type === "x" || type === "g") {
      const room = ownSize + paddingOf(ownSize);
      const content = room <= LARGEST_META ? await bytes.take(room) : undefined;
      if (!content) throw damaged(file, position);
      const text = Buffer.from(content.subarray(0, ownSize)).toString("utf8");
      told = { ...told, ...readMeta(type, text) };
      continue;
    }
    const { name = readName(header), size = ownSize } = told;
    told = {};
    let left = size;
    const parts = async function* (): AsyncGenerator<Part> {
      while (left > 0) {
        const place = bytes.position;
        const some = await bytes.some(left);
        if (!some) throw damaged(file, position);
        left -= some.length;
        yield { bytes: some, position: place, exact: true };
      }
    };
    if (type === "0" || type === "\0") yield { name, size, position, parts };
    for await (const _ of parts());
    if (!(await bytes.take(paddingOf(size)))) throw damaged(file, position);
  }
}

function paddingOf(size: number): number {
  return (RECORD - (size % RECORD)) % RECORD;
}

/** A long name of GNU's, or name and size of pax; what pax says of all files is neither. */
function readMeta(type: string, text: string): Partial<Pick<TarEntry, "name" | "size">> {
  if (type === "L") return { name: text.replace(/\0.*$/s, "") };
  const name = type === "x" ? /^\d+ path=(.*)$/m.exec(text)?.[1] : undefined;
  const size = type === "x" ? /^\d+ size=(\d+)$/m.exec(text)?.[1] : undefined;
  return {
    ...(name === undefined ? {} : { name }),
    ...(size === undefined ? {} : { size: Number(size) }),
  };
}

/** The sum of the header's bytes, with blanks where the sum itself stands. */
function hasChecksum(header: Uint8Array): boolean {
  const blanks = 8 * 32;
  const sum = header.reduce((total, byte, at) => (at < 148 || at >= 156 ? total + byte : total), 0);
  return sum + blanks === readNumber(header.subarray(148, 156));
}

function damaged(file: string, position: number): InputError {
  return new InputError(
    `damaged or truncated tar archive at byte ${position} of its contents`,
    { file },
    "download or copy the file again",
  );
}

function readName(header: Uint8Array): string {
  const text = (from: number, to: number) =>
    Buffer.from(header.subarray(from, to)).toString("utf8").replace(/\0.*$/s, "");
  const prefix = text(345, 500);
  return prefix && text(257, 263) === "ustar" ? `${prefix}/${text(0, 100)}` : text(0, 100);
}

/** Octal digits, or with the highest bit set a binary number. */
function readNumber(field: Uint8Array): number {
  if ((field[0] as number) & 0x80) {
    return field.subarray(1).reduce((value, byte) => value * 256 + byte, 0);
  }
  return Number.parseInt(
    Buffer.from(field)
      .toString("latin1")
      .replace(/[^0-7]/g, "") || "0",
    8,
  );
}
