/** The phrases of parsed sentences by name: "all noun phrases", each with its place and head word. */

import { InputError } from "../errors.js";
import { type LabelConfig, labelTable, type ModelConfig } from "../model/config.js";
import { checkOptions, type OptionChecks, oneOf } from "../options.js";
import { CHAIN } from "../trees/labels.js";
import type { Leaf } from "../trees/tree.js";
import { commonLabels } from "./decoder.js";
import type { Parse, ParsedSpan } from "./sentence.js";

/** A phrase of a text. */
export interface DocumentPhrase {
  /** The phrase as it stands in the text. */
  readonly text: string;
  /** Where it begins in the text, in UTF-16 code units. */
  readonly begin: number;
  /** Where it ends: the index after its last code unit. */
  readonly end: number;
  /** Its label, such as `NP`. */
  readonly label: string;
  /** The word that the phrase is about: "bridge" for "the old bridge by the river". */
  readonly head: string;
  /** The probability that it is a phrase and has this label, as far as the model tells. */
  readonly probability?: number;
  /** The index of its sentence. */
  readonly sentence: number;
  /** Its half-open place in the words of the sentence. */
  readonly words: readonly [begin: number, end: number];
}

/** Which phrases are wanted where one stands inside another. */
export const NESTINGS = ["all", "maximal", "minimal"] as const;

/** All phrases, those inside no other, or those with no other inside; of the wanted labels. */
export type Nesting = (typeof NESTINGS)[number];

/** Options of `ParsedDocument.phrases`. */
export interface PhraseOptions {
  /** Which of phrases inside each other; all by default. */
  readonly nesting?: Nesting | undefined;
}

const CHECKS: OptionChecks<PhraseOptions> = { nesting: oneOf(NESTINGS) };

/** The labels of models that decide together; chains are several. None if the models differ in theirs. */
export function labelsOf(configs: readonly ModelConfig[]): string[] {
  return labelNames(commonLabels(configs));
}

/** The labels of one model. */
export function labelNames(config: LabelConfig | undefined): string[] {
  const labels = config ? labelTable(config).labels.slice(1) : [];
  return [...new Set(labels.flatMap((name) => name.split(CHAIN)))];
}

/** @throws InputError if the models have no labels, or none of that name. */
export function checkLabels(wanted: readonly string[], labels: readonly string[]): void {
  if (labels.length === 0) {
    throw new InputError(
      "the model does not name phrases",
      {},
      "use one that does: bracken model info lists the labels of a model",
    );
  }
  for (const label of wanted) {
    if (labels.includes(label)) continue;
    const problem = `the model has no label ${JSON.stringify(label)}`;
    throw new InputError(problem, {}, `its labels are ${labels.join(", ")}`);
  }
}

/**
 * The phrases of one sentence with a wanted label, from left to right, outer ones first.
 * @param sentence the index of the sentence
 */
export function phrasesOf(
  parse: Parse,
  wanted: ReadonlySet<string>,
  { nesting = "all" }: PhraseOptions = {},
  sentence = 0,
): DocumentPhrase[] {
  const spans = parse.spans.filter(({ label }) => wanted.has(label));
  return spans
    .filter((span) => nesting === "all" || !spans.some((other) => isExcluded(span, other, nesting)))
    .map((span) => toPhrase(span, parse, sentence));
}

function isExcluded(span: ParsedSpan, other: ParsedSpan, nesting: Nesting): boolean {
  const [inner, outer] = nesting === "maximal" ? [span, other] : [other, span];
  return (
    outer.begin <= inner.begin &&
    inner.end <= outer.end &&
    outer.end - outer.begin > inner.end - inner.begin
  );
}

function toPhrase(span: ParsedSpan, parse: Parse, sentence: number): DocumentPhrase {
  const { begin, end, label, marginal = 1, labelProbability, head = end - 1 } = span;
  const [first, last] = [parse.offsets?.[begin], parse.offsets?.[end - 1]];
  const words = parse.leaves.slice(begin, end).map(({ word }) => word);
  const isPlaced = first && last && parse.text !== undefined;
  const from = isPlaced ? first[0] - (parse.begin ?? 0) : 0;
  const to = isPlaced ? last[1] - (parse.begin ?? 0) : 0;
  return {
    text: isPlaced ? (parse.text as string).slice(from, to) : words.join(" "),
    begin: isPlaced ? first[0] : begin,
    end: isPlaced ? last[1] : end,
    label,
    head: (parse.leaves[head] as Leaf).word,
    ...(labelProbability === undefined ? {} : { probability: marginal * labelProbability }),
    sentence,
    words: [begin, end],
  };
}

/** Checks the options of a caller. */
export function checkPhraseOptions(options: PhraseOptions): void {
  checkOptions(options, CHECKS);
}
