/**
 * The phrases of sentences as lines of a table or of JSON, or how often each stands in all of them.
 * A killed run that only counts begins anew: its counts are kept in memory.
 */

import { InputError } from "../errors.js";
import { checkLabels, type Nesting, phrasesOf } from "../parser/phrases.js";
import { toCell, tsvLine } from "../parser/tsv.js";
import type { OutcomeWriter } from "./parse-files.js";
import type { Outcome } from "./parse-run.js";
import type { Written } from "./parse-writer.js";
import { EMPTY_LINE } from "./units.js";

/** The forms in which phrases are written. */
export const PHRASE_FORMATS = ["tsv", "jsonl"] as const;

export interface PhraseWriteOptions {
  /** All labels where none is named. */
  readonly labels: readonly string[];
  readonly format: (typeof PHRASE_FORMATS)[number];
  readonly nesting: Nesting;
  /** How often each phrase occurs, instead of each phrase. */
  readonly count?: boolean | undefined;
  /** The names of the inputs. */
  readonly inputs: readonly string[];
}

/** @throws InputError if the models lack a label. */
export function phraseWriter(
  labels: readonly string[],
  options: PhraseWriteOptions,
): OutcomeWriter {
  checkLabels(options.labels, labels);
  return options.count ? new PhraseCounter(labels, options) : new PhraseLister(labels, options);
}

abstract class PhraseWriter implements OutcomeWriter {
  readonly #wanted: ReadonlySet<string>;
  protected readonly options: PhraseWriteOptions;

  constructor(labels: readonly string[], options: PhraseWriteOptions) {
    this.#wanted = new Set(options.labels.length > 0 ? options.labels : labels);
    this.options = options;
  }

  write(outcome: Outcome): Written {
    const { parse, place, problem = "no sentence" } = outcome;
    if (!parse) {
      const note = new InputError(problem, place).message.replace(/\s+/g, " ");
      return { text: "", note: problem === EMPTY_LINE ? undefined : note };
    }
    const note = parse.fallback && new InputError(parse.fallback, place).message;
    const found = phrasesOf(parse, this.#wanted, this.options);
    return { text: found.map((phrase) => this.take(phrase, outcome)).join(""), note };
  }

  /** What is written for a phrase at once. */
  protected abstract take(phrase: ReturnType<typeof phrasesOf>[number], outcome: Outcome): string;
}

/** One line for each phrase, in the order of the text. */
class PhraseLister extends PhraseWriter {
  protected take(
    { text, begin, end, label, head, probability }: ReturnType<typeof phrasesOf>[number],
    { input, place }: Outcome,
  ): string {
    const file = this.options.inputs[input];
    const { line } = place;
    if (this.options.format === "jsonl") {
      const rounded = probability === undefined ? {} : { probability: rounding(probability) };
      return `${JSON.stringify({ text, label, head, ...rounded, file, line, begin, end })}\n`;
    }
    return tsvLine([label, text, head, probability, file, line, begin, end]);
  }
}

/** A table of phrases, the most frequent first. */
class PhraseCounter extends PhraseWriter {
  readonly #counts = new Map<string, number>();

  protected take({ text, label }: ReturnType<typeof phrasesOf>[number]): string {
    const key = `${label}\t${toCell(text)}`;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    return "";
  }

  finish(): string {
    const rows = [...this.#counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
    return rows.map(([key, count]) => this.#row(key, count)).join("");
  }

  #row(key: string, count: number): string {
    if (this.options.format === "tsv") return `${count}\t${key}\n`;
    const [label, text] = key.split("\t");
    return `${JSON.stringify({ count, label, text })}\n`;
  }
}

function rounding(probability: number): number {
  return Number(probability.toFixed(4));
}
