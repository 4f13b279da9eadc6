/**
 * A tree as the page shows it: its nodes with their places, what the model thinks of them, and which
 * are folded. Every drawing and the keyboard go by these nodes.
 */

import type { ParsedSpan } from "../../src/parser/sentence.js";
import {
  type Constituent,
  isLeaf,
  type Leaf,
  type Span,
  type Tree,
} from "../../src/trees/index.js";

/** How a phrase stands to the tree it is compared with: `renamed` is in both, under another label. */
export type Mark = "shared" | "renamed" | "crossing" | "other";

export interface Compared {
  readonly mark: Mark;
  /** What the other tree calls a phrase that is renamed. */
  readonly elsewhere?: string;
}

export interface TreeNode extends Span {
  readonly parent: TreeNode | undefined;
  readonly children: readonly TreeNode[];
  /** 1 at the root. */
  readonly level: number;
  readonly leaf: Leaf | undefined;
  /** The phrase's name, where it has one. */
  readonly label: string;
  readonly words: readonly string[];
  readonly isFolded: boolean;
  readonly score: number | undefined;
  /** The probability that it is a phrase. */
  readonly marginal: number | undefined;
  /** The probability of its label, if it is a phrase. */
  readonly labelProbability: number | undefined;
  /** The probability that it is a phrase; of a single word, that it is one of that name. */
  readonly certainty: number | undefined;
  /** The probability that it is a phrase and has its label, as far as both are known. */
  readonly probability: number | undefined;
  /** The index of its head word, where phrases have names. */
  readonly head: number | undefined;
  readonly mark: Mark | undefined;
  /** What the tree that it is compared with calls it, if that is another label. */
  readonly elsewhere: string | undefined;
}

export interface NodeOptions {
  readonly spans?: readonly ParsedSpan[] | undefined;
  /** The phrases that are folded, by `spanKey`. */
  readonly folded?: ReadonlySet<string> | undefined;
  readonly compare?: ((phrase: Constituent) => Compared | undefined) | undefined;
}

export function spanKey({ begin, end }: Span): string {
  return `${begin}-${end}`;
}

/** A phrase among those over the same words. */
export function phraseKey(phrase: Span & { readonly label: string }): string {
  return `${spanKey(phrase)}:${phrase.label}`;
}

/** What induced phrases are called says nothing and is not shown. */
const NAMELESS = "X";

export function buildNodes(
  tree: Tree,
  { spans = [], folded, compare }: NodeOptions = {},
): TreeNode {
  const known = new Map(spans.map((span) => [phraseKey(span), span]));
  let position = 0;
  const build = (part: Tree, parent: TreeNode | undefined, level: number): TreeNode => {
    const begin = position;
    const node = { parent, level, begin } as { -readonly [Key in keyof TreeNode]: TreeNode[Key] };
    node.leaf = isLeaf(part) ? part : undefined;
    const parts = isLeaf(part) ? [] : part.children;
    if (isLeaf(part)) position += 1;
    const children = parts.map((child) => build(child, node, level + 1));
    const phrase = isLeaf(part) ? undefined : { begin, end: position, label: part.label };
    const compared = phrase && compare?.(phrase);
    return Object.assign(node, {
      end: position,
      label: isLeaf(part) || part.label === NAMELESS ? "" : part.label,
      words: isLeaf(part) ? [part.word] : children.flatMap(({ words }) => words),
      isFolded: !isLeaf(part) && (folded?.has(`${begin}-${position}`) ?? false),
      children,
      ...factsOf(phrase && known.get(phraseKey(phrase))),
      mark: compared?.mark,
      elsewhere: compared?.elsewhere,
    });
  };
  return build(tree, undefined, 1);
}

function factsOf(span: ParsedSpan | undefined) {
  const { score, marginal, labelProbability, head } = span ?? {};
  const certainty = marginal ?? labelProbability;
  const isWhole = marginal === undefined || labelProbability === undefined;
  const probability = isWhole ? certainty : marginal * labelProbability;
  return { score, marginal, labelProbability, certainty, probability, head };
}

/** The nodes that are to be seen, parents before their children. */
export function shownNodes(root: TreeNode): TreeNode[] {
  const shown: TreeNode[] = [];
  const visit = (node: TreeNode) => {
    shown.push(node);
    if (!node.isFolded) node.children.forEach(visit);
  };
  visit(root);
  return shown;
}

/** Children before their parents, as `layoutTree` gives them. */
export function shownUpwards(root: TreeNode): TreeNode[] {
  const shown: TreeNode[] = [];
  const visit = (node: TreeNode) => {
    if (!node.isFolded) node.children.forEach(visit);
    shown.push(node);
  };
  visit(root);
  return shown;
}

/** A word, or what stands for a folded phrase. */
export function nodeText({ leaf, words }: TreeNode): string {
  if (leaf) return leaf.word;
  return words.length > 3 ? `${words[0]} … ${words.at(-1)}` : words.join(" ");
}

export function percent(share: number): string {
  if (share > 0.995 && share < 1) return ">99 %";
  if (share < 0.005 && share > 0) return "<1 %";
  return `${Math.round(share * 100)} %`;
}

/** A score, with a proper minus, and none before a zero. */
export function signed(score: number, digits = 2): string {
  return score
    .toFixed(digits)
    .replace(/^-(?=.*[1-9])/, "−")
    .replace(/^-/, "");
}

export function countWords({ words }: TreeNode): string {
  return words.length === 1 ? "1 word" : `${words.length} words`;
}

/** The head word of a phrase; a phrase of one word says nothing new by it. */
export function headWord({ head, begin, words }: TreeNode): string | undefined {
  return head === undefined || words.length === 1 ? undefined : words[head - begin];
}

/** The node for those who listen. What is to be read of it is in it. */
export function describeNode(node: TreeNode): string {
  const { leaf, words, label, marginal, labelProbability, score, mark, isFolded } = node;
  if (leaf) return leaf.word;
  return [
    // What is to be seen of a folded phrase with a name is the two beside each other.
    label && isFolded
      ? `${label} ${nodeText(node)}: ${countWords(node)}`
      : `${label || "Phrase"} of ${countWords(node)}: ${isFolded ? nodeText(node) : words.join(" ")}`,
    headWord(node) && `head ${headWord(node)}`,
    marginal !== undefined && `probability ${percent(marginal)}`,
    labelProbability !== undefined && `label ${percent(labelProbability)}`,
    score !== undefined && `score ${signed(score)}`,
    mark === "crossing" && "crosses the other tree",
    mark === "shared" && "in both trees",
    mark === "renamed" && `in both trees, there ${node.elsewhere}`,
    isFolded && "folded",
  ]
    .filter(Boolean)
    .join(", ");
}
