/**
 * Constituency trees, and the two ways to go through one.
 *
 * Spans are half-open, [begin, end) over tokens, in memory and on disk. A right-branching tree over 5,000 tokens
 * is 5,000 deep, so nothing here recurses: `walk` keeps its own stack, and all other code uses `walk` or `fold`.
 */

/** A half-open range of tokens: [begin, end). */
export interface Span {
  /** The index of the first token. */
  readonly begin: number;
  /** The index after the last token. */
  readonly end: number;
}

/** Whether two spans cross: they share tokens, and each has tokens that the other does not have. */
export function cross(a: Span, b: Span): boolean {
  return (
    (a.begin < b.begin && b.begin < a.end && a.end < b.end) ||
    (b.begin < a.begin && a.begin < b.end && b.end < a.end)
  );
}

/** A word of a tree. */
export interface Leaf {
  /** The word as it is in the treebank or text. */
  readonly word: string;
  /** Its part-of-speech tag, if known. */
  readonly tag?: string | undefined;
}

/** A phrase of a tree. */
export interface Phrase {
  /** Its label, such as `NP`; empty if it has none. */
  readonly label: string;
  /** Its parts, from left to right. */
  readonly children: readonly Tree[];
}

/** A phrase with its parts, or a single word. */
export type Tree = Leaf | Phrase;

/** The span and label of a phrase. */
export interface Constituent extends Span {
  /** Its label, such as `NP`; empty if it has none. */
  readonly label: string;
}

/** Whether a tree is a single word. */
export function isLeaf(tree: Tree): tree is Leaf {
  return "word" in tree;
}

/** The functions that `walk` calls. */
export interface Visitor {
  /** Called for each word; `index` is its place in the sentence. */
  leaf?(leaf: Leaf, index: number): void;
  /** Called before the children of a phrase; `begin` is the index of its first token. */
  enter?(phrase: Phrase, begin: number): void;
  /** Called after the children; the phrase is [begin, end). */
  leave?(phrase: Phrase, begin: number, end: number): void;
}

/**
 * Goes through a tree of any depth from left to right, without recursion.
 *
 * @example
 * ```ts
 * import { parsePenn, walk } from "bracken/trees";
 *
 * for (const tree of parsePenn("(S (NP (DT the) (NN cat)) (VP (VBD sat)))")) {
 *   walk(tree, { leave: ({ label }, begin, end) => console.log(label, begin, end) });
 * }
 * ```
 */
export function walk(tree: Tree, visitor: Visitor): void {
  const open: { phrase: Phrase; begin: number; next: number }[] = [];
  let position = 0;
  let current: Tree | undefined = tree;
  for (;;) {
    if (current && isLeaf(current)) {
      visitor.leaf?.(current, position);
      position += 1;
    } else if (current) {
      visitor.enter?.(current, position);
      open.push({ phrase: current, begin: position, next: 0 });
    }
    let top = open.at(-1);
    while (top && top.next === top.phrase.children.length) {
      open.pop();
      visitor.leave?.(top.phrase, top.begin, position);
      top = open.at(-1);
    }
    if (!top) return;
    current = top.phrase.children[top.next];
    top.next += 1;
  }
}

/**
 * Computes a value for each node from the values of its children, bottom up and without recursion.
 *
 * @returns the value of the root.
 * @example
 * ```ts
 * import { fold, parsePenn } from "bracken/trees";
 *
 * const [tree] = parsePenn("(S (NP (DT the) (NN cat)) (VP (VBD sat)))");
 * if (tree) console.log(fold(tree, () => 0, (_phrase, heights) => 1 + Math.max(...heights))); // 2
 * ```
 */
export function fold<T>(
  tree: Tree,
  onLeaf: (leaf: Leaf, index: number) => T,
  onPhrase: (phrase: Phrase, children: T[], begin: number, end: number) => T,
): T {
  const pending: T[][] = [[]];
  const deliver = (value: T) => pending.at(-1)?.push(value);
  walk(tree, {
    leaf: (leaf, index) => deliver(onLeaf(leaf, index)),
    enter: () => pending.push([]),
    leave: (phrase, begin, end) => {
      const children = pending.pop() as T[];
      deliver(onPhrase(phrase, children, begin, end));
    },
  });
  return pending[0]?.[0] as T;
}

/** The words of a tree with their tags, from left to right. */
export function leaves(tree: Tree): Leaf[] {
  const found: Leaf[] = [];
  walk(tree, { leaf: (leaf) => found.push(leaf) });
  return found;
}

/** The words of a tree, from left to right. */
export function words(tree: Tree): string[] {
  return leaves(tree).map((leaf) => leaf.word);
}

/**
 * All phrases in post-order: children before parents, the root last. Unary chains are included.
 *
 * @example
 * ```ts
 * import { constituents, parsePenn } from "bracken/trees";
 *
 * const [tree] = parsePenn("(S (NP (DT the) (NN cat)) (VP (VBD sat)))");
 * if (tree) console.log(constituents(tree)); // NP [0, 2), VP [2, 3), S [0, 3)
 * ```
 */
export function constituents(tree: Tree): Constituent[] {
  const found: Constituent[] = [];
  walk(tree, {
    leave: ({ label }, begin, end) => found.push({ label, begin, end }),
  });
  return found;
}
