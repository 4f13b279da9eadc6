/** The JSON object of a parse, which the command line writes and the service returns. */

import { type TreeRecord, toRecord } from "../trees/json.js";
import { filterLeaves } from "../trees/transform.js";
import type { Leaf, Tree } from "../trees/tree.js";
import type { Parse, ParsedSpan } from "./sentence.js";

/** What a record contains besides the tree. */
export interface RecordOptions {
  /** Add the score of each phrase and of the tree. */
  readonly scores?: boolean | undefined;
  /** Add the probability of each phrase, if it was parsed with `marginals`, and of its label. */
  readonly marginals?: boolean | undefined;
  /** Keep punctuation; true by default. */
  readonly punct?: boolean | undefined;
}

type SpanRecord = TreeRecord["spans"][number];
type SpanFacts = Partial<Pick<ParsedSpan, "score" | "marginal" | "labelProbability" | "head">>;

/** A parse as JSON, as the command writes it and the service returns it. */
export interface ParseRecord extends TreeRecord {
  /** The phrases, with heads if they have names, and with scores and probabilities if requested. */
  readonly spans: readonly (SpanRecord & SpanFacts)[];
  /** The sentence as it was written. */
  readonly text?: string;
  /** Where the sentence begins in the document. */
  readonly begin?: number;
  /** The half-open place of each word in the document. */
  readonly offsets?: Parse["offsets"];
  /** The score of the tree. */
  readonly score?: number;
  /** Why the sentence was not parsed and has a flat tree. */
  readonly fallback?: string;
  /** The code of the sentence's language, unless it is the only one that the model knows. */
  readonly language?: string;
  /** False if the model does not know that language. */
  readonly supported?: false;
  /** The next best trees. */
  readonly alternatives?: readonly {
    /** The phrases of the tree. */
    readonly spans: readonly SpanRecord[];
    /** The score of the tree. */
    readonly score: number;
  }[];
}

/**
 * Turns a parse into a plain object for JSON.
 *
 * @example
 * ```ts
 * import { loadParser, toParseRecord } from "bracken";
 *
 * await using parser = await loadParser();
 * const parse = await parser.parseWords(["He", "left", "."]);
 * console.log(JSON.stringify(toParseRecord(parse, { scores: true })));
 * ```
 */
export function toParseRecord(parse: Parse, options: RecordOptions = {}): ParseRecord {
  const { punct = true, scores } = options;
  const { spans, ...words } = toRecord(parse.tree);
  const record = { ...words, spans: spans.map(describer(parse, options)), ...placeOf(parse) };
  return {
    ...(punct || !parse.leaves.some(isWord) ? record : keepWords(record, parse.leaves)),
    ...(scores && parse.score !== undefined ? { score: parse.score } : {}),
    ...(parse.fallback === undefined ? {} : { fallback: parse.fallback }),
    ...(parse.language === undefined ? {} : { language: parse.language }),
    ...(parse.supported === undefined ? {} : { supported: parse.supported }),
    ...(parse.alternatives ? { alternatives: parse.alternatives.map(alternative) } : {}),
  };
}

function placeOf({ text, begin = 0, offsets }: Parse) {
  return text === undefined ? {} : { text, begin, ...(offsets ? { offsets } : {}) };
}

/** The record without punctuation. */
function keepWords(record: ParseRecord, leaves: readonly Leaf[]): ParseRecord {
  const { tokens, tags, spans, offsets } = record;
  const isKept = leaves.map(isWord);
  /** For each position, how many words stand before it. */
  const before = [0];
  for (const kept of isKept) before.push((before.at(-1) as number) + Number(kept));
  const keep = <Item>(items: readonly Item[]) => items.filter((_, index) => isKept[index]);
  const moved = spans.map(({ head, ...span }) => ({
    ...span,
    begin: before[span.begin] as number,
    end: before[span.end] as number,
    ...(head !== undefined && isKept[head] ? { head: before[head] as number } : {}),
  }));
  return {
    ...record,
    tokens: keep(tokens),
    ...(tags ? { tags: keep(tags) } : {}),
    spans: moved.filter(({ begin, end }) => begin < end),
    ...(offsets ? { offsets: keep(offsets) } : {}),
  };
}

/** A tree of punctuation only is left unchanged. */
export function withoutPunctuation(tree: Tree): Tree {
  return filterLeaves(tree, isWord) ?? tree;
}

/** Whether the token is more than punctuation. */
export function isWord({ word }: Leaf): boolean {
  return /[\p{L}\p{N}]/u.test(word);
}

/** Adds to a phrase what is known about it. */
function describer({ spans }: Parse, { scores, marginals }: RecordOptions) {
  const keyOf = ({ begin, end, label }: SpanRecord) => `${begin},${end},${label}`;
  const known = new Map(spans.map((span) => [keyOf(span), span]));
  return (span: SpanRecord): ParseRecord["spans"][number] => {
    const { score, marginal, labelProbability, head } = known.get(keyOf(span)) ?? {};
    return {
      ...span,
      ...(head === undefined ? {} : { head }),
      ...(scores && score !== undefined ? { score } : {}),
      ...(marginals && marginal !== undefined ? { marginal } : {}),
      ...(marginals && labelProbability !== undefined ? { labelProbability } : {}),
    };
  };
}

function alternative({ tree, score }: { tree: Tree; score: number }) {
  return { spans: toRecord(tree).spans, score };
}
