/** What the model thinks of the phrase under the pointer or the focus, beside it. */

import { h } from "../dom.js";
import { currentTheme } from "../theme.js";
import { confidenceColour } from "./colour.js";
import { countWords, headWord, percent, signed, type TreeNode } from "./nodes.js";

const box = h("div", { class: "tooltip", "aria-hidden": "true", hidden: true });

export function showTooltip(node: TreeNode, element: Element): void {
  const { marginal, labelProbability, score, words, label, mark } = node;
  const name = labelProbability === undefined ? label : `${label} ${percent(labelProbability)}`;
  const head = headWord(node);
  const facts = [
    label && h("b", {}, name),
    marginal !== undefined && probability(marginal),
    head !== undefined && h("span", {}, "head ", h("i", {}, head)),
    score !== undefined && h("span", {}, `score ${signed(score)}`),
    mark === "crossing" && h("span", { class: "bad" }, "crosses the other tree"),
    mark === "shared" && h("span", {}, "in both trees"),
    mark === "renamed" && h("span", {}, "in both trees, there ", h("b", {}, node.elsewhere)),
    h("span", {}, countWords(node)),
  ];
  box.replaceChildren(
    h("p", { class: "quoted" }, quoted(words)),
    h("p", { class: "facts" }, ...facts.filter((fact) => fact !== "" && fact !== false)),
  );
  if (!box.isConnected) document.body.append(box);
  box.hidden = false;
  place(element);
}

export function hideTooltip(): void {
  box.hidden = true;
}

function probability(marginal: number): HTMLElement {
  const bar = h("i");
  bar.style.width = `${Math.max(2, marginal * 100)}%`;
  // The box is dark where the page is light.
  bar.style.background = confidenceColour(marginal, currentTheme() === "dark" ? "light" : "dark");
  return h("span", { class: "probability" }, h("span", { class: "bar" }, bar), percent(marginal));
}

function quoted(words: readonly string[]): string {
  const text = words.length > 14 ? [...words.slice(0, 7), "…", ...words.slice(-6)] : words;
  return `“${text.join(" ")}”`;
}

/** Above the element where there is room, else below, and never outside the window. */
function place(element: Element): void {
  const target = anchorOf(element).getBoundingClientRect();
  const { width, height } = box.getBoundingClientRect();
  const left = Math.min(
    Math.max(8, target.left + target.width / 2 - width / 2),
    document.documentElement.clientWidth - width - 8,
  );
  const above = target.top - height - 8;
  box.style.left = `${Math.round(left)}px`;
  box.style.top = `${Math.round(above > 8 ? above : target.bottom + 8)}px`;
}

const ANCHORS = [".dot", ".pill", ".bracket", ".triangle"].map((each) => `:scope > ${each}`).join();

/** Of a phrase in the text only the first bracket: the phrase may run over many lines. */
function anchorOf(element: Element): Element {
  return element.querySelector(ANCHORS) ?? element;
}
