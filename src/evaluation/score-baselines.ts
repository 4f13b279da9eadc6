/** Scores the baselines on a whole treebank. */

import { Random } from "../random.js";
import type { LocatedTree } from "../trees/penn-reader.js";
import { leaves, type Tree } from "../trees/tree.js";
import { type BranchingName, baselineTree, splitAtPunctuation, wordLeaves } from "./baselines.js";
import { nothingToScore, tellPunctuation } from "./evaluate.js";
import { PROTOCOLS, type Protocol, type ProtocolName, withPunctuation } from "./protocols.js";
import type { Punctuation } from "./punctuation.js";
import { prepareGold, scorePrediction, Totals } from "./score.js";
import { upperBoundTree } from "./upper-bound.js";

export type BaselineName = BranchingName | "upper-bound";

export interface BaselineOptions {
  /** Build trees over all tokens, not over words alone. */
  readonly withPunctuation?: boolean | undefined;
}

export interface ScoreOptions extends BaselineOptions {
  readonly protocol: ProtocolName;
  /** What is punctuation in gold, as `choosePunctuation` takes it; default "auto". */
  readonly punctuation?: string | undefined;
  /** How many random trees a sentence, and the first of their seeds. */
  readonly seeds: number;
  readonly seed: number;
}

/** One kind's scores: one for each seed where the trees are random, otherwise one. */
export interface BaselineScores {
  readonly kind: BaselineName;
  readonly runs: readonly Totals[];
}

export function buildBaseline(
  kind: BaselineName,
  gold: LocatedTree,
  protocol: Protocol,
  { withPunctuation = false }: BaselineOptions,
  random: Random,
): Tree {
  if (kind !== "upper-bound") return branch(kind, gold, protocol, withPunctuation, random);
  const prepared = prepareGold(gold, protocol);
  return prepared
    ? upperBoundTree(prepared, protocol, { withPunctuation })
    : branch("right", gold, protocol, withPunctuation, random);
}

/** Punctuation must be seen to be split at; the tree over words alone is what is left of it. */
function branch(
  kind: BranchingName,
  gold: LocatedTree,
  protocol: Protocol,
  withPunctuation: boolean,
  random: Random,
): Tree {
  const all = leaves(gold.tree);
  if (kind === "punctuation") return splitAtPunctuation(all, protocol.punctuation);
  if (withPunctuation) return baselineTree(kind, all, random);
  return baselineTree(kind, wordLeaves(all, protocol), random);
}

export async function scoreBaselines(
  kinds: readonly BaselineName[],
  gold: AsyncIterable<LocatedTree>,
  options: ScoreOptions,
): Promise<{ rows: BaselineScores[]; skipped: number; punctuation: Punctuation }> {
  const { punctuation, trees } = await tellPunctuation(gold, options.punctuation);
  const protocol = withPunctuation(PROTOCOLS[options.protocol], punctuation);
  const rows = kinds.map((kind) => ({
    kind,
    runs: Array.from({ length: kind === "random" ? options.seeds : 1 }, (_, index) => ({
      totals: new Totals(),
      random: new Random(options.seed + index),
    })),
  }));
  let skipped = 0;
  for await (const tree of trees) {
    const prepared = prepareGold(tree, protocol);
    if (!prepared) {
      skipped += 1;
      continue;
    }
    for (const { kind, runs } of rows) {
      for (const { totals, random } of runs) {
        const predicted = buildBaseline(kind, tree, protocol, options, random);
        totals.add(scorePrediction(prepared, { ...tree, tree: predicted }, protocol));
      }
    }
  }
  if (rows[0]?.runs[0]?.totals.sentences === 0) throw nothingToScore(skipped);
  return {
    rows: rows.map(({ kind, runs }) => ({ kind, runs: runs.map(({ totals }) => totals) })),
    skipped,
    punctuation,
  };
}
