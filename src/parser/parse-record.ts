/**
 * A parse as the JSON object that the command line writes and the service answers: the record of its
 * tree, and as much of what the model thinks of it as was asked for.
 */

import { type TreeRecord, toRecord } from "../trees/json.js";
import { filterLeaves } from "../trees/transform.js";
import type { Leaf, Tree } from "../trees/tree.js";
import type { Parse, ParsedSpan } from "./sentence.js";

/** What a record holds beside the tree. */
export interface RecordOptions {
  /** The score of each phrase and of the tree. */
  readonly scores?: boolean | undefined;
  /** The probability of each phrase. */
  readonly marginals?: boolean | undefined;
  /** Whether punctuation is kept; it is unless said otherwise. */
  readonly punct?: boolean | undefined;
}

type SpanRecord = TreeRecord["spans"][number];

/** A parse as JSON: what the command writes and the service answers. */
export interface ParseRecord extends TreeRecord {
  readonly spans: readonly (SpanRecord & Partial<Pick<ParsedSpan, "score" | "marginal">>)[];
  /** The sentence as it was written, where it begins in the document, and its words' places there. */
  readonly text?: string;
  readonly begin?: number;
  readonly offsets?: Parse["offsets"];
  readonly score?: number;
  readonly fallback?: string;
  readonly alternatives?: readonly {
    readonly spans: readonly SpanRecord[];
    readonly score: number;
  }[];
}

/**
 * A parse as a plain object for JSON.
 * @example
 * ```ts
 * console.log(JSON.stringify(toParseRecord(parse, { scores: true })));
 * ```
 */
export function toParseRecord(parse: Parse, options: RecordOptions = {}): ParseRecord {
  const { punct = true } = options;
  const { spans, ...rest } = toRecord(punct ? parse.tree : withoutPunctuation(parse.tree));
  return {
    ...rest,
    spans: punct ? spans.map(describer(parse, options)) : spans,
    ...placeOf(parse),
    ...(options.scores && parse.score !== undefined ? { score: parse.score } : {}),
    ...(parse.fallback === undefined ? {} : { fallback: parse.fallback }),
    ...(parse.alternatives ? { alternatives: parse.alternatives.map(alternative) } : {}),
  };
}

function placeOf({ text, begin = 0, offsets }: Parse) {
  return text === undefined ? {} : { text, begin, ...(offsets ? { offsets } : {}) };
}

/** A tree of punctuation alone is left as it is. */
export function withoutPunctuation(tree: Tree): Tree {
  return filterLeaves(tree, isWord) ?? tree;
}

/** Whether it is more than punctuation. */
export function isWord({ word }: Leaf): boolean {
  return /[\p{L}\p{N}]/u.test(word);
}

/** Looks a phrase up among those that the model scored. */
function describer({ spans }: Parse, { scores, marginals }: RecordOptions) {
  const known = new Map(spans.map((span) => [`${span.begin},${span.end}`, span]));
  return (span: SpanRecord): ParseRecord["spans"][number] => {
    const found = known.get(`${span.begin},${span.end}`);
    return {
      ...span,
      ...(scores && found?.score !== undefined ? { score: found.score } : {}),
      ...(marginals && found?.marginal !== undefined ? { marginal: found.marginal } : {}),
    };
  };
}

function alternative({ tree, score }: { tree: Tree; score: number }) {
  return { spans: toRecord(tree).spans, score };
}
