/**
 * Aligns a predicted tree with the tokens of its gold tree. A prediction may leave out punctuation, by
 * its own list or a protocol's. It may not leave out, add or change a word. Bracket escapes do not
 * count as a change.
 */

import { describePlace, InputError } from "../errors.js";
import { unescapeToken } from "../trees/labels.js";
import type { LocatedTree } from "../trees/penn-reader.js";
import { unwrapRoot } from "../trees/transform.js";
import {
  type Constituent,
  constituents,
  isLeaf,
  type Leaf,
  leaves,
  type Tree,
} from "../trees/tree.js";
import type { Punctuation, WordRule } from "./punctuation.js";

/** A prediction has other words than its gold tree. */
export class WordMismatch extends InputError {}

/**
 * The phrases of the prediction over gold tokens, without a root that is a mere wrapper.
 * @throws WordMismatch if its words are not those of the gold tree.
 */
export function alignPrediction(
  gold: LocatedTree,
  predicted: LocatedTree,
  punctuation: Punctuation,
): Constituent[] {
  const positions = alignTokens(gold, predicted, punctuation);
  return constituents(unwrapRoot(predicted.tree)).map(({ label, begin, end }) => ({
    label,
    begin: positions[begin] as number,
    end: (positions[end - 1] as number) + 1,
  }));
}

/** For each predicted token the index of its gold token. */
function alignTokens(
  gold: LocatedTree,
  predicted: LocatedTree,
  { wordRules }: Punctuation,
): number[] {
  const [goldLeaves, found] = [leaves(gold.tree), leaves(predicted.tree)];
  // What predictions usually keep: everything, or the words.
  for (const isKept of [() => true, ...wordRules]) {
    const positions = [...goldLeaves.keys()].filter((index) => isKept(goldLeaves[index] as Leaf));
    const same = (position: number, index: number) =>
      sameToken(goldLeaves[position]?.word ?? "", found[index]?.word ?? "");
    if (positions.length === found.length && positions.every(same)) return positions;
  }
  const isWord = (leaf: Leaf) => wordRules.every((rule) => rule(leaf));
  return alignInOrder(gold, predicted, isWord);
}

/** For predictions that leave out some punctuation by a rule of their own. */
function alignInOrder(gold: LocatedTree, predicted: LocatedTree, isWord: WordRule): number[] {
  const found = leaves(predicted.tree);
  const positions: number[] = [];
  for (const [index, leaf] of leaves(gold.tree).entries()) {
    const next = found[positions.length];
    if (next && sameToken(leaf.word, next.word)) positions.push(index);
    else if (isWord(leaf)) throw mismatch(gold, predicted, positions.length, leaf.word, next?.word);
  }
  const extra = found[positions.length];
  if (extra) throw mismatch(gold, predicted, positions.length, undefined, extra.word);
  return positions;
}

function sameToken(a: string, b: string): boolean {
  return a === b || unescapeToken(a) === unescapeToken(b);
}

function mismatch(
  gold: LocatedTree,
  predicted: LocatedTree,
  index: number,
  expected: string | undefined,
  found: string | undefined,
): WordMismatch {
  const show = (word: string | undefined) => (word === undefined ? "no more tokens" : `"${word}"`);
  const expectation = `${show(expected)} (${describePlace(gold)})`;
  return new WordMismatch(
    `token ${index + 1} differs: ${show(found)} in the prediction, in the gold tree ${expectation}`,
    { file: predicted.file, line: predicted.line },
    looksUnlabelled(predicted.tree)
      ? "if the trees have no labels, say --unlabelled; otherwise check that both hold the same sentences"
      : "both files must hold the same sentences in the same order; only punctuation may be left out",
  );
}

/** Words without tags under labels: `(the cat)` reads as the word "cat" with the tag "the". */
function looksUnlabelled(tree: Tree): boolean {
  return !isLeaf(tree) && leaves(tree).some(({ tag }) => tag === undefined || /^\p{Ll}/u.test(tag));
}
