/**
 * Dropout masks: 0 with the given probability, otherwise the factor that keeps the mean. Zeros are
 * rare, so instead of each entry the distance from one zero to the next is drawn, which is geometric.
 */

import type { Random } from "../random.js";

export function fillMask(mask: Float32Array, rate: number, random: Random): void {
  if (!(rate >= 0 && rate < 1)) {
    throw new RangeError(`a dropout rate must be at least 0 and below 1, not ${rate}`);
  }
  mask.fill(1 / (1 - rate));
  if (rate === 0) return;
  const distances = distancesAt(rate);
  for (let zero = distances.draw(random); zero < mask.length; zero += 1 + distances.draw(random)) {
    mask[zero] = 0;
  }
}

/** The bits of a draw that mostly tell the distance; the others matter only where two distances meet. */
const LEADING = 12;
const OPEN = -1;

/** How many entries are kept before the next zero: a table of the logarithms that nearly all draws need. */
class Distances {
  readonly #perKept: number;
  readonly #byLeading: Int32Array;

  constructor(rate: number) {
    this.#perKept = 1 / Math.log1p(-rate);
    const span = 2 ** (32 - LEADING);
    this.#byLeading = Int32Array.from({ length: 2 ** LEADING }, (_, leading) => {
      const least = this.#distance(leading * span);
      return least === this.#distance((leading + 1) * span - 1) ? least : OPEN;
    });
  }

  draw(random: Random): number {
    const bits = random.uint32();
    const distance = this.#byLeading[bits >>> (32 - LEADING)] as number;
    return distance === OPEN ? this.#distance(bits) : distance;
  }

  #distance(bits: number): number {
    return Math.floor(Math.log(1 - bits / 2 ** 32) * this.#perKept);
  }
}

const byRate = new Map<number, Distances>();

function distancesAt(rate: number): Distances {
  const distances = byRate.get(rate) ?? new Distances(rate);
  byRate.set(rate, distances);
  return distances;
}
