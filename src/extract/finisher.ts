/**
 * The last stage for all sources: turns the sentence of a source into a record, cleans it and counts
 * it. Answers arrive merged; sentences of documents arrive as they are, perhaps in a worker.
 */

import { Cleaner } from "../brackets/clean.js";
import { type RawSentence, type RecordOptions, toBracketing } from "../brackets/raw-sentence.js";
import type { Bracketing } from "../brackets/record.js";
import { canonicalCode, findLanguage, type Language } from "../languages/index.js";
import type { ExtractSettings } from "./options.js";
import type { ExtractReport } from "./report.js";

export class Finisher {
  readonly #settings: ExtractSettings;
  readonly #report: ExtractReport;
  readonly #language: Language;
  /** By the code of their language. */
  readonly #cleaners = new Map<string, Cleaner>();
  readonly #recordOptions: RecordOptions;

  /** @throws InputError if an option needs rules that the language does not have. */
  constructor(settings: ExtractSettings, language: Language, report: ExtractReport) {
    this.#settings = settings;
    this.#language = language;
    this.#report = report;
    const { keepAnnotators, keepQuestions, labels } = settings;
    this.#recordOptions = { keepAnnotators, keepQuestions: keepQuestions || labels };
    this.#cleanerOf(language);
  }

  /** The record; undefined, and counted, where the sentence is left out. */
  finish(sentence: RawSentence): Bracketing | undefined {
    if (sentence.brackets.length === 0 && !this.#settings.allSentences) {
      this.#report.drop("sentences without any bracket");
      return undefined;
    }
    const { language: told } = this.#settings;
    const code = told === undefined ? sentence.language : canonicalCode(told);
    const language = code === undefined ? this.#language : findLanguage(code);
    const whole = toBracketing({ ...sentence, language: code }, this.#recordOptions);
    const record = this.#cleanerOf(language).clean(whole);
    if (record) this.#report.countRecord(record);
    return record;
  }

  #cleanerOf(language: Language): Cleaner {
    const known = this.#cleaners.get(language.code);
    if (known) return known;
    const kinds = this.#settings.kinds && new Set(this.#settings.kinds);
    const drop = (reason: string, count?: number) => this.#report.drop(reason, count);
    const cleaner = new Cleaner({ ...this.#settings, language, kinds }, drop);
    this.#cleaners.set(language.code, cleaner);
    return cleaner;
  }
}
