/** The tree as text: brackets around phrases, which flow with the page like any sentence. */

import { h } from "../dom.js";
import type { Drawing } from "./drawing.js";
import { nodeAttributes } from "./drawing.js";
import { nodeText, type TreeNode } from "./nodes.js";
import type { Paint } from "./paint.js";

export function drawBrackets(root: TreeNode, paint: Paint): Drawing {
  const elements = new Map<TreeNode, Element>();
  const draw = (node: TreeNode): HTMLElement => {
    const element = h("span", nodeAttributes(node));
    elements.set(node, element);
    if (node.leaf) {
      element.append(node.leaf.word);
      return element;
    }
    const bracket = (sign: string) => {
      const made = h("span", { class: "bracket", "aria-hidden": "true" }, sign);
      const shade = paint.colourOf(node);
      if (shade) made.style.color = shade;
      return made;
    };
    const inner = h("span", { role: "group" });
    if (node.isFolded) inner.append(nodeText(node));
    for (const [index, child] of (node.isFolded ? [] : node.children).entries()) {
      inner.append(...(index > 0 ? [" "] : []), draw(child));
    }
    // The style writes it: as text it would stand between the words for those who listen.
    const label = node.label && h("sub", { "aria-hidden": "true", "data-name": node.label });
    element.append(bracket("["), ...(label ? [label] : []), inner, bracket("]"));
    return element;
  };
  const title = root.words.join(" ");
  const element = h(
    "p",
    { class: "drawing brackets", role: "tree", "aria-label": title },
    draw(root),
  );
  return { element, elements, width: 0, height: 0, words: [] };
}
