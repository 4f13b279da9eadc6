/**
 * Two parsers on the same sentences: which held-back brackets each finds, how many trees differ and by how much. A
 * bracket counts as found if the parser's binary tree has it, so that neither gains by flatter or deeper trees.
 */

import type { Bracketing } from "../brackets/record.js";
import { signTest } from "../evaluation/sign-test.js";
import type { Decoding } from "../model/config.js";
import { loadParser } from "../parser/load-parser.js";
import type { Parser } from "../parser/parser.js";
import type { Span, Tree } from "../trees/tree.js";
import { naturalBrackets } from "./gather.js";

/** A count of brackets, and how many of them each parser finds. */
export interface FoundBrackets {
  /** The number of brackets. */
  readonly brackets: number;
  /** How many of them the old parser finds. */
  readonly before: number;
  /** How many of them the new parser finds. */
  readonly after: number;
}

/** Held-back brackets, before and after. */
export interface BracketComparison extends FoundBrackets {
  /** The number of sentences with brackets. */
  readonly sentences: number;
  /** Brackets that only the new parser finds. */
  readonly gained: number;
  /** Brackets that only the old parser finds. */
  readonly lost: number;
  /** How likely so uneven a split would be if neither were better (sign test). */
  readonly p: number;
  /** The same by the kind of the bracket: "link", "emphasis", … */
  readonly kinds: Readonly<Record<string, FoundBrackets>>;
}

/** How much trees differ. */
export interface TreeComparison {
  /** The number of sentences. */
  readonly sentences: number;
  /** Sentences whose trees differ. */
  readonly changed: number;
  /** The mean F1 of the new trees against the old ones. */
  readonly agreement: number;
  /** Phrases of two or more words in a tree, on average. */
  readonly phrases: {
    /** By the old parser. */
    readonly before: number;
    /** By the new parser. */
    readonly after: number;
  };
}

/** Held-back gold trees: the mean F1 of sentences. */
export interface GoldComparison {
  /** The number of trees. */
  readonly trees: number;
  /** The F1 of the old parser. */
  readonly before: number;
  /** The F1 of the new parser. */
  readonly after: number;
}

/** A sentence whose tree changed, with the held-back brackets that were gained or lost by that. */
export interface ChangedTree {
  /** The words of the sentence. */
  readonly words: readonly string[];
  /** Its tree by the old parser. */
  readonly before: Tree;
  /** Its tree by the new parser. */
  readonly after: Tree;
  /** Held-back brackets that only the new parser finds. */
  readonly gained: readonly Span[];
  /** Held-back brackets that only the old parser finds. */
  readonly lost: readonly Span[];
}

export interface ParserComparison {
  readonly brackets: BracketComparison;
  readonly trees: TreeComparison;
  readonly changed: readonly ChangedTree[];
}

interface ParsedBoth {
  readonly tree: Tree;
  /** The phrases of the tree, as keys; the whole sentence and single words are not among them. */
  readonly phrases: ReadonlySet<string>;
  /** The spans of the binary tree. */
  readonly binary: ReadonlySet<string>;
}

/** The names of the old model and the new one, which is a folder. */
export interface ModelPair {
  readonly before: string;
  readonly after: string;
}

export type CompareOptions = { readonly threads?: number | undefined };

/** Compares two parsers on sentences with brackets that neither has learnt from. */
export async function compareParsers(
  models: ModelPair,
  records: readonly Bracketing[],
  options: CompareOptions,
): Promise<ParserComparison> {
  const before = await parseBoth(models.before, records, options);
  const after = await parseBoth(models.after, records, options);
  const changed = records.flatMap((record, at): ChangedTree[] => {
    const [old, now] = [before[at] as ParsedBoth, after[at] as ParsedBoth];
    const natural = naturalBrackets(record);
    const isIn = (parse: ParsedBoth) => (span: Span) => parse.binary.has(keyOf(span));
    const [had, has] = [isIn(old), isIn(now)];
    const gained = natural.filter((span) => !had(span) && has(span));
    const lost = natural.filter((span) => had(span) && !has(span));
    if (f1(now.phrases, old.phrases) === 1 && gained.length + lost.length === 0) return [];
    return [{ words: record.tokens, before: old.tree, after: now.tree, gained, lost }];
  });
  return {
    brackets: compareBrackets(records, before, after),
    trees: compareTrees(before, after),
    changed,
  };
}

