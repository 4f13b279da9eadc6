/** Cuts the inputs of a plan into parts of about equal work, at places where reading can begin. */

import type { InputPlace } from "../files/shard.js";
import type { Part } from "./plan.js";

/** A place at which a part may begin. */
export interface CutPlace extends InputPlace, Pick<Part, "start"> {
  /** How much work stands before it, in all inputs. */
  readonly before: number;
}

/** More places than this are not held: of a large input the finest cuts are given up. */
const MOST_PLACES = 1 << 17;

/** The places of inputs of any length, in order: about evenly spread, and bounded in number. */
export class CutPlaces {
  readonly #most: number;
  #places: CutPlace[] = [];
  /** The least work between two of them. */
  #apart = 0;
  #last = Number.NEGATIVE_INFINITY;

  constructor(most = MOST_PLACES) {
    this.#most = most;
  }

  /** Whether a place with so much work before it would be kept. */
  wants(before: number): boolean {
    return before - this.#last > this.#apart;
  }

  add(place: CutPlace): void {
    if (!this.wants(place.before)) return;
    this.#places.push(place);
    this.#last = place.before;
    if (this.#places.length > this.#most) this.#thin();
  }

  #thin(): void {
    const [first, last] = [this.#places[0] as CutPlace, this.#places.at(-1) as CutPlace];
    this.#apart = (2 * (last.before - first.before)) / this.#most;
    const all = this.#places;
    this.#places = [];
    this.#last = Number.NEGATIVE_INFINITY;
    for (const place of all) this.add(place);
  }

  /**
   * The parts, so many or, if there are too few places, fewer: each cut is at the place nearest to where it should be.
   *
   * @param work how much there is in all.
   */
  cut(count: number, work: number): Part[] {
    const cuts: CutPlace[] = [{ input: 0, position: 0, before: 0 }];
    for (let number = 1; number < count; number++) {
      const cut = this.#nearest((work / count) * number);
      if (cut && cut.before > (cuts.at(-1) as CutPlace).before && cut.before < work) cuts.push(cut);
    }
    return cuts.map(({ input, position, before, start }, index): Part => {
      const next = cuts[index + 1];
      return {
        part: index + 1,
        from: { input, position },
        ...(next ? { to: { input: next.input, position: next.position } } : {}),
        ...(start ? { start } : {}),
        work: Math.round((next?.before ?? work) - before),
      };
    });
  }

  #nearest(wanted: number): CutPlace | undefined {
    let [low, high] = [0, this.#places.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#places[middle] as CutPlace).before < wanted) low = middle + 1;
      else high = middle;
    }
    const [before, after] = [this.#places[low - 1], this.#places[low]];
    if (!before || !after) return before ?? after;
    return wanted - before.before <= after.before - wanted ? before : after;
  }
}
