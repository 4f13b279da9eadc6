/**
 * The last stage for all sources: turns the sentence of a source into a record, cleans it and counts
 * it. Answers arrive merged; sentences of documents arrive as they are, perhaps in a worker.
 */

import { Cleaner } from "../brackets/clean.js";
import { type RawSentence, type RecordOptions, toBracketing } from "../brackets/raw-sentence.js";
import type { Bracketing } from "../brackets/record.js";
import type { Language } from "../languages/index.js";
import type { ExtractSettings } from "./options.js";
import type { ExtractReport } from "./report.js";

export class Finisher {
  readonly #settings: ExtractSettings;
  readonly #report: ExtractReport;
  readonly #cleaner: Cleaner;
  readonly #recordOptions: RecordOptions;

  constructor(settings: ExtractSettings, language: Language | undefined, report: ExtractReport) {
    const kinds = settings.kinds && new Set(settings.kinds);
    this.#settings = settings;
    this.#report = report;
    const { keepAnnotators, keepQuestions, labels } = settings;
    this.#recordOptions = { keepAnnotators, keepQuestions: keepQuestions || labels };
    this.#cleaner = new Cleaner({ ...settings, language, kinds }, (reason, count) =>
      report.drop(reason, count),
    );
  }

  /** The record; undefined, and counted, where the sentence is left out. */
  finish(sentence: RawSentence): Bracketing | undefined {
    if (sentence.brackets.length === 0 && !this.#settings.allSentences) {
      this.#report.drop("sentences without any bracket");
      return undefined;
    }
    const record = this.#cleaner.clean(toBracketing(sentence, this.#recordOptions));
    if (record) this.#report.countRecord(record);
    return record;
  }
}
