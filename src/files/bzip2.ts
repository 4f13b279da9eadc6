/**
 * bzip2 as a stream. Blocks are found first and decoded one by one, here or by workers. The output is
 * in order and has the place of its block in the file.
 */

import { InputError } from "../errors.js";
import { BlockDecoder } from "./bzip2-block.js";
import { BlockError } from "./bzip2-codes.js";
import { joinSegments, type Segment, scanBlocks } from "./bzip2-scan.js";

/** Decodes a block; undefined if its data ends too early. */
export type Inflate = (segment: Segment) => Promise<Uint8Array | undefined>;

export interface Bunzip2Options {
  readonly file: string;
  /** The place in the file at which the data begins. */
  readonly position?: number | undefined;
  readonly inflate?: Inflate | undefined;
  /** How many blocks may be at work. */
  readonly inFlight?: number | undefined;
}

export interface InflatedBlock {
  readonly bytes: Uint8Array;
  /** The place of its block in the file. */
  readonly position: number;
}

export function isBzip2(bytes: Uint8Array): boolean {
  const [b, z, h, level = 0] = bytes;
  return b === 0x42 && z === 0x5a && h === 0x68 && level >= 0x31 && level <= 0x39;
}

let decoder: BlockDecoder | undefined;

/** Decodes on this thread. */
export function inflateSegment({ bytes, bit }: Segment): Uint8Array | undefined {
  decoder ??= new BlockDecoder();
  try {
    return decoder.decode(bytes, bit);
  } catch (error) {
    if (error instanceof BlockError && error.cutOff) return undefined;
    throw error;
  }
}

/** No block of 900,000 bytes takes more room than this. */
const LARGEST_SEGMENT = 1 << 21;

interface Pending {
  readonly segment: Segment;
  readonly bytes: Promise<Uint8Array | undefined>;
}

export async function* bunzip2(
  source: AsyncIterable<Uint8Array>,
  {
    file,
    position = 0,
    inflate = async (each) => inflateSegment(each),
    inFlight = 1,
  }: Bunzip2Options,
): AsyncGenerator<InflatedBlock> {
  const blocks = scanBlocks(source, position);
  const queue: Pending[] = [];
  let cutOff: boolean | undefined;
  const fill = async () => {
    while (cutOff === undefined && queue.length < inFlight) {
      const next = await blocks.next();
      if (next.done) cutOff = next.value.cutOff;
      else queue.push(start(next.value));
    }
  };
  const start = (segment: Segment): Pending => {
    const bytes = inflate(segment);
    // Errors are thrown when their block's turn comes; until then they must not count as unhandled.
    bytes.catch(() => {});
    return { segment, bytes };
  };
  for (;;) {
    await fill();
    const first = queue.shift();
    if (!first) break;
    const bytes = await first.bytes.catch((error: unknown) => {
      throw damaged(file, first.segment.position, error);
    });
    if (bytes) {
      yield { bytes, position: first.segment.position };
      continue;
    }
    // Once in hundreds of terabytes, 48 bits within a block look like the beginning of another.
    await fill();
    const next = queue.shift();
    if (!next || first.segment.bytes.length > LARGEST_SEGMENT) {
      throw damaged(file, first.segment.position, "the data ends within a block");
    }
    queue.unshift(start(joinSegments(first.segment, next.segment)));
  }
  if (cutOff) throw damaged(file, undefined, "the data ends before the end of a stream");
}

function damaged(file: string, position: number | undefined, error: unknown): Error {
  if (error instanceof Error && !(error instanceof BlockError)) return error;
  const reason = error instanceof Error ? error.message : String(error);
  const where = position === undefined ? "" : ` in the block at byte ${position}`;
  return new InputError(
    `damaged or truncated bzip2 data${where} (${reason})`,
    { file },
    "download or copy the file again",
  );
}
