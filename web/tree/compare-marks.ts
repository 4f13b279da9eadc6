/** How the phrases of a tree stand to other trees over the same words, as a protocol of evaluation sees them. */

import { describeSentence, type Protocol } from "../../src/evaluation/protocols.js";
import { type Constituent, constituents, type Leaf, type Tree } from "../../src/trees/index.js";
import { CHAIN, INDUCED } from "../../src/trees/labels.js";
import { cross } from "../../src/trees/tree.js";
import type { Compared } from "./nodes.js";

type Comparer = (phrase: Constituent) => Compared | undefined;

/** Trees of some parsers have no labels to compare. */
const NAMELESS: ReadonlySet<string> = new Set(["", INDUCED]);

/** Whether phrases of a tree have names. */
export function isNamed(tree: Tree): boolean {
  return constituents(tree).some(({ label }) => !NAMELESS.has(label));
}

/** Compares with all of several trees; the worst that is found counts. */
export function comparer(
  trees: readonly Tree[],
  tokens: readonly Leaf[],
  protocol: Protocol,
): Comparer {
  const comparers = trees.map((tree) => comparerWith(tree, tokens, protocol));
  return (phrase) => {
    const found = comparers.map((compare) => compare(phrase));
    const worst = WORST_FIRST.flatMap((mark) => found.filter((each) => each?.mark === mark))[0];
    return worst;
  };
}

const WORST_FIRST = ["crossing", "other", "renamed", "shared"] as const;

function comparerWith(tree: Tree, tokens: readonly Leaf[], protocol: Protocol): Comparer {
  const sentence = describeSentence(tokens, protocol);
  const phrases = constituents(tree).flatMap((phrase) => {
    const seen = protocol.project(phrase, sentence);
    return seen ? [{ ...seen, label: protocol.category(phrase.label) }] : [];
  });
  return (phrase) => {
    const seen = protocol.project(phrase, sentence);
    if (!seen) return undefined;
    const same = phrases.filter(({ begin, end }) => begin === seen.begin && end === seen.end);
    if (same.length === 0) {
      return { mark: phrases.some((other) => cross(other, seen)) ? "crossing" : "other" };
    }
    const names = same.map(({ label }) => label);
    const isNamed = [phrase.label, ...names].every((label) => !NAMELESS.has(label));
    return isNamed && !names.includes(protocol.category(phrase.label))
      ? { mark: "renamed", elsewhere: names.reverse().join(CHAIN) }
      : { mark: "shared" };
  };
}
