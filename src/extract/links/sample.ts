/**
 * Which documents are in a sample. A document's name decides, with the seed, so that neither the
 * order of reading nor the number of workers does.
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
