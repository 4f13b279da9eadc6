/** A sentence with its brackets as lines under the words, one colour a kind, none over another. */

import type { Bracket, Bracketing } from "../../src/brackets/index.js";
import { cross, type Span } from "../../src/trees/index.js";
import { h } from "../dom.js";
import { placeFragment, spansToField } from "../link.js";

interface Placed {
  readonly bracket: Bracket;
  readonly kind: string;
  readonly weight: number | undefined;
  readonly level: number;
}

/** Short brackets close to the words, longer ones below, each where nothing is yet. */
export function placeBrackets({ brackets, kinds, weights }: Bracketing): Placed[] {
  const ends: Bracket[][] = [];
  return [...brackets.entries()]
    .sort(([, a], [, b]) => a[1] - a[0] - (b[1] - b[0]) || a[0] - b[0])
    .map(([index, bracket]) => {
      const isFree = (taken: readonly Bracket[]) =>
        taken.every(([begin, end]) => end <= bracket[0] || begin >= bracket[1]);
      let level = ends.findIndex(isFree);
      if (level < 0) level = ends.push([]) - 1;
      ends[level]?.push(bracket);
      return { bracket, kind: kinds?.[index] ?? "", weight: weights?.[index], level };
    });
}

/** The view Parse with the words of a bracketing and its brackets forced; of brackets that cross, the first. */
export function parseLink({ tokens, brackets }: Bracketing): string {
  const forced: Span[] = [];
  for (const [begin, end] of brackets) {
    const span = { begin, end };
    const isTrivial = end - begin < 2 || end - begin === tokens.length;
    if (!isTrivial && !forced.some((other) => cross(other, span))) forced.push(span);
  }
  return placeFragment("parse", {
    text: tokens.join(" "),
    split: "blanks",
    must: spansToField(new Map([[0, forced]])),
  });
}

export function drawBracketing(
  bracketing: Bracketing,
  colourOf: (kind: string) => string,
): HTMLElement {
  const { tokens, source, id } = bracketing;
  const placed = placeBrackets(bracketing);
  const levels = Math.max(0, ...placed.map(({ level }) => level + 1));
  const words = tokens.map((token, index) => {
    const lines = Array.from({ length: levels }, (_, level) => {
      const over = placed.find(
        ({ bracket: [begin, end], level: own }) => own === level && begin <= index && index < end,
      );
      return drawLine(over, index, colourOf);
    });
    return h("span", { class: "cell" }, h("span", {}, `${token} `), ...lines);
  });
  const spoken = placed.map(({ bracket: [begin, end], kind, weight }) => {
    const times = weight === undefined ? "" : `, given ${weight} times`;
    return h("li", {}, `${kind || "bracket"}: ${tokens.slice(begin, end).join(" ")}${times}`);
  });
  return h(
    "li",
    { class: "bracketing" },
    h("p", { class: "words" }, ...words),
    h("ul", { class: "unseen" }, ...spoken),
    h(
      "p",
      { class: "origin" },
      h("span", {}, [source, id].filter(Boolean).join(" · ")),
      " ",
      h(
        "a",
        { href: parseLink(bracketing), title: "See the parser's tree with these brackets in it" },
        "Open in Parse",
      ),
    ),
  );
}

function drawLine(
  over: Placed | undefined,
  index: number,
  colourOf: (kind: string) => string,
): HTMLElement {
  const line = h("i", { "aria-hidden": "true" });
  if (!over) return line;
  const {
    bracket: [begin, end],
    kind,
    weight,
  } = over;
  line.style.background = colourOf(kind);
  line.classList.toggle("begins", index === begin);
  line.classList.toggle("ends", index === end - 1);
  line.title = weight === undefined ? kind : `${kind} × ${weight}`;
  return line;
}
