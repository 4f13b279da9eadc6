/** What is said and done about brackets that are forced: a list of them, and a bar for words just chosen. */

import type { Leaf, Span } from "../../src/trees/index.js";
import { h } from "../dom.js";
import type { Judgement } from "../sentence.js";
import { shortened } from "./conflict.js";
import { percent, signed, spanKey } from "./nodes.js";

/** Whether a tree must have a bracket or must not; undefined if it is free again. */
export type Force = "required" | "forbidden" | undefined;

export interface Forced {
  readonly required: readonly Span[];
  readonly forbidden: readonly Span[];
}

export class ForceControls {
  readonly list = h("ul", { class: "forced", hidden: true });
  readonly bar = h("div", {
    class: "choice",
    role: "toolbar",
    "aria-label": "Chosen words",
    hidden: true,
  });
  readonly #leaves: readonly Leaf[];
  readonly #force: (span: Span, kind: Force) => void;
  readonly #cancel: () => void;

  constructor(
    leaves: readonly Leaf[],
    on: { force: (span: Span, kind: Force) => void; cancel: () => void },
  ) {
    this.#leaves = leaves;
    this.#force = on.force;
    this.#cancel = on.cancel;
  }

  showForced({ required, forbidden }: Forced): void {
    this.list.hidden = required.length + forbidden.length === 0;
    this.list.replaceChildren(
      ...required.map((span) => this.#chip(span, "required")),
      ...forbidden.map((span) => this.#chip(span, "forbidden")),
    );
  }

  #chip(span: Span, kind: "required" | "forbidden"): HTMLElement {
    const text = this.#text(span);
    const label = kind === "required" ? "must have" : "must not have";
    return h(
      "li",
      { class: kind },
      h("span", {}, `${label} `, h("q", {}, text)),
      h(
        "button",
        {
          type: "button",
          class: "plain",
          "aria-label": `Forget: ${label} ${text}`,
          click: () => this.#force(span, undefined),
        },
        "×",
      ),
    );
  }

  /** @param known what the model thinks of the chosen words */
  showChoice(span: Span | undefined, known: Judgement | undefined, forced: Forced): void {
    this.bar.hidden = span === undefined;
    if (!span) return;
    const isTrivial = span.end - span.begin === 1;
    const button = (name: string, kind: Force, disabled = false) =>
      h(
        "button",
        { type: "button", disabled, class: kind ?? "", click: () => this.#force(span, kind) },
        name,
      );
    const all = [...forced.required, ...forced.forbidden];
    const isForced = all.some((each) => spanKey(each) === spanKey(span));
    this.bar.replaceChildren(
      h("p", {}, h("q", {}, this.#text(span)), facts(known, isTrivial)),
      h(
        "div",
        { class: "buttons" },
        button("Require", "required", isTrivial),
        button("Forbid", "forbidden", isTrivial),
        isForced && button("Forget", undefined),
        h("button", { type: "button", class: "plain", click: () => this.#cancel() }, "Cancel"),
      ),
    );
  }

  #text({ begin, end }: Span): string {
    return shortened(this.#leaves.slice(begin, end).map(({ word }) => word));
  }
}

function facts(known: Judgement | undefined, isTrivial: boolean): HTMLElement {
  if (isTrivial)
    return h("small", {}, "Drag on, or tap another word: a bracket holds two or more.");
  if (!known) return h("small", {}, "");
  const { label, marginal, score } = known;
  const told = [label, `probability ${percent(marginal)}`, `score ${signed(score)}`];
  return h("small", {}, told.filter(Boolean).join(" · "));
}
