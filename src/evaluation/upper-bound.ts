/**
 * The highest F1 that a binary tree can have against a gold tree that is not binary. It is the exact maximum over
 * all binary trees, found by dynamic programming.
 *
 * Taking the punctuation out of a binary tree leaves a binary tree over its m words, so it always
 * predicts m - 1 spans with words, each at the node where two parts with words meet. Under `nob`
 * phrases of nothing but punctuation count, too, and a tree may have more or fewer of them; F1 is
 * then a ratio of two sums over nodes, which Dinkelbach's method maximises: find the tree with the
 * largest numerator - f * denominator, set f to what it scores, repeat until f stands still.
 */

import { InputError } from "../errors.js";
import type { LocatedTree } from "../trees/penn-reader.js";
import { type Leaf, leaves, type Span, type Tree } from "../trees/tree.js";
import { join } from "./baselines.js";
import { countWords, outranks, type Protocol } from "./protocols.js";
import { type PreparedGold, scoreSpans } from "./score.js";

/** Options of `upperBoundTree`. */
export interface BoundOptions {
  /** Build the tree over words and punctuation. */
  readonly withPunctuation: boolean;
}

/** Time grows with the cube of a sentence's length: 1,000 tokens take some seconds. */
const MOST_TOKENS = 1000;

/** Why the upper bound of a gold tree is not computed; undefined if it can be. */
export function boundProblem({ tree, file, line }: LocatedTree): InputError | undefined {
  const count = leaves(tree).length;
  if (count <= MOST_TOKENS) return undefined;
  return new InputError(
    `the upper bound of a tree over ${count} tokens would take too long (at most ${MOST_TOKENS})`,
    { file, line },
    "the other baselines have no such limit",
  );
}

/**
 * The binary tree with the highest possible F1 under the protocol. It is exact.
 *
 * @param gold the gold tree, from `prepareGold`.
 * @throws InputError if the sentence is too long for that.
 */
export function upperBoundTree(
  gold: PreparedGold,
  protocol: Protocol,
  { withPunctuation }: BoundOptions,
): Tree {
  const problem = boundProblem(gold.located);
  if (problem) throw problem;
  const all = leaves(gold.located.tree);
  const positions = [...all.keys()].filter(
    (position) => withPunctuation || protocol.isWord(all[position] as Leaf),
  );
  const task = new BoundTask(gold, protocol, all, positions);
  let best: Splits | undefined;
  let f = -1;
  for (const dropped of task.droppable()) {
    for (;;) {
      const candidate = task.solve(Math.max(f, TINY), dropped);
      const reached = task.f1(candidate);
      if (reached <= f + TINY) break;
      [best, f] = [candidate, reached];
    }
  }
  return task.tree(best as Splits);
}

/** Of trees that match nothing the one with the fewest spans is wanted, too. */
const TINY = 1e-9;

/** A binary tree over the kept tokens as its table of split points. */
type Splits = Int32Array;

class BoundTask {
  readonly #gold: PreparedGold;
  readonly #protocol: Protocol;
  readonly #leaves: readonly Leaf[];
  /** The positions of the tokens that the tree is built over. */
  readonly #positions: readonly number[];
  /** For each of them, and for the end, how many words come before it. */
  readonly #wordsBefore: Int32Array;

  constructor(
    gold: PreparedGold,
    protocol: Protocol,
    all: readonly Leaf[],
    positions: readonly number[],
  ) {
    this.#gold = gold;
    this.#protocol = protocol;
    this.#leaves = all;
    this.#positions = positions;
    this.#wordsBefore = new Int32Array(positions.length + 1);
    for (const [index, position] of positions.entries()) {
      const words = gold.sentence.wordsBefore[position + 1] as number;
      this.#wordsBefore[index + 1] = words;
    }
  }

  get #size(): number {
    return this.#positions.length;
  }

  /** The span over gold tokens. */
  #overGold(begin: number, end: number): Span {
    const last = this.#positions[end - 1] as number;
    return { begin: this.#positions[begin] as number, end: last + 1 };
  }

  #hasWords(begin: number, end: number): boolean {
    return (this.#wordsBefore[begin] as number) < (this.#wordsBefore[end] as number);
  }

  /**
   * The spans that the protocol may drop as the longest: the whole sentence, and under `nob` runs
   * of punctuation longer than the stretch from its first word to its last.
   */
  droppable(): Span[] {
    const { sentence } = this.#gold;
    const whole = this.#protocol.project({ begin: 0, end: sentence.length }, sentence) as Span;
    const found = [whole];
    if (!this.#protocol.countsPunctuation) return found;
    for (let begin = 0; begin < this.#size; begin++) {
      for (let end = begin + 2; end <= this.#size && !this.#hasWords(begin, end); end++) {
        const run = this.#overGold(begin, end);
        if (outranks(run, whole, sentence)) found.push(run);
      }
    }
    return found;
  }

  /** The tree with the most 2 * matched - f * predicted among those of which `dropped` is dropped. */
  solve(f: number, dropped: Span): Splits {
    const n = this.#size;
    // By begin and by end: both are read along their rows, since columns would miss the cache.
    const byBegin = new Float64Array((n + 1) * (n + 1));
    const byEnd = new Float64Array((n + 1) * (n + 1));
    const splits = new Int32Array((n + 1) * (n + 1));
    const before = this.#wordsBefore;
    for (let length = 2; length <= n; length++) {
      for (let begin = 0; begin + length <= n; begin++) {
        const end = begin + length;
        const [left, right] = [begin * (n + 1), end * (n + 1)];
        const worth = this.#worth(this.#overGold(begin, end), f, dropped);
        let best = Number.NEGATIVE_INFINITY;
        for (let split = begin + 1; split < end; split++) {
          const alike = (before[begin] === before[split]) === (before[split] === before[end]);
          const parts = (byBegin[left + split] as number) + (byEnd[right + split] as number);
          const value = parts + (alike ? worth : 0);
          if (value > best) {
            best = value;
            splits[left + end] = split;
          }
        }
        byBegin[left + end] = best;
        byEnd[right + begin] = best;
      }
    }
    return splits;
  }

  /** What a node adds at which words meet words, or punctuation meets punctuation. */
  #worth(span: Span, f: number, dropped: Span): number {
    const { sentence, spans } = this.#gold;
    const seen = this.#protocol.project(span, sentence);
    if (!seen) return 0;
    const decisive = 4 * this.#size;
    if (seen.begin === dropped.begin && seen.end === dropped.end) return decisive;
    const matched = spans.has(seen) ? 2 : 0;
    if (countWords(span, sentence) > 0) return matched;
    return outranks(seen, dropped, sentence) ? -decisive : matched - f;
  }

  f1(splits: Splits): number {
    return scoreSpans(this.#gold, this.#spans(splits), this.#protocol).f1;
  }

  #spans(splits: Splits): Span[] {
    const found: Span[] = [];
    const open: Span[] = [{ begin: 0, end: this.#size }];
    for (let span = open.pop(); span; span = open.pop()) {
      const { begin, end } = span;
      if (end - begin < 2) continue;
      found.push(this.#overGold(begin, end));
      const split = splits[begin * (this.#size + 1) + end] as number;
      open.push({ begin, end: split }, { begin: split, end });
    }
    return found;
  }

  tree(splits: Splits): Tree {
    const build = (begin: number, end: number): Tree => {
      if (end - begin === 1) return this.#leaves[this.#positions[begin] as number] as Leaf;
      const split = splits[begin * (this.#size + 1) + end] as number;
      return join(build(begin, split), build(split, end));
    };
    return build(0, this.#size);
  }
}
