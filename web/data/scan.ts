/**
 * One pass through a data set of any size: which lines hold a sentence that is looked for, where they
 * are in the file, and what all of them amount to. The sentences themselves are not kept.
 */

import { type Bracketing, BracketStatistics, parseBracketing } from "../../src/brackets/index.js";
import { InputError } from "../../src/errors.js";

export interface Filter {
  /** Words that the sentence must have in a row, or a regular expression between slashes. */
  readonly text: string;
  readonly kind: string;
  readonly source: string;
  readonly least: number;
  readonly most: number;
}

export const NO_FILTER: Filter = {
  text: "",
  kind: "",
  source: "",
  least: 0,
  most: Number.POSITIVE_INFINITY,
};

/** What is known of the lines read so far. */
export interface Findings {
  readonly sentences: number;
  readonly tokens: number;
  readonly brackets: number;
  readonly single: number;
  readonly whole: number;
  readonly pairs: number;
  readonly crossingPairs: number;
  /** How many brackets have each length; how many sentences have each number of brackets and words. */
  readonly lengths: ReadonlyMap<number, number>;
  readonly counts: ReadonlyMap<number, number>;
  readonly sentenceLengths: ReadonlyMap<number, number>;
  readonly kinds: ReadonlyMap<string, number>;
  readonly sources: ReadonlyMap<string, number>;
  readonly problems: readonly string[];
  readonly badLines: number;
}

const TOLD_PROBLEMS = 3;

export class Scan {
  readonly #matches: (bracketing: Bracketing) => boolean;
  readonly #filter: Filter;
  readonly #statistics = new BracketStatistics();
  readonly #sentenceLengths = new Map<number, number>();
  readonly #sources = new Map<string, number>();
  readonly #problems: string[] = [];
  #badLines = 0;
  #line = 0;

  constructor(filter: Filter) {
    this.#filter = filter;
    this.#matches = matcher(filter);
  }

  /** Takes the next line, and says whether it is one of those looked for. */
  add(text: string): boolean {
    this.#line += 1;
    if (text.trim() === "") return false;
    const bracketing = this.#read(text);
    if (!bracketing || !this.#matches(bracketing)) return false;
    const kept = onlyKind(bracketing, this.#filter.kind);
    this.#statistics.add(kept);
    increase(this.#sentenceLengths, kept.tokens.length);
    increase(this.#sources, kept.source);
    return true;
  }

  #read(text: string): Bracketing | undefined {
    try {
      return parseBracketing(text, { line: this.#line });
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      this.#badLines += 1;
      if (this.#problems.length < TOLD_PROBLEMS) this.#problems.push(`line ${error.message}`);
      return undefined;
    }
  }

  get findings(): Findings {
    const { sentences, tokens, brackets, single, whole, pairs, crossingPairs } = this.#statistics;
    const { lengths, counts, kinds } = this.#statistics;
    return {
      ...{ sentences, tokens, brackets, single, whole, pairs, crossingPairs },
      ...{ lengths, counts, kinds },
      sentenceLengths: this.#sentenceLengths,
      sources: this.#sources,
      problems: this.#problems,
      badLines: this.#badLines,
    };
  }
}

/** The bracketing with the brackets of one kind, or of all. */
export function onlyKind(bracketing: Bracketing, kind: string): Bracketing {
  const { kinds, brackets, weights, targets, ...rest } = bracketing;
  if (kind === "" || !kinds) return bracketing;
  const isKept = (_: unknown, index: number) => kinds[index] === kind;
  return { ...rest, brackets: brackets.filter(isKept), kinds: kinds.filter(isKept) };
}

function matcher({ text, kind, source, least, most }: Filter): (each: Bracketing) => boolean {
  const hasText = textTest(text);
  return (each) =>
    each.tokens.length >= least &&
    each.tokens.length <= most &&
    (source === "" || each.source === source) &&
    (kind === "" || (each.kinds?.includes(kind) ?? false)) &&
    hasText(each);
}

function textTest(text: string): (each: Bracketing) => boolean {
  if (text.trim() === "") return () => true;
  const [, pattern] = /^\/(.+)\/$/.exec(text) ?? [];
  if (pattern !== undefined) {
    const expression = new RegExp(pattern, "iu");
    return ({ tokens }) => expression.test(tokens.join(" "));
  }
  const wanted = text.trim().toLowerCase();
  return ({ tokens, text: written }) =>
    tokens.join(" ").toLowerCase().includes(wanted) ||
    (written?.toLowerCase().includes(wanted) ?? false);
}

function increase<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

const NEWLINE = 10;

/** The lines of a stream of bytes, each with its place; a last line needs no end. */
export async function* linesOf(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<{ text: string; begin: number; end: number }> {
  const decoder = new TextDecoder();
  const reader = stream.getReader();
  let rest = new Uint8Array(0);
  let position = 0;
  for (;;) {
    const { done, value } = await reader.read();
    const bytes = done ? rest : joined(rest, value);
    let at = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, at)) {
      yield {
        text: decoder.decode(bytes.subarray(at, end)),
        begin: position + at,
        end: position + end,
      };
      at = end + 1;
    }
    if (done) {
      if (at < bytes.length) {
        const text = decoder.decode(bytes.subarray(at));
        yield { text, begin: position + at, end: position + bytes.length };
      }
      return;
    }
    position += at;
    rest = bytes.slice(at);
  }
}

function joined(
  first: Uint8Array<ArrayBuffer>,
  second: Uint8Array<ArrayBuffer>,
): Uint8Array<ArrayBuffer> {
  if (first.length === 0) return second;
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
