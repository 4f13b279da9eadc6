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
  return spans.map((span) => withHead(span, heads.get(keyOf(span)) ?? span.end - 1));
}

/** A copy with the head. The usual kinds are written out: a spread takes several times as long. */
function withHead(span: ParsedSpan, head: number): ParsedSpan {
  const { begin, end, label, score, marginal, labelProbability } = span;
  if (labelProbability === undefined) return { ...span, head };
  if (score === undefined) return { begin, end, label, labelProbability, head };
  if (marginal === undefined) return { begin, end, label, score, labelProbability, head };
  return { begin, end, label, score, marginal, labelProbability, head };
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
  for (const label of phrases) {
    for (const { tree, head } of parts) {
      if (head !== undefined && !isLeaf(tree) && tree.label === label) return head;
    }
  }
  const isAble = ({ head }: Part) => head !== undefined;
  const isWord = (part: Part) => isAble(part) && isLeaf(part.tree);
  const found = word === "first" ? parts.find(isWord) : parts.findLast(isWord);
  return (found ?? parts.find(isAble))?.head;
}

/** Whether it is more than punctuation, and no word that only joins or marks others. */
function mayBeHead(token: string, grammar: Grammar | undefined): boolean {
  if (!/[\p{L}\p{N}%$]/u.test(token)) return false;
  return !grammar?.coordinators.has(token) && !grammar?.possessiveMarks.has(token);
}
