/**
 * Spherical k-means: vectors of length 1 are put into k clusters so that the sum of their cosines with the centres of
 * their clusters is large. Centres are seeded by k-means++ (Arthur & Vassilvitskii 2007). Each restart has random
 * numbers of its own, so the result depends on the seed alone.
 */

import { setImmediate } from "node:timers/promises";
import { Random } from "../random.js";

/** Vectors of length 1, one after the other. */
export interface Points {
  readonly data: Float32Array;
  readonly width: number;
}

/** The clusters of some points. */
export interface Clustering {
  /** The centres, vectors of length 1 one after the other. */
  readonly centres: Float32Array;
  /** The cluster of each point. */
  readonly clusters: Uint16Array;
  /** The cosine of each point with the centre of its cluster. */
  readonly cosines: Float32Array;
  /** The sum of the cosines. */
  readonly objective: number;
}

export interface ClusterOptions {
  readonly seed: number;
  /** How often to start; the best result counts. */
  readonly restarts?: number | undefined;
  /** How often centres are moved at most. */
  readonly rounds?: number | undefined;
  /** Called with the objective of each round; what it throws ends the work. */
  readonly onRound?: ((objective: number, restart: number) => void) | undefined;
}

/** A round that gains less is the last: the few points that still move would take as many rounds again. */
const LEAST_GAIN = 1e-5;

/** The best clustering of several starts, the first of equally good ones. */
export async function clusterPoints(
  points: Points,
  k: number,
  options: ClusterOptions,
): Promise<Clustering> {
  const count = points.data.length / points.width;
  if (!(k >= 1 && k <= count)) throw new RangeError(`${count} points have no ${k} clusters`);
  let best: Clustering | undefined;
  for (let restart = 0; restart < (options.restarts ?? 5); restart++) {
    const found = await clusterOnce(points, k, restart, options);
    if (!best || found.objective > best.objective) best = found;
  }
  return best as Clustering;
}

/** Moves centres until that gains hardly anything. */
async function clusterOnce(
  points: Points,
  k: number,
  restart: number,
  { seed, rounds = 50, onRound }: ClusterOptions,
): Promise<Clustering> {
  const random = new Random((seed * 1_000_003 + restart) | 0);
  let found = assignPoints(points, seedCentres(points, k, random));
  onRound?.(found.objective, restart);
  for (let round = 1; round < rounds; round++) {
    // Signals and timers get their turn.
    await setImmediate();
    const next = assignPoints(points, moveCentres(points, found));
    onRound?.(next.objective, restart);
    const gain = next.objective - found.objective;
    found = next;
    if (gain <= LEAST_GAIN * Math.abs(found.objective)) break;
  }
  return found;
}

/** Each next centre is a point, the more probable the farther it is from the centres so far. */
function seedCentres({ data, width }: Points, k: number, random: Random): Float32Array {
  const count = data.length / width;
  const centres = new Float32Array(k * width);
  const gaps = new Float64Array(count).fill(1);
  for (let centre = 0; centre < k; centre++) {
    const at = drawIndex(gaps, random);
    const chosen = data.subarray(at * width, (at + 1) * width);
    centres.set(chosen, centre * width);
    for (let point = 0; point < count; point++) {
      const gap = Math.max(0, 1 - dot(data, point * width, chosen, 0, width));
      gaps[point] = centre === 0 ? gap : Math.min(gaps[point] as number, gap);
    }
    gaps[at] = 0;
  }
  return centres;
}

/** An index drawn by weight, or any if all weights are 0. */
function drawIndex(weights: Float64Array, random: Random): number {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (total === 0) return random.below(weights.length);
  let left = random.unit() * total;
  let last = 0;
  for (const [index, weight] of weights.entries()) {
    if (weight === 0) continue;
    last = index;
    left -= weight;
    if (left < 0) break;
  }
  return last;
}

/** Puts every point into the cluster with the nearest centre, the first of equally near ones. */
export function assignPoints({ data, width }: Points, centres: Float32Array): Clustering {
  const count = data.length / width;
  const clusters = new Uint16Array(count);
  const cosines = new Float32Array(count);
  let objective = 0;
  for (let point = 0; point < count; point++) {
    let [best, most] = [0, Number.NEGATIVE_INFINITY];
    for (let at = 0; at < centres.length; at += width) {
      const cosine = dot(data, point * width, centres, at, width);
      if (cosine > most) [best, most] = [at / width, cosine];
    }
    clusters[point] = best;
    cosines[point] = most;
    objective += most;
  }
  return { centres, clusters, cosines, objective };
}

/** The mean of each cluster; a cluster without points gets the point that fits worst where it is. */
function moveCentres(
  { data, width }: Points,
  { centres, clusters, cosines }: Clustering,
): Float32Array {
  const sums = new Float64Array(centres.length);
  const sizes = new Uint32Array(centres.length / width);
  for (const [point, cluster] of clusters.entries()) {
    sizes[cluster] = (sizes[cluster] as number) + 1;
    for (let d = 0; d < width; d++) {
      const at = cluster * width + d;
      sums[at] = (sums[at] as number) + (data[point * width + d] as number);
    }
  }
  const moved = Float32Array.from(centres);
  const free = [...cosines.keys()];
  for (const [cluster, size] of sizes.entries()) {
    const place = cluster * width;
    if (size > 0) {
      const mean = unitVector(sums.subarray(place, place + width));
      if (mean) moved.set(mean, place);
    } else {
      const worst = free.reduce((a, b) =>
        (cosines[b] as number) < (cosines[a] as number) ? b : a,
      );
      free.splice(free.indexOf(worst), 1);
      moved.set(data.subarray(worst * width, (worst + 1) * width), place);
    }
  }
  return moved;
}

/** The vector with length 1; undefined if it has none. */
export function unitVector(vector: Float64Array | Float32Array): Float32Array | undefined {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.sqrt(squares);
  return length > 0 ? Float32Array.from(vector, (value) => value / length) : undefined;
}

function dot(a: Float32Array, i: number, b: Float32Array, j: number, width: number): number {
  // Two sums that do not wait for each other: this is nearly all of the time.
  let [even, odd] = [0, 0];
  let d = 0;
  for (; d + 1 < width; d += 2) {
    even += (a[i + d] as number) * (b[j + d] as number);
    odd += (a[i + d + 1] as number) * (b[j + d + 1] as number);
  }
  return d < width ? even + odd + (a[i + d] as number) * (b[j + d] as number) : even + odd;
}
