/**
 * Places in a packed or plain file at which lines can be read on without reading what stands before: where to open
 * it, how much to pass over, and what is counted up to there. A run that begins at one gives the same, line numbers
 * and all, as one that began at the first byte.
 */

import type { Mark, Packing, ReadStart } from "./input.js";
import type { LineStart } from "./lines.js";

/** The first line of something that is read by itself. */
export interface UnitStart extends LineStart {
  /** How many characters (UTF-16 code units) stand before it, where that is counted. */
  readonly begin?: number | undefined;
}

/** Where reading begins in the middle of a file of lines. */
export interface Checkpoint extends ReadStart, Pick<UnitStart, "line" | "withReturns" | "begin"> {}

/** The places of a file at which unpacking can begin, as they are met. */
export class Marks {
  readonly #packing: Packing;
  readonly #marks: Mark[] = [];

  constructor(packing: Packing) {
    this.#packing = packing;
  }

  add(mark: Mark): void {
    this.#marks.push(mark);
  }

  /** How to read from this line on, and how many bytes there are before it, unpacked. */
  checkpoint({ position, within, line, withReturns, begin }: UnitStart): {
    readonly checkpoint: Checkpoint;
    readonly unpacked: number;
  } {
    const packing = this.#packing;
    const lines = { packing, line, withReturns, ...(begin === undefined ? {} : { begin }) };
    if (packing === "none") {
      const plain = { ...lines, seek: position, position, skip: 0 };
      return { checkpoint: plain, unpacked: position };
    }
    const mark = this.#before(position);
    const skip = packing === "bzip2" ? within : position - mark.position;
    const { seek } = mark;
    const checkpoint = { ...lines, seek, position: mark.position, skip };
    return { checkpoint, unpacked: mark.unpacked + skip };
  }

  /** The last mark at or before the position: the beginning of the file if there is none. */
  #before(position: number): Mark {
    let [low, high] = [0, this.#marks.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#marks[middle] as Mark).position <= position) low = middle + 1;
      else high = middle;
    }
    return this.#marks[low - 1] ?? { seek: 0, position: 0, unpacked: 0 };
  }
}
