/**
 * What a constituency tree is, and the two ways to go through one.
 *
 * Spans are half-open, [begin, end) over tokens, here and everywhere else in memory and on disk.
 * A right-branching tree over 5,000 tokens is 5,000 deep, so nothing here recurses: `walk` keeps
 * its own stack, and everything else that looks at a tree is written with `walk` or `fold`.
 */

export interface Span {
  readonly begin: number;
  readonly end: number;
}

/** Partial overlap: each has tokens that the other has not, and they share some. */
export function cross(a: Span, b: Span): boolean {
  return (
    (a.begin < b.begin && b.begin < a.end && a.end < b.end) ||
    (b.begin < a.begin && a.begin < b.end && b.end < a.end)
  );
}

/** A word, with its part-of-speech tag where there is one. */
export interface Leaf {
  readonly word: string;
  readonly tag?: string | undefined;
}

/** A phrase. The empty label is a phrase without a name. */
export interface Phrase {
  readonly label: string;
  readonly children: readonly Tree[];
}

/** A phrase with its parts, or a word. */
export type Tree = Leaf | Phrase;

/** A phrase seen from outside: where it is and what it is called. */
export interface Constituent extends Span {
  readonly label: string;
}

/** Whether a tree is a single word. */
export function isLeaf(tree: Tree): tree is Leaf {
  return "word" in tree;
}

/** What `walk` calls on its way through a tree. */
export interface Visitor {
  /** Called at a word. */
  leaf?(leaf: Leaf, index: number): void;
  /** Before the children; `begin` is the index of the phrase's first token. */
  enter?(phrase: Phrase, begin: number): void;
  /** After the children. */
  leave?(phrase: Phrase, begin: number, end: number): void;
}

/** Goes through a tree of any depth, parents before children. */
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

/** Computes a value for each node from those of its children, bottom up. */
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

/** All phrases in post-order: children before parents, the root last, unary chains included. */
export function constituents(tree: Tree): Constituent[] {
  const found: Constituent[] = [];
  walk(tree, {
    leave: ({ label }, begin, end) => found.push({ label, begin, end }),
  });
  return found;
}
