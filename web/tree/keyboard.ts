/**
 * Going through a drawn tree with the arrow keys, as it looks: up to the phrase around, down into it,
 * sideways to its neighbours. One node at a time can be reached by Tab.
 */

import { phraseKey, spanKey, type TreeNode } from "./nodes.js";

/** The node that a key leads to; undefined if it leads nowhere. */
export function neighbour(node: TreeNode, key: string): TreeNode | undefined {
  switch (key) {
    case "ArrowUp":
      return node.parent;
    case "ArrowDown":
      return node.isFolded ? undefined : node.children[0];
    case "ArrowLeft":
      return beside(node, -1);
    case "ArrowRight":
      return beside(node, 1);
    case "Home":
      return rootOf(node);
    case "End":
      return lastOf(rootOf(node));
    default:
      return undefined;
  }
}

/** The next node to a side: a sibling, or the nearest part of a sibling of the phrases around. */
function beside(node: TreeNode, step: -1 | 1): TreeNode | undefined {
  let [inner, depth]: [TreeNode, number] = [node, 0];
  while (inner.parent) {
    const siblings = inner.parent.children;
    const next = siblings[siblings.indexOf(inner) + step];
    if (next) return descend(next, depth, step);
    inner = inner.parent;
    depth += 1;
  }
  return undefined;
}

/** Down the near edge of a phrase by as many levels as were climbed, as far as it goes. */
function descend(node: TreeNode, depth: number, step: -1 | 1): TreeNode {
  let found = node;
  for (let level = 0; level < depth && !found.isFolded; level++) {
    const next = step > 0 ? found.children[0] : found.children.at(-1);
    if (!next) break;
    found = next;
  }
  return found;
}

function rootOf(node: TreeNode): TreeNode {
  let found = node;
  while (found.parent) found = found.parent;
  return found;
}

function lastOf(node: TreeNode): TreeNode {
  let found = node;
  while (!found.isFolded && found.children.length > 0) found = found.children.at(-1) as TreeNode;
  return found;
}

/** Keeps exactly one node reachable by Tab, and brings the focus back after a tree is drawn anew. */
export class RovingFocus {
  #elements: ReadonlyMap<TreeNode, Element> = new Map();
  #current: TreeNode | undefined;

  /** Takes the elements of a new drawing; `hadFocus` says whether the old one had the focus. */
  adopt(elements: ReadonlyMap<TreeNode, Element>, hadFocus: boolean): void {
    const nodes = [...elements.keys()];
    const before = this.#current;
    this.#elements = elements;
    this.#current = undefined;
    const same =
      before &&
      (nodes.find((node) => phraseKey(node) === phraseKey(before)) ??
        nodes.find((node) => spanKey(node) === spanKey(before)));
    this.#choose(same ?? (nodes[0] as TreeNode), hadFocus);
  }

  nodeOf(element: Element | null): TreeNode | undefined {
    const owner = element?.closest(".node");
    for (const [node, own] of this.#elements) if (own === owner) return node;
    return undefined;
  }

  /** Words that another tree shows already are not reached. */
  focus(node: TreeNode): void {
    if (this.#elements.has(node)) this.#choose(node, true);
  }

  /** The node got the focus by other means, such as a screen reader's. */
  follow(node: TreeNode): void {
    if (node !== this.#current) this.#choose(node, false);
  }

  #choose(node: TreeNode, withFocus: boolean): void {
    this.#elements.get(this.#current as TreeNode)?.setAttribute("tabindex", "-1");
    this.#current = node;
    const element = this.#elements.get(node) as SVGElement | HTMLElement | undefined;
    element?.setAttribute("tabindex", "0");
    if (withFocus) element?.focus();
  }
}
