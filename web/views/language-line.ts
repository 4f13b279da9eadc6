/** A line above the trees about the language of the text: which it is, or that the model does not know it. */

import { languageName } from "../../src/languages/codes.js";
import { describeUnknown, knowsLanguage } from "../../src/parser/from-text.js";
import { h } from "../dom.js";
import type { Engine, ModelChoice } from "../engine/engine.js";

export class LanguageLine {
  readonly element = h("p", { class: "language", role: "status", hidden: true });
  readonly #engine: Engine;
  readonly #onChoose: (model: ModelChoice) => void;

  /** @param onChoose called when another model is to parse, which knows the language */
  constructor(engine: Engine, onChoose: (model: ModelChoice) => void) {
    this.#engine = engine;
    this.#onChoose = onChoose;
  }

  /** @param language undefined if nobody is sure of it */
  show(language: string | undefined, model: ModelChoice): void {
    this.hide();
    if (language === undefined) return;
    const isKnown = knowsLanguage(language, [model]);
    if (isKnown && model.languages.length === 1) return;
    this.element.hidden = false;
    this.element.classList.toggle("unknown", !isKnown);
    this.element.replaceChildren(
      isKnown ? `Language: ${languageName(language)}` : describeUnknown(language, model.languages),
    );
    const able = this.#engine.listed.find((other) => knowsLanguage(language, [other]));
    if (isKnown || !able) return;
    const choose = () => this.#onChoose(able);
    this.element.append(
      " ",
      h("button", { type: "button", click: choose }, `Parse with ${able.name}`),
    );
  }

  hide(): void {
    this.element.hidden = true;
  }
}
