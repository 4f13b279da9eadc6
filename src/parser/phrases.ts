/** The phrases of parsed sentences by name: "all noun phrases", each with its place and head word. */

import { InputError } from "../errors.js";
import type { Grammar } from "../languages/grammar.js";
import type { HeadRule, Language } from "../languages/language.js";
import type { ModelConfig } from "../model/config.js";
import { checkOptions, type OptionChecks, oneOf } from "../options.js";
import { CHAIN, NO_PHRASE } from "../trees/labels.js";
import { isLeaf, type Tree } from "../trees/tree.js";
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

/** What phrases are called, and how their heads are found. */
export interface PhraseNames {
  /** The labels that the models have. */
  readonly labels: readonly string[];
  readonly language: Language;
}

/** The labels that all the models have; chains are several. */
export function labelsOf(configs: readonly ModelConfig[]): string[] {
  const [first, ...others] = configs.map(({ labels }) => labels?.classes ?? []);
  const common = (first ?? []).filter((name) => others.every((classes) => classes.includes(name)));
  const single = common.filter((name) => name !== NO_PHRASE).flatMap((name) => name.split(CHAIN));
  return [...new Set(single)];
}

/** @throws InputError if the models have no labels, or none of that name. */
export function checkLabels(
  wanted: readonly string[],
  { labels }: Pick<PhraseNames, "labels">,
): void {
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
  { language }: PhraseNames,
  { nesting = "all" }: PhraseOptions = {},
  sentence = 0,
): DocumentPhrase[] {
  const heads = headsOf(parse.tree, language);
  const spans = parse.spans.filter(({ label }) => wanted.has(label));
  return spans
    .filter((span) => nesting === "all" || !spans.some((other) => isExcluded(span, other, nesting)))
    .map((span) => toPhrase(span, parse, heads, sentence));
}

function isExcluded(span: ParsedSpan, other: ParsedSpan, nesting: Nesting): boolean {
  const [inner, outer] = nesting === "maximal" ? [span, other] : [other, span];
  return (
    outer.begin <= inner.begin &&
    inner.end <= outer.end &&
    outer.end - outer.begin > inner.end - inner.begin
  );
}

function toPhrase(
  span: ParsedSpan,
  parse: Parse,
  heads: ReadonlyMap<string, string>,
  sentence: number,
): DocumentPhrase {
  const { begin, end, label, marginal = 1, labelProbability } = span;
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
    head: heads.get(`${begin},${end},${label}`) ?? (words.at(-1) as string),
    ...(labelProbability === undefined ? {} : { probability: marginal * labelProbability }),
    sentence,
    words: [begin, end],
  };
}

/** The head word of each phrase, by its place and label. */
function headsOf(tree: Tree, { heads = {}, grammar }: Language): Map<string, string> {
  const found = new Map<string, string>();
  let next = 0;
  const visit = (node: Tree): string | undefined => {
    if (isLeaf(node)) {
      next += 1;
      return mayBeHead(node.word, grammar) ? node.word : undefined;
    }
    const begin = next;
    const children = node.children.map((child) => ({ child, head: visit(child) }));
    const head = chooseHead(children, heads[node.label] ?? DEFAULT_RULE);
    if (head !== undefined) found.set(`${begin},${next},${node.label}`, head);
    return head;
  };
  visit(tree);
  return found;
}

const DEFAULT_RULE: HeadRule = { word: "last" };

interface Child {
  readonly child: Tree;
  /** The head of a phrase, or a word; undefined if it can be none. */
  readonly head: string | undefined;
}

/** A phrase of a preferred label, else a word, else a phrase. */
function chooseHead(
  children: readonly Child[],
  { phrases = [], word }: HeadRule,
): string | undefined {
  const able = children.filter(({ head }) => head !== undefined);
  for (const label of phrases) {
    const found = able.find(({ child }) => !isLeaf(child) && child.label === label);
    if (found) return found.head;
  }
  const leaves = able.filter(({ child }) => isLeaf(child));
  const leaf = word === "first" ? leaves[0] : leaves.at(-1);
  return (leaf ?? able[0])?.head;
}

/** Whether it is more than punctuation, and no word that only joins or marks others. */
function mayBeHead(token: string, grammar: Grammar | undefined): boolean {
  if (!/[\p{L}\p{N}%$]/u.test(token)) return false;
  return !grammar?.coordinators.has(token) && !grammar?.possessiveMarks.has(token);
}

/** Checks the options of a caller. */
export function checkPhraseOptions(options: PhraseOptions): void {
  checkOptions(options, CHECKS);
}
