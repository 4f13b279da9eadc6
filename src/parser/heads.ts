/** The head word of each phrase, found by the rules of the language: "bridge" in "the old bridge by the river". */

import type { Grammar } from "../languages/grammar.js";
import type { HeadRule, Language } from "../languages/language.js";
import { type Constituent, fold, isLeaf, type Tree } from "../trees/tree.js";
import type { ParsedSpan } from "./sentence.js";

/** The phrases of a tree, each with the index of its head word. */
export function withHeads(
  spans: readonly ParsedSpan[],
  tree: Tree,
  language: Language,
): ParsedSpan[] {
  const heads = headsOf(tree, language);
  return spans.map((span) => ({ ...span, head: heads.get(keyOf(span)) ?? span.end - 1 }));
}

/** A part of a phrase. */
interface Part {
  readonly tree: Tree;
  /** The index of its head; undefined if it can be no head. */
  readonly head: number | undefined;
}

function headsOf(tree: Tree, { heads = {}, grammar }: Language): Map<string, number> {
  const found = new Map<string, number>();
  fold<Part>(
    tree,
    (leaf, index) => ({ tree: leaf, head: mayBeHead(leaf.word, grammar) ? index : undefined }),
    (phrase, parts, begin, end) => {
      const head = chooseHead(parts, heads[phrase.label] ?? DEFAULT_RULE);
      if (head !== undefined) found.set(keyOf({ begin, end, label: phrase.label }), head);
      return { tree: phrase, head };
    },
  );
  return found;
}

function keyOf({ begin, end, label }: Constituent): string {
  return `${begin},${end},${label}`;
}

const DEFAULT_RULE: HeadRule = { word: "last" };

/** A phrase of a preferred label, else a word, else a phrase. */
function chooseHead(parts: readonly Part[], { phrases = [], word }: HeadRule): number | undefined {
  const able = parts.filter(({ head }) => head !== undefined);
  for (const label of phrases) {
    const found = able.find(({ tree }) => !isLeaf(tree) && tree.label === label);
    if (found) return found.head;
  }
  const leaves = able.filter(({ tree }) => isLeaf(tree));
  const leaf = word === "first" ? leaves[0] : leaves.at(-1);
  return (leaf ?? able[0])?.head;
}

/** Whether it is more than punctuation, and no word that only joins or marks others. */
function mayBeHead(token: string, grammar: Grammar | undefined): boolean {
  if (!/[\p{L}\p{N}%$]/u.test(token)) return false;
  return !grammar?.coordinators.has(token) && !grammar?.possessiveMarks.has(token);
}
