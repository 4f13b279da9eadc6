/**
 * Which documents are in a sample. A document's name decides, with the seed, so that neither the
 * order of reading nor the number of workers does.
 */

export interface Sample {
  /** The share of documents, from 0 to 1. */
  readonly share: number;
  readonly seed: number;
}

export function isInSample(name: string, { share, seed }: Sample): boolean {
  let value = mix(seed ^ 0x9e3779b9);
  for (let at = 0; at < name.length; at++) value = mix(value ^ name.charCodeAt(at));
  return (value >>> 0) / 4294967296 < share;
}

/** A bijective scrambling of 32 bits. */
function mix(word: number): number {
  let value = Math.imul(word ^ (word >>> 16), 0x21f0aaad);
  value = Math.imul(value ^ (value >>> 15), 0x735a2d97);
  return value ^ (value >>> 15);
}
