/**
 * What commands that read treebanks do about a place without a tree: refuse it with a remedy, or
 * with `--skip-bad` leave it out and say so.
 */

import { Option } from "commander";
import type { InputError } from "../errors.js";
import type { MissingTree } from "../trees/penn-reader.js";

export function skipBadOption(): Option {
  return new Option("--skip-bad", "skip malformed and missing trees, and say how many there are");
}

/** Why a tree is left out: it is not there, or the command cannot handle one so large. */
export interface BadTree {
  readonly reason: MissingTree["reason"] | "too large";
  readonly problem: InputError;
}

/** The rest is counted only. */
const MOST_SHOWN = 10;

export class BadTrees {
  readonly #skips: boolean;
  readonly #counts = new Map<BadTree["reason"], number>();
  #seen = 0;

  constructor({ skipBad = false }: { readonly skipBad?: boolean | undefined }) {
    this.#skips = skipBad;
  }

  /**
   * Counts what is left out.
   * @throws InputError if nothing is to be left out.
   */
  readonly see = ({ reason, problem }: BadTree): void => {
    if (!this.#skips) throw problem.withRemedy("use --skip-bad to skip such trees");
    this.#seen += 1;
    this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + 1);
    if (this.#seen <= MOST_SHOWN) process.stderr.write(`left out: ${problem.message}\n`);
    if (this.#seen === MOST_SHOWN + 1) process.stderr.write("left out: …\n");
  };

  /** Says how many were left out, and why. */
  finish(): void {
    if (this.#seen === 0) return;
    const counts = Array.from(this.#counts, ([reason, count]) => `${count} ${reason}`);
    process.stderr.write(`left out in all: ${counts.join(", ")}\n`);
  }
}
