/**
 * Cleans brackets and sentences before learning. Every step is optional and counted. Brackets come first, then the
 * sentences with what is left of them.
 */

import { english } from "../languages/english.js";
import type { Grammar } from "../languages/grammar.js";
import { grammarOf } from "../languages/grammar-of.js";
import { labelRulesOf } from "../languages/label-rules.js";
import type { LabelRules } from "../languages/labels.js";
import type { Language, Particles } from "../languages/language.js";
import type { Span } from "../trees/tree.js";
import { toLists, toRawBrackets, uniteBrackets, weightOf } from "./bracket-fields.js";
import {
  type EnrichOptions,
  type Entry,
  enrich,
  enrichByParticles,
  isPredicate,
} from "./enrich.js";
import { mayContinueNounPhrase } from "./flat.js";
import { nameBrackets } from "./name-brackets.js";
import { NearDuplicates } from "./near-duplicates.js";
import { PART } from "./parts.js";
import { type Bracketing, isMark, isMultiToken } from "./record.js";
import { textKey } from "./sentence-keys.js";

/** Options of `Cleaner`. Every step is off by default. */
export interface CleanOptions extends EnrichOptions {
  /** The language whose rules `takeDeterminers`, `addParts`, `markFlat` and `labels` use; English by default. */
  readonly language?: Language | undefined;
  /** Trim punctuation from both ends of brackets. */
  readonly trimPunctuation?: boolean | undefined;
  /** Extend brackets to the left by an article or possessive. */
  readonly takeDeterminers?: boolean | undefined;
  /** Vote for the names of phrases, from the brackets' questions, kinds and words. */
  readonly labels?: boolean | undefined;
  /** Drop brackets of a single word. */
  readonly dropSingle?: boolean | undefined;
  /** Drop brackets over the whole sentence. */
  readonly dropWhole?: boolean | undefined;
  /** Drop brackets that contain one half of a pair of quotes or parentheses. */
  readonly dropUnbalanced?: boolean | undefined;
  /** Drop brackets with fewer annotators. */
  readonly minAnnotators?: number | undefined;
  /** Drop longer sentences. */
  readonly maxTokens?: number | undefined;
  /** Drop sentences without a bracket of two or more tokens that is not the whole sentence. */
  readonly requireMulti?: boolean | undefined;
  /** Drop sentences that are nearly equal to an earlier one. */
  readonly dropNearDuplicates?: boolean | undefined;
  /** Drop sentences with these keys; see `textKey`. */
  readonly exclude?: ReadonlySet<string> | undefined;
  /** Keep only brackets of these kinds. */
  readonly kinds?: ReadonlySet<string> | undefined;
}

/** Called with the reason for what was left out, and how often. */
export type Counter = (reason: string, count?: number) => void;

/**
 * Cleans Bracketings one by one.
 *
 * @example
 * ```ts
 * import { Cleaner } from "bracken/brackets";
 *
 * const cleaner = new Cleaner({ trimPunctuation: true }, (reason) => console.log("dropped", reason));
 * const tokens = ["the", "cat", "sat", "."];
 * const cleaned = cleaner.clean({ tokens, brackets: [[2, 4]], source: "mine", id: "1" });
 * console.log(cleaned?.brackets); // [[2, 3]]
 * ```
 */
export class Cleaner {
  readonly #options: CleanOptions;
  readonly #drop: Counter;
  /** Only if an option needs it. */
  readonly #grammar: Grammar | undefined;
  /** Of a language whose phrases its particles show. */
  readonly #particles: Particles | undefined;
  readonly #labelRules: LabelRules | undefined;
  readonly #nearDuplicates = new NearDuplicates();

  /** @throws InputError if an option needs rules that the language does not have. */
  constructor(options: CleanOptions, drop: Counter) {
    const { takeDeterminers, addParts, markFlat, language = english } = options;
    const { particles } = language;
    this.#options = options;
    this.#particles = addParts || markFlat ? particles : undefined;
    const needsGrammar = takeDeterminers || ((addParts || markFlat) && !particles);
    this.#grammar = needsGrammar ? grammarOf(language) : undefined;
    this.#labelRules = options.labels ? labelRulesOf(language) : undefined;
    this.#drop = drop;
  }

