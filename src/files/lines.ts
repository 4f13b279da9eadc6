/**
 * The lines of a stream of bytes, with their places. Lines end with `\n` or `\r\n`; if a stream begins
 * with carriage returns and no newline, as files of old Macintoshes do, also with `\r`. A line over the
 * limit comes in pieces, so that memory is bounded even if a stream has no line ends at all.
 */

import type { Part } from "./input.js";

/** Where a line begins, and what must be known to read on from there. */
export interface LineStart {
  /** Counted from 1. */
  readonly line: number;
  /** Of its first byte, as `Part` has it. */
  readonly position: number;
  /** How many bytes after that position; 0 where each byte has its own. */
  readonly within: number;
  /** Whether a `\r` alone ends lines, too. */
  readonly withReturns: boolean;
}

export interface LinePiece extends LineStart {
  /** Without the line's end. */
  readonly bytes: Uint8Array;
  /** Whether the line begins and ends with this piece; both, unless it is longer than the limit. */
  readonly begins: boolean;
  readonly ends: boolean;
  /** How many bytes end the line: none at the end of the stream and of a piece that does not end it. */
  readonly terminator: 0 | 1 | 2;
}

/** How far a stream is looked into to tell what ends its lines. */
const LOOKED_AT = 1 << 16;

const NEWLINE = 10;
const RETURN = 13;

/**
 * What pieces there are does not depend on how the stream is cut into parts. They come in short lists, since handing
 * each over by itself would cost more than finding it.
 *
 * @param start where the stream begins, if that is not the beginning of its file.
 */
export async function* splitParts(
  parts: AsyncIterable<Part>,
  limit = Number.POSITIVE_INFINITY,
  start?: Pick<LineStart, "line" | "withReturns"> | undefined,
): AsyncGenerator<LinePiece[]> {
  const { withReturns, whole } = start ? { ...start, whole: parts } : await lookAhead(parts);
  const splitter = new Splitter(limit, withReturns, start?.line);
  for await (const part of whole) yield* inLists(splitter.split(part));
  yield* inLists(splitter.rest());
}

/** How many pieces a list has at most: a block of bzip2 can hold millions of empty lines. */
const LIST = 256;

function* inLists(pieces: Iterable<LinePiece>): Generator<LinePiece[]> {
  let list: LinePiece[] = [];
  for (const piece of pieces) {
    list.push(piece);
    if (list.length < LIST) continue;
    yield list;
    list = [];
  }
  if (list.length > 0) yield list;
}

/** Where lines end, and where the next ones begin. */
function* lineEnds(
  bytes: Uint8Array,
  begin: number,
  withReturns: boolean,
): Generator<{ end: number; next: number }> {
  let from = begin;
  let newline = bytes.indexOf(NEWLINE, from);
  for (;;) {
    if (newline >= 0 && newline < from) newline = bytes.indexOf(NEWLINE, from);
    const before = withReturns
      ? bytes.subarray(from, newline < 0 ? bytes.length : newline).indexOf(RETURN)
      : -1;
    const end = before < 0 ? newline : from + before;
    if (end < 0) return;
    from = before >= 0 && bytes[end + 1] === NEWLINE ? end + 2 : end + 1;
    yield { end, next: from };
  }
}

/** Puts pieces together out of the stretches between line ends. */
class Splitter {
  readonly #limit: number;
  readonly #withReturns: boolean;
  #held: Uint8Array[] = [];
  #size = 0;
  #place: BytePlace | undefined;
  #line: number;
  #begins = true;
  #afterReturn = false;

  constructor(limit: number, withReturns: boolean, line = 1) {
    this.#limit = limit;
    this.#withReturns = withReturns;
    this.#line = line;
  }

  /** The pieces that end in this part. */
  *split(part: Part): Generator<LinePiece> {
    const { bytes } = part;
    const withReturns = this.#withReturns;
    let from = this.#afterReturn && bytes[0] === NEWLINE ? 1 : 0;
    for (const { end, next } of lineEnds(bytes, from, withReturns)) {
      if (this.#size + end - from > this.#limit) yield* this.#takeLong(part, from, end);
      else this.#take(part, from, end);
      yield this.#piece(true, part, end, next - end);
      from = next;
    }
    yield* this.#takeLong(part, from, bytes.length);
    if (bytes.length > 0) this.#afterReturn = withReturns && bytes.at(-1) === RETURN;
  }

  /** Takes bytes of the current line; what exceeds the limit comes out. */
  *#takeLong(part: Part, begin: number, end: number): Generator<LinePiece> {
    for (let from = begin; from < end; ) {
      const to = Math.min(end, from + this.#limit - this.#size);
      if (to === from) {
        yield this.#piece(false, part, from);
        continue;
      }
      this.#take(part, from, to);
      from = to;
    }
  }

  /** Takes bytes of the current line that the limit allows. */
  #take(part: Part, begin: number, end: number): void {
    if (begin === end) return;
    this.#place ??= placeOf(part, begin);
    this.#held.push(part.bytes.subarray(begin, end));
    this.#size += end - begin;
  }

  /** What follows the last line end. */
  *rest(): Generator<LinePiece> {
    if (this.#size > 0 || !this.#begins) yield this.#piece(true);
  }

  #piece(ends: boolean, part?: Part, at = 0, terminator = 0): LinePiece {
    const bytes = this.#held.length === 1 ? (this.#held[0] as Uint8Array) : concat(this.#held);
    const hasReturn = ends && bytes.at(-1) === RETURN;
    const { position, within } = this.#place ?? (part ? placeOf(part, at) : NO_PLACE);
    const piece: LinePiece = {
      bytes: hasReturn ? bytes.subarray(0, -1) : bytes,
      line: this.#line,
      position,
      within,
      withReturns: this.#withReturns,
      begins: this.#begins,
      ends,
      terminator: (terminator + (hasReturn ? 1 : 0)) as LinePiece["terminator"],
    };
    this.#held = [];
    this.#size = 0;
    this.#place = undefined;
    this.#begins = ends;
    if (ends) this.#line += 1;
    return piece;
  }
}

function concat(pieces: readonly Uint8Array[]): Uint8Array {
  return pieces.length === 0 ? NO_BYTES : Buffer.concat(pieces);
}

const NO_BYTES = new Uint8Array(0);

type BytePlace = Pick<LineStart, "position" | "within">;

const NO_PLACE: BytePlace = { position: 0, within: 0 };

function placeOf({ position, exact }: Part, at: number): BytePlace {
  return exact ? { position: position + at, within: 0 } : { position, within: at };
}

/** Reads until it is clear what ends lines; the stream comes back whole. */
async function lookAhead(
  parts: AsyncIterable<Part>,
): Promise<{ withReturns: boolean; whole: AsyncIterable<Part> }> {
  const source = parts[Symbol.asyncIterator]();
  const seen: Part[] = [];
  let [size, hasNewline, hasReturn] = [0, false, false];
  while (size < LOOKED_AT && !hasNewline) {
    const next = await source.next();
    if (next.done) break;
    seen.push(next.value);
    const looked = next.value.bytes.subarray(0, LOOKED_AT - size);
    size += looked.length;
    hasNewline = looked.includes(NEWLINE);
    hasReturn ||= looked.includes(RETURN);
  }
  return { withReturns: hasReturn && !hasNewline, whole: follow(seen, source) };
}

async function* follow(seen: Part[], rest: AsyncIterator<Part>): AsyncGenerator<Part> {
  try {
    for (let part = seen.shift(); part; part = seen.shift()) yield part;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}
