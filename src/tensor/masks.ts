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
  const perKept = 1 / Math.log1p(-rate);
  const kept = () => Math.floor(Math.log(1 - random.unit()) * perKept);
  for (let zero = kept(); zero < mask.length; zero += 1 + kept()) mask[zero] = 0;
}
