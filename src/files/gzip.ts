/**
 * gzip as a stream. A file may consist of several members one after the other, as bgzip and web archives have
 * them. Reading can begin at each; where they begin is known only once the one before is unpacked.
 */

import { Readable } from "node:stream";
import { crc32, createGunzip, createInflateRaw } from "node:zlib";
import { ByteSource } from "./byte-source.js";

/** Large chunks: each one costs a switch between threads, and passes a chain of generators. */
const CHUNK = 1 << 18;

export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/** All members as one stream. */
export function gunzip(source: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  const input = Readable.from(source, { objectMode: false });
  const output = createGunzip({ chunkSize: CHUNK });
  input.on("error", (error) => output.destroy(error));
  return input.pipe(output);
}

/** Damaged data, in the form of zlib's own errors. */
class GzipError extends Error {
  readonly code = "Z_DATA_ERROR";
}

/**
 * The same, with the place of each member in the data and in what is unpacked. As `gunzip` does, it ends where
 * no other member follows, whatever stands there.
 */
export async function* gunzipMembers(
  source: AsyncIterable<Uint8Array>,
  onMember: (seek: number, unpacked: number) => void,
): AsyncGenerator<Buffer> {
  const input = new ByteSource(asParts(source));
  let unpacked = 0;
  for (let seek = 0; await skipHeader(input); seek = input.position) {
    onMember(seek, unpacked);
    let [sum, size] = [0, 0];
    for await (const bytes of inflate(input)) {
      sum = crc32(bytes, sum);
      size += bytes.length;
      yield bytes;
    }
    const trailer = Buffer.from((await input.take(8)) ?? []);
    if (trailer.length < 8) throw new GzipError("unexpected end of file");
    if (trailer.readUInt32LE(0) !== sum) throw new GzipError("incorrect data check");
    if (trailer.readUInt32LE(4) !== size % 2 ** 32) throw new GzipError("incorrect length check");
    unpacked += size;
  }
}

async function* asParts(source: AsyncIterable<Uint8Array>) {
  for await (const bytes of source) yield { bytes };
}

const HAS = { checksum: 2, extra: 4, name: 8, comment: 16 } as const;

/** Whether a member begins here; if so, its header is passed over. */
async function skipHeader(input: ByteSource): Promise<boolean> {
  const fixed = await input.take(10);
  if (!fixed || !isGzip(fixed)) return false;
  const flags = fixed[3] as number;
  if (flags & HAS.extra) {
    const [low = 0, high = 0] = (await input.take(2)) ?? [];
    await input.take(low | (high << 8));
  }
  if (flags & HAS.name) await skipText(input);
  if (flags & HAS.comment) await skipText(input);
  if (flags & HAS.checksum) await input.take(2);
  return true;
}

/** Up to and with a zero. */
async function skipText(input: ByteSource): Promise<void> {
  for (let byte = await input.take(1); byte && byte[0] !== 0; ) byte = await input.take(1);
}

/** Members may be small: each has an engine with a buffer of its own. */
const MEMBER_CHUNK = 1 << 16;

/** Unpacks up to the end of a member's data, and puts back what was read beyond it. */
async function* inflate(input: ByteSource): AsyncGenerator<Buffer> {
  const engine = createInflateRaw({ chunkSize: MEMBER_CHUNK });
  const ended = new Promise<void>((resolve) => {
    engine.once("end", resolve);
    engine.once("close", resolve);
  });
  let given = 0;
  let last: Uint8Array = new Uint8Array(0);
  const feed = async () => {
    for (let bytes = await input.some(CHUNK); bytes; bytes = await input.some(CHUNK)) {
      given += bytes.length;
      last = bytes;
      // Some versions of Node do not call back for bytes that the engine has no use for.
      const taken = new Promise<void>((resolve) => engine.write(last, () => resolve()));
      await Promise.race([ended, taken]);
      if (engine.bytesWritten < given || engine.closed) return;
    }
    engine.end();
  };
  const fed = feed();
  // A source that fails ends the engine, and with it the loop that reads from it.
  fed.catch((error) => engine.destroy(error));
  yield* engine as AsyncIterable<Buffer>;
  await fed;
  const beyond = given - engine.bytesWritten;
  if (beyond > 0) input.putBack(last.subarray(last.length - beyond));
}