/** Compares two parsers with gold trees. */
export async function compareWithGold(
  models: ModelPair,
  records: readonly Bracketing[],
  options: CompareOptions,
): Promise<GoldComparison> {
  const gold = records.map((record) => new Set(naturalBrackets(record).map((span) => keyOf(span))));
  const mean = async (model: string) => {
    const parses = await parseBoth(model, records, options);
    const scores = parses.map(({ phrases }, at) => f1(phrases, gold[at] as ReadonlySet<string>));
    return scores.reduce((sum, score) => sum + score, 0) / Math.max(1, scores.length);
  };
  return {
    trees: records.length,
    before: await mean(models.before),
    after: await mean(models.after),
  };
}

async function parseBoth(
  model: string,
  records: readonly Bracketing[],
  { threads }: CompareOptions,
): Promise<ParsedBoth[]> {
  await using parser = await loadParser(model, { workers: 0, threads });
  const sentences = records.map(({ tokens }) => tokens);
  const trees = await parser.parseSentences(sentences, { oneWord: false });
  const binary = await parser.parseSentences(sentences, { decoding: binaryDecoding(parser) });
  return trees.map(({ tree, spans }, at) => {
    const size = (sentences[at] as readonly string[]).length;
    const inside = ({ begin, end }: Span) => end - begin > 1 && end - begin < size;
    const keys = (all: readonly Span[]) => new Set(all.filter(inside).map(keyOf));
    return { tree, phrases: keys(spans), binary: keys(binary[at]?.spans ?? []) };
  });
}

function binaryDecoding({ decoding }: Parser): Decoding {
  return decoding === "best" ? "best" : "risk";
}

function keyOf({ begin, end }: Span): string {
  return `${begin},${end}`;
}

/** Two trees without phrases are equal. */
function f1(found: ReadonlySet<string>, wanted: ReadonlySet<string>): number {
  if (found.size + wanted.size === 0) return 1;
  let both = 0;
  for (const key of found) if (wanted.has(key)) both += 1;
  return (2 * both) / (found.size + wanted.size);
}

function compareBrackets(
  records: readonly Bracketing[],
  before: readonly ParsedBoth[],
  after: readonly ParsedBoth[],
): BracketComparison {
  const kinds: Record<string, { brackets: number; before: number; after: number }> = {};
  let [sentences, gained, lost] = [0, 0, 0];
  for (const [at, record] of records.entries()) {
    const natural = naturalBrackets(record);
    if (natural.length > 0) sentences += 1;
    for (const { kind, ...span } of natural) {
      const had = before[at]?.binary.has(keyOf(span)) === true;
      const has = after[at]?.binary.has(keyOf(span)) === true;
      const counts = kinds[kind] ?? { brackets: 0, before: 0, after: 0 };
      kinds[kind] = counts;
      counts.brackets += 1;
      counts.before += had ? 1 : 0;
      counts.after += has ? 1 : 0;
      if (has && !had) gained += 1;
      if (had && !has) lost += 1;
    }
  }
  const sum = (key: "brackets" | "before" | "after") =>
    Object.values(kinds).reduce((total, counts) => total + counts[key], 0);
  return {
    sentences,
    brackets: sum("brackets"),
    before: sum("before"),
    after: sum("after"),
    gained,
    lost,
    p: signTest(gained, lost),
    kinds,
  };
}

function compareTrees(before: readonly ParsedBoth[], after: readonly ParsedBoth[]): TreeComparison {
  const sentences = before.length;
  const scores = before.map(({ phrases }, at) => f1((after[at] as ParsedBoth).phrases, phrases));
  const mean = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + value, 0) / Math.max(1, sentences);
  return {
    sentences,
    changed: scores.filter((score) => score < 1).length,
    agreement: mean(scores),
    phrases: {
      before: mean(before.map(({ phrases }) => phrases.size)),
      after: mean(after.map(({ phrases }) => phrases.size)),
    },
  };
}
