/**
 * The last stage for all sources: turns the sentence of a source into a record, cleans it and counts
 * it. Answers arrive merged; sentences of documents arrive as they are, perhaps in a worker.
 */

import { Cleaner } from "../brackets/clean.js";
import { type RawSentence, type RecordOptions, toBracketing } from "../brackets/raw-sentence.js";
import type { Bracketing } from "../brackets/record.js";
import { splitHyphens } from "../brackets/split-hyphens.js";
import { loadDetector } from "../languages/detect.js";
import { grammarOf } from "../languages/grammar-of.js";
import { canonicalCode, findLanguage, type Language } from "../languages/index.js";
import type { ExtractSettings } from "./options.js";
import type { ExtractReport } from "./report.js";

type Detector = Awaited<ReturnType<typeof loadDetector>>;

export class Finisher {
  readonly #settings: ExtractSettings;
  readonly #report: ExtractReport;
  readonly #language: Language;
  /** By the code of their language. */
  readonly #cleaners = new Map<string, Cleaner>();
  readonly #recordOptions: RecordOptions;
  /** Tells the language of a sentence; only if an option needs it. */
  readonly #detect: Detector | undefined;

  /** @throws InputError if an option needs rules that the language does not have. */
  static async open(
    settings: ExtractSettings,
    language: Language,
    report: ExtractReport,
  ): Promise<Finisher> {
    const detect = settings.sameLanguage ? await loadDetector() : undefined;
    return new Finisher(settings, language, report, detect);
  }

  private constructor(
    settings: ExtractSettings,
    language: Language,
    report: ExtractReport,
    detect: Detector | undefined,
  ) {
    this.#settings = settings;
    this.#detect = detect;
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
    if (this.#detect && isOther(this.#detect(textOf(sentence)), language)) {
      this.#report.drop("sentences in another language");
      return undefined;
    }
    const whole = toBracketing({ ...sentence, language: code }, this.#recordOptions);
    const cleaned = this.#cleanerOf(language).clean(whole);
    const record =
      cleaned && this.#settings.splitHyphens ? this.#split(cleaned, language) : cleaned;
    if (record) this.#report.countRecord(record);
    return record;
  }

  #split(record: Bracketing, language: Language): Bracketing | undefined {
    const split = splitHyphens(record, grammarOf(language));
    if (!split) this.#report.drop("sentences without a word to split");
    return split;
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

function textOf({ text, tokens }: RawSentence): string {
  return text ?? tokens.join(" ");
}

/** Where the detector is not sure, the sentence is taken for what it is said to be. */
function isOther(detected: string | undefined, { code }: Language): boolean {
  return detected !== undefined && detected !== code.split("-")[0];
}