  /** The cleaned sentence, or undefined if it is dropped. */
  clean(bracketing: Bracketing): Bracketing | undefined {
    const { tokens } = bracketing;
    const { maxTokens, exclude } = this.#options;
    if (maxTokens !== undefined && tokens.length > maxTokens) {
      return this.#refuse(`sentences over ${maxTokens} tokens`);
    }
    if (exclude?.has(textKey(tokens))) return this.#refuse("excluded sentences");
    // Of a gold tree no bracket may be changed or missing.
    const cleaned = bracketing.complete ? bracketing : this.#cleanBrackets(bracketing);
    if (this.#options.requireMulti && !hasMultiToken(cleaned)) {
      return this.#refuse("sentences without a multi-token bracket");
    }
    if (this.#options.dropNearDuplicates && this.#nearDuplicates.isRepeated(tokens)) {
      return this.#refuse("near-duplicate sentences");
    }
    return cleaned;
  }

  #refuse(reason: string): undefined {
    this.#drop(reason);
  }

  #cleanBrackets(bracketing: Bracketing): Bracketing {
    const { tokens } = bracketing;
    const kept = new Map<string, Entry>();
    const words: Entry[] = [];
    for (const bracket of toRawBrackets(bracketing)) {
      const whole = this.#mend({ ...bracket, weight: weightOf(bracket) }, tokens);
      if (whole && whole.end - whole.begin === 1) words.push(whole);
      if (!whole || !this.#accepts(whole, tokens)) continue;
      const key = `${whole.begin},${whole.end},${whole.kind}`;
      const known = kept.get(key);
      if (known) this.#drop("brackets made equal by cleaning");
      kept.set(key, known ? addUp(known, whole) : whole);
    }
    const cleaned = [...kept.values()];
    const grammar = this.#grammar;
    const particles = this.#particles;
    const enriched = grammar
      ? enrich(cleaned, words, tokens, grammar, this.#options)
      : particles
        ? enrichByParticles(cleaned, tokens, particles, this.#options)
        : cleaned;
    words.push(...cleaned.filter(isPredicate).map((entry) => ({ ...entry, end: entry.begin + 1 })));
    const rules = this.#labelRules;
    const entries = rules ? nameBrackets(enriched, words, tokens, rules) : enriched;
    return {
      ...bracketing,
      brackets: entries.map(({ begin, end }) => [begin, end]),
      ...toLists(
        entries,
        ({ list }) => bracketing[list] !== undefined || (list === "labels" && rules !== undefined),
      ),
    };
  }

  #mend(entry: Entry, tokens: readonly string[]): Entry | undefined {
    const trimmed = this.#options.trimPunctuation ? this.#trim(entry, tokens) : entry;
    return trimmed && this.#options.takeDeterminers ? this.#extend(trimmed, tokens) : trimmed;
  }

  #trim(entry: Entry, tokens: readonly string[]): Entry | undefined {
    let { begin, end } = entry;
    while (begin < end && isEdgePunctuation(tokens[begin] as string)) begin += 1;
    while (end > begin && isEdgePunctuation(tokens[end - 1] as string)) end -= 1;
    if (begin === end) {
      this.#drop("brackets of punctuation only");
      return undefined;
    }
    if (begin !== entry.begin || end !== entry.end) this.#drop("punctuation at an end (trimmed)");
    return { ...entry, begin, end };
  }

  /** Links and answers leave out determiners and parts of names: "the [French] Open". */
  #extend(entry: Entry, tokens: readonly string[]): Entry | undefined {
    const grammar = this.#grammar as Grammar;
    const whole = { ...entry, ...wholeName(entry, tokens, grammar) };
    if (whole.begin !== entry.begin || whole.end !== entry.end)
      this.#drop("brackets of a part of a name (extended)");
    if (!grammar.determiners.has(tokens[whole.begin - 1])) return whole;
    if (isPredicate(whole)) {
      this.#drop("verbs after a determiner, which are part of a noun phrase");
      return undefined;
    }
    if (MARKUP.has(whole.kind) && mayContinueNounPhrase(tokens[whole.end], grammar)) {
      this.#drop("links after a determiner that may be part of a longer phrase");
      return undefined;
    }
    this.#drop("brackets without their determiner (extended)");
    return { ...whole, begin: whole.begin - 1 };
  }

  #accepts({ begin, end, weight, kind }: Entry, tokens: readonly string[]): boolean {
    const options = this.#options;
    const refusal =
      (options.kinds && !options.kinds.has(kind) && "brackets of other kinds") ||
      (options.minAnnotators &&
        weight < options.minAnnotators &&
        `brackets given by fewer than ${options.minAnnotators}`) ||
      (options.dropSingle && end - begin === 1 && "single-word brackets") ||
      (options.dropWhole && end - begin === tokens.length && "whole-sentence brackets") ||
      (options.dropUnbalanced && !isBalanced(tokens.slice(begin, end)) && "unbalanced brackets");
    if (refusal) this.#drop(refusal);
    return !refusal;
  }
}

