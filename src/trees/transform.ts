/**
 * Changes to trees that parsers and evaluations share: removing leaves and wrappers, collapsing unary
 * chains, making trees binary, building a tree from its spans.
 */

import { type Constituent, fold, isLeaf, type Leaf, type Tree } from "./tree.js";

/**
 * Removes the leaves for which `keep` returns false, and phrases that are then empty.
 *
 * @returns undefined if nothing is left.
 */
export function filterLeaves(
  tree: Tree,
  keep: (leaf: Leaf, index: number) => boolean,
): Tree | undefined {
  return fold<Tree | undefined>(
    tree,
    (leaf, index) => (keep(leaf, index) ? leaf : undefined),
    ({ label }, children) => {
      const kept = children.filter((child) => child !== undefined);
      return kept.length > 0 ? { label, children: kept } : undefined;
    },
  );
}

/** Replaces each leaf. */
export function mapLeaves(tree: Tree, change: (leaf: Leaf, index: number) => Leaf): Tree {
  return fold<Tree>(tree, change, ({ label }, children) => ({ label, children }));
}

/** Removes traces and other `-NONE-` leaves; undefined if nothing is left. */
export function dropEmpty(tree: Tree): Tree | undefined {
  return filterLeaves(tree, (leaf) => leaf.tag !== "-NONE-");
}

const WRAPPERS = new Set(["", "ROOT", "TOP"]);

/** Whether this is the label of a root that is not a phrase: empty, ROOT or TOP. */
export function isWrapper(label: string): boolean {
  return WRAPPERS.has(label);
}

/** Removes wrappers such as `( (S …) )`, `(ROOT (S …))`, `(TOP (S …))`. */
export function unwrapRoot(tree: Tree): Tree {
  let inner = tree;
  while (!isLeaf(inner) && inner.children.length === 1 && isWrapper(inner.label)) {
    inner = inner.children[0] as Tree;
  }
  return inner;
}

/** Collapses each unary chain into one node with the topmost label of the chain. */
export function collapseUnary(tree: Tree): Tree {
  return fold<Tree>(
    tree,
    (leaf) => leaf,
    ({ label }, children) => {
      const [only] = children;
      if (!only || children.length > 1) return { label, children };
      return isLeaf(only) ? only : { label, children: only.children };
    },
  );
}

/**
 * Splits every phrase of more than two parts. New phrases have no label.
 *
 * @param branching the side on which the further parts are nested.
 * @example
 * ```ts
 * import { binarise, parsePenn, toPenn } from "bracken/trees";
 *
 * const [tree] = parsePenn("(NP (DT the) (JJ old) (NN man))");
 * if (tree) console.log(toPenn(binarise(tree))); // (NP (DT the) ( (JJ old) (NN man)))
 * ```
 */
export function binarise(tree: Tree, branching: "left" | "right" = "right"): Tree {
  return fold<Tree>(
    tree,
    (leaf) => leaf,
    ({ label }, children) => {
      if (children.length < 3) return { label, children };
      const inner = { label: "" };
      const nest =
        branching === "right"
          ? children.slice(1).reduceRight((rest, part) => ({ ...inner, children: [part, rest] }))
          : children.slice(0, -1).reduce((rest, part) => ({ ...inner, children: [rest, part] }));
      const outer = branching === "right" ? children[0] : children.at(-1);
      return {
        label,
        children: branching === "right" ? [outer as Tree, nest] : [nest, outer as Tree],
      };
    },
  );
}

/**
 * Builds the tree over the given leaves with the given phrases. Of phrases over the same words the first is
 * the outer one. If there is no phrase over everything, one without a label is added.
 *
 * @throws RangeError if phrases cross or exceed the leaves.
 * @example
 * ```ts
 * import { toPenn, treeFromSpans } from "bracken/trees";
 *
 * const leaves = ["the", "cat", "sat"].map((word) => ({ word }));
 * console.log(toPenn(treeFromSpans(leaves, [{ begin: 0, end: 2, label: "NP" }])));
 * ```
 */
export function treeFromSpans(tokens: readonly Leaf[], phrases: readonly Constituent[]): Tree {
  const order = phrases.toSorted((a, b) => a.begin - b.begin || b.end - a.end);
  const first = order[0];
  const rooted = first ? first.begin === 0 && first.end === tokens.length : tokens.length === 1;
  const root = { label: "", begin: 0, end: tokens.length, children: [] as Tree[] };
  const open = [root];
  let position = 0;
  const fillTo = (limit: number) => {
    const top = open.at(-1) as typeof root;
    while (position < limit) top.children.push(tokens[position++] as Leaf);
  };
  const closeBefore = (begin: number) => {
    for (let top = open.at(-1); top && top !== root && top.end <= begin; top = open.at(-1)) {
      fillTo(top.end);
      open.pop();
      open.at(-1)?.children.push({ label: top.label, children: top.children });
    }
  };
  for (const { begin, end, label } of order) {
    checkSpan(begin, end, tokens.length);
    closeBefore(begin);
    const top = open.at(-1) as typeof root;
    if (end > top.end) {
      throw new RangeError(`spans [${top.begin}, ${top.end}) and [${begin}, ${end}) cross`);
    }
    fillTo(begin);
    open.push({ label, begin, end, children: [] });
  }
  closeBefore(tokens.length);
  fillTo(tokens.length);
  return rooted ? (root.children[0] as Tree) : { label: "", children: root.children };
}

function checkSpan(begin: number, end: number, length: number): void {
  if (!Number.isInteger(begin) || !Number.isInteger(end) || begin < 0 || end <= begin) {
    throw new RangeError(`[${begin}, ${end}) is not a span: 0 <= begin < end must hold`);
  }
  if (end > length) throw new RangeError(`span [${begin}, ${end}) exceeds the ${length} tokens`);
}
