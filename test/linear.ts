/**
 * Whether work grows with the length of a text made to hurt: eight times the length may take some more
 * than eight times the work, never its square. What is measured is the processor's time of this process,
 * which other programs do not change.
 */

import { expect } from "vitest";

const LENGTH = 40_000;
const TIMES = 8;
/** Linear readers stay below 1; with three times the slack, what is quadratic is above 2. */
const SLACK = 3;
/** Less than this is too little to compare with. */
const LEAST_MS = 5;

/** `make` gives a text of about that many characters. */
export function expectLinear(
  read: (text: string) => unknown,
  make: (length: number) => string,
): void {
  const least = Math.min(...[1, 2, 3].map(() => work(read, make(LENGTH))));
  const limit = SLACK * TIMES * Math.max(LEAST_MS, least);
  // Collecting garbage may fall into one run, hardly into three.
  const isLinear = [1, 2, 3].some(() => work(read, make(TIMES * LENGTH)) < limit);
  expect(isLinear).toBe(true);
}

/** A text of one unit, again and again. */
export function repeated(unit: string): (length: number) => string {
  return (length) => unit.repeat(Math.ceil(length / unit.length));
}

function work(read: (text: string) => unknown, text: string): number {
  const before = process.cpuUsage();
  read(text);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