/** Kinds of marks that people make while they write: they often mark part of a phrase. */
const MARKUP = new Set(["link", "term", "emphasis", "bold"]);

/**
 * The span with the capitalised words beside it, if all of its words are capitalised: noun phrases are
 * flat, and "President" in "President [Barack Obama]" is part of one. The first word of a sentence is
 * capitalised anyway, and "Monday" is no part of a name.
 */
function wholeName(entry: Entry, tokens: readonly string[], { timeNames }: Grammar): Span {
  let { begin, end } = entry;
  const isPart = (at: number) =>
    at > 0 && /^\p{Lu}[\p{L}.'’-]*$/u.test(tokens[at] ?? "") && !timeNames.has(tokens[at]);
  for (let at = begin; at < end; at++) if (!isPart(at)) return { begin, end };
  while (isPart(begin - 1)) begin -= 1;
  while (isPart(end)) end += 1;
  return { begin, end };
}

/** Whether people gave a bracket of two or more tokens: an amount is one by its words alone. */
function hasMultiToken({ tokens, brackets, kinds }: Bracketing): boolean {
  return brackets.some((bracket, at) => {
    return kinds?.[at] !== PART && !isMark(kinds?.[at]) && isMultiToken(bracket, tokens.length);
  });
}

/** They were different answers: weights add up, also where one person gave both. */
function addUp(a: Entry, b: Entry): Entry {
  return { ...uniteBrackets([a, b]), weight: a.weight + b.weight };
}

/** Signs of money and measure are part of a phrase; these are not. */
const EDGE_PUNCTUATION = /^(?:[.,:;!?…\-–—'"`“”‘’„«»()[\]{}]+|-[LR][RSC]B-)$/;

export function isEdgePunctuation(token: string): boolean {
  return EDGE_PUNCTUATION.test(token);
}

const PAIRS = new Map([
  [")", "("],
  ["]", "["],
  ["}", "{"],
  ["-RRB-", "-LRB-"],
  ["-RSB-", "-LSB-"],
  ["-RCB-", "-LCB-"],
  ["''", "``"],
  ["”", "“"],
  ["»", "«"],
]);
const OPENING = new Set(PAIRS.values());

/** Whether quotes and parentheses within the tokens come in pairs. */
export function isBalanced(tokens: readonly string[]): boolean {
  const open: string[] = [];
  let quotes = 0;
  for (const token of tokens) {
    if (token === '"') quotes += 1;
    if (OPENING.has(token)) open.push(token);
    const opening = PAIRS.get(token);
    if (opening !== undefined && open.pop() !== opening) return false;
  }
  return open.length === 0 && quotes % 2 === 0;
}
