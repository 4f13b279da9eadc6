/**
 * Decides which documents are in a sample, by the document's name and the seed. So the order of reading
 * and the number of workers do not matter.
 */

import { hashText, mix32 } from "../../hash.js";

export interface Sample {
  /** The share of documents, from 0 to 1. */
  readonly share: number;
  readonly seed: number;
}

export function isInSample(name: string, { share, seed }: Sample): boolean {
  return (hashText(name, mix32(seed ^ 0x9e3779b9)) >>> 0) / 4294967296 < share;
}
