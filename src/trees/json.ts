/**
 * Trees as JSON records: the tokens, and each phrase as a half-open span over them, outer ones first,
 * so that unary chains keep their order. A treebank has one record per line.
 */

import { InputError, type Place } from "../errors.js";
import { treeFromSpans } from "./transform.js";
import { type Constituent, type Leaf, leaves, type Tree, walk } from "./tree.js";

/** A tree as JSON: its words, tags and spans. */
export interface TreeRecord {
  /** The words, from left to right. */
  readonly tokens: readonly string[];
  /** The tag of each word, or null; missing if no word has a tag. */
  readonly tags?: readonly (string | null)[];
  /** The phrases, outer ones first. */
  readonly spans: readonly Constituent[];
}

/** Turns a tree into a plain object for JSON. */
export function toRecord(tree: Tree): TreeRecord {
  const tokens = leaves(tree);
  const spans: { begin: number; end: number; label: string }[] = [];
  const open: { end: number }[] = [];
  walk(tree, {
    enter: ({ label }, begin) => {
      const span = { begin, end: begin, label };
      spans.push(span);
      open.push(span);
    },
    leave: (_phrase, _begin, end) => {
      const span = open.pop();
      if (span) span.end = end;
    },
  });
  const tagged = tokens.some((leaf) => leaf.tag !== undefined);
  return {
    tokens: tokens.map((leaf) => leaf.word),
    ...(tagged ? { tags: tokens.map((leaf) => leaf.tag ?? null) } : {}),
    spans,
  };
}

/**
 * Turns a record into a tree.
 * @throws RangeError if its spans cross or exceed the tokens.
 */
export function fromRecord(record: TreeRecord): Tree {
  const { tokens, tags, spans } = record;
  const found = tokens.map<Leaf>((word, index) => {
    const tag = tags?.[index];
    return tag === undefined || tag === null ? { word } : { word, tag };
  });
  return treeFromSpans(found, spans);
}

/**
 * Reads the tree in one line of a JSON treebank.
 *
 * @param place where the line is, for error messages.
 * @throws InputError if the line is not such a record.
 */
export function parseRecord(line: string, place: Place = {}): Tree {
  const record = checkRecord(parseJson(line, place), place);
  try {
    return fromRecord(record);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new InputError(error.message, place, "spans are half-open and must nest");
  }
}

/** The error in a record that a parser wrote instead of a tree, `{"error": "…"}`. */
export function recordedError(line: string, place: Place = {}): string | undefined {
  // Most lines are trees: they are not parsed twice.
  if (!/^\s*\{\s*"error"\s*:/.test(line)) return undefined;
  const { error } = parseJson(line, place) as { error: unknown };
  return typeof error === "string" ? error : undefined;
}

function parseJson(line: string, place: Place): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new InputError("not valid JSON", place, "each line must be one JSON object");
  }
}

function checkRecord(value: unknown, place: Place): TreeRecord {
  const wrong = (what: string) =>
    new InputError(
      what,
      place,
      'expected {"tokens": ["the", "cat"], "spans": [{"begin": 0, "end": 2, "label": "NP"}]}',
    );
  if (typeof value !== "object" || value === null) throw wrong("not a JSON object");
  const { tokens, tags, spans } = value as Record<string, unknown>;
  if (!Array.isArray(tokens) || tokens.length === 0 || !tokens.every(isText)) {
    throw wrong('"tokens" must be a list of one or more non-empty strings');
  }
  if (tags !== undefined && !(Array.isArray(tags) && tags.length === tokens.length)) {
    throw wrong('"tags" must be a list as long as "tokens"');
  }
  if (Array.isArray(tags) && !tags.every((tag) => tag === null || isText(tag))) {
    throw wrong('"tags" may hold non-empty strings and null only');
  }
  if (!Array.isArray(spans)) throw wrong('"spans" must be a list');
  return {
    tokens,
    ...(tags ? { tags } : {}),
    spans: spans.map((span, index) => checkSpanRecord(span, index, wrong)),
  };
}

function checkSpanRecord(
  value: unknown,
  index: number,
  wrong: (what: string) => InputError,
): Constituent {
  if (typeof value !== "object" || value === null) throw wrong(`span ${index} is not an object`);
  const { begin, end, label = "" } = value as Record<string, unknown>;
  if (!Number.isInteger(begin) || !Number.isInteger(end)) {
    throw wrong(`span ${index} needs whole numbers "begin" and "end"`);
  }
  if (typeof label !== "string") throw wrong(`the label of span ${index} is not a string`);
  return { begin: begin as number, end: end as number, label };
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
