/** The JSON object of a parse, which the command line writes and the service returns. */

import { type TreeRecord, toRecord } from "../trees/json.js";
import { filterLeaves } from "../trees/transform.js";
import type { Leaf, Tree } from "../trees/tree.js";
import type { Parse, ParsedSpan } from "./sentence.js";

/** What a record contains besides the tree. */
export interface RecordOptions {
  /** Add the score of each phrase and of the tree. */
  readonly scores?: boolean | undefined;
  /** Add the probability of each phrase, if it was parsed with `marginals`. */
  readonly marginals?: boolean | undefined;
  /** Keep punctuation; true by default. */
  readonly punct?: boolean | undefined;
}

type SpanRecord = TreeRecord["spans"][number];

/** A parse as JSON, as the command writes it and the service returns it. */
export interface ParseRecord extends TreeRecord {
  /** The phrases, with scores and probabilities if these were requested. */
  readonly spans: readonly (SpanRecord & Partial<Pick<ParsedSpan, "score" | "marginal">>)[];
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

/** A tree of punctuation only is left unchanged. */
export function withoutPunctuation(tree: Tree): Tree {
  return filterLeaves(tree, isWord) ?? tree;
}

/** Whether the token is more than punctuation. */
export function isWord({ word }: Leaf): boolean {
  return /[\p{L}\p{N}]/u.test(word);
}

/** Adds to a phrase what the model scored for it. */
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
