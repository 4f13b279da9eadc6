/**
 * CoNLL-U: one word per line in ten columns, comments before them, an empty line after each sentence. It
 * has no column for phrases, so a tree goes into the last column, MISC, as `Tree=(S(NP*`: the phrases that
 * open before the word, outermost first, the word as `*`, and a `)` for each phrase that ends with it. A word
 * without `Tree` is not in the tree. In labels a backslash escapes brackets, stars and itself, and `\p`, `\s`,
 * `\t`, `\n`, `\r` stand for characters that MISC cannot contain, as is usual there.
 */

import { InputError, type Place } from "../errors.js";
import { type Leaf, leaves, type Phrase, type Tree, walk } from "./tree.js";

/** A sentence of a CoNLL-U file. */
export interface ConlluSentence {
  /** The words with their tags (XPOS, or else UPOS). */
  readonly leaves: readonly Leaf[];
  /** All lines: comments, words, multi-word tokens and empty nodes. */
  readonly lines: readonly string[];
}

const ATTRIBUTE = "Tree=";
const COLUMNS = 10;
const MISC = 9;

/** Whether a text begins as CoNLL-U does, after empty lines. */
export function looksLikeConllu(text: string): boolean {
  return /^(?:#|\d+(?:[-.]\d+)?\t)/.test(text.trimStart());
}

/**
 * Reads one sentence: the lines between two empty ones.
 *
 * @param place where the first line is, for error messages.
 * @returns undefined if there are only comments.
 * @throws InputError if a line is not CoNLL-U.
 */
export function parseConllu(
  lines: readonly string[],
  place: Place = {},
): ConlluSentence | undefined {
  const found: Leaf[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.startsWith("#")) continue;
    const [id = "", word = "", , universal = "_", own = "_"] = line.split("\t");
    if (/^\d+$/.test(id) && word !== "") {
      const tag = own === "_" ? universal : own;
      found.push(tag === "_" || tag === "" ? { word } : { word, tag });
    } else if (!/^\d+[-.]\d+$/.test(id)) {
      throw new InputError(
        `line ${(place.line ?? 1) + index} has no word in its second column`,
        place,
        "each line is a number, a word and further columns, separated by tabs",
      );
    }
  }
  if (found.length > 0) return { leaves: found, lines };
  if (lines.every((line) => line.startsWith("#"))) return undefined;
  throw new InputError("it has no words", place);
}

/** What is known about a sentence besides its tree. */
export interface ConlluOptions {
  /** The sentence as it was read from CoNLL-U: everything else in its lines is kept. */
  readonly source?: ConlluSentence | undefined;
  /** All words of the sentence, if the tree does not have all of them. */
  readonly words?: readonly Leaf[] | undefined;
  /** Whether a word is in the tree; by default all are. */
  isInTree?(word: Leaf): boolean;
  /** The sentence as it was written. */
  readonly text?: string | undefined;
  /** The half-open place of each word in the text. */
  readonly offsets?: readonly (readonly [begin: number, end: number])[] | undefined;
  /** Comments to add, by their names. */
  readonly comments?: Readonly<Record<string, string>> | undefined;
}

/**
 * Writes a sentence with its tree, without the empty line that ends it.
 *
 * @example
 * ```ts
 * import { parsePenn, toConllu } from "bracken/trees";
 *
 * for (const tree of parsePenn("(S (NP (DT the) (NN cat)) (VP (VBD sat)))")) console.log(toConllu(tree));
 * ```
 */
export function toConllu(tree: Tree, options: ConlluOptions = {}): string {
  const { source, words = leaves(tree), isInTree, text, offsets, comments = {} } = options;
  const bits = treeBits(tree);
  const isWhole = bits.length === words.length;
  let next = 0;
  const trees = words.map((word) => (isWhole || isInTree?.(word) ? bits[next++] : undefined));
  const known = text === undefined || source ? comments : { text, ...comments };
  const added = Object.entries(known).map(([name, value]) => conlluComment(name, value));
  if (source) return [...added, ...withTrees(source.lines, trees)].join("\n");
  const lines = words.map(({ word, tag = "_" }, index) => {
    const isGlued = offsets && offsets[index]?.[1] === offsets[index + 1]?.[0];
    const misc = withTree(isGlued ? "SpaceAfter=No" : "_", trees[index]);
    return `${index + 1}\t${inColumn(word)}\t_\t_\t${inColumn(tag)}\t_\t_\t_\t_\t${misc}`;
  });
  return [...added, ...lines].join("\n");
}

export function conlluComment(name: string, text: string): string {
  return `# ${name} = ${text.replace(/\s+/g, " ").trim()}`;
}

/** The text of a comment of that name among the lines, as `conlluComment` writes it. */
export function recordedComment(name: string, lines: readonly string[]): string | undefined {
  const begin = `# ${name} = `;
  return lines.find((line) => line.startsWith(begin))?.slice(begin.length);
}

function withTrees(lines: readonly string[], trees: readonly (string | undefined)[]): string[] {
  let next = 0;
  return lines.map((line) => {
    if (!isWordLine(line)) return line;
    const columns = line.split("\t");
    while (columns.length < COLUMNS) columns.push("_");
    columns[MISC] = withTree(columns[MISC] as string, trees[next++]);
    return columns.join("\t");
  });
}

function isWordLine(line: string): boolean {
  return /^\d+\t/.test(line);
}

function withTree(misc: string, bits: string | undefined): string {
  const others = misc.split("|").filter((each) => !["", "_"].includes(each) && !isTree(each));
  if (bits !== undefined) others.push(`${ATTRIBUTE}${bits}`);
  return others.join("|") || "_";
}

function isTree(attribute: string): boolean {
  return attribute.startsWith(ATTRIBUTE);
}

/** Characters that a column cannot contain become a no-break space. */
function inColumn(text: string): string {
  return text.replace(/[\t\n\r]/g, "\u00a0");
}

/** For each word of the tree what opens before it and closes after it. */
function treeBits(tree: Tree): string[] {
  const bits: string[] = [];
  let opened = "";
  walk(tree, {
    enter: ({ label }) => {
      opened += `(${escapeLabel(label)}`;
    },
    leaf: () => {
      bits.push(`${opened}*`);
      opened = "";
    },
    leave: () => {
      bits[bits.length - 1] += ")";
    },
  });
  return bits;
}

/**
 * The tree in the MISC column of a sentence.
 *
 * @throws InputError if there is no tree or it is malformed.
 */
export function conlluTree({ lines, leaves: words }: ConlluSentence, place: Place = {}): Tree {
  const wrong = (problem: string) =>
    new InputError(problem, place, "bracken parse --format conllu-misc writes such trees");
  const builder = new BitReader(wrong);
  for (const [index, row] of lines.filter(isWordLine).entries()) {
    const attributes = (row.split("\t")[MISC] ?? "").split("|");
    const bits = attributes.find(isTree)?.slice(ATTRIBUTE.length);
    if (bits !== undefined) builder.take(bits, words[index] as Leaf);
  }
  return builder.finish();
}

class BitReader {
  readonly #wrong: (problem: string) => InputError;
  readonly #open: { label: string; children: Tree[] }[] = [];
  readonly #roots: Tree[] = [];

  constructor(wrong: (problem: string) => InputError) {
    this.#wrong = wrong;
  }

  take(bits: string, leaf: Leaf): void {
    let at = 0;
    while (bits.charAt(at) === "(") {
      const end = labelEnd(bits, at + 1);
      this.#open.push({ label: unescapeLabel(bits.slice(at + 1, end)), children: [] });
      at = end;
    }
    if (!/^\*\)*$/.test(bits.slice(at))) {
      throw this.#wrong(`"${ATTRIBUTE}${bits}" does not have the form (S(NP*))`);
    }
    this.#add(leaf);
    for (at += 1; at < bits.length; at++) {
      const phrase: Phrase | undefined = this.#open.pop();
      if (!phrase) throw this.#wrong(`a ")" after "${leaf.word}" closes nothing`);
      this.#add(phrase);
    }
  }

  #add(tree: Tree): void {
    (this.#open.at(-1)?.children ?? this.#roots).push(tree);
  }

  finish(): Tree {
    const [root, second] = this.#roots;
    if (this.#open.length > 0) throw this.#wrong(`"(${this.#open[0]?.label}" is never closed`);
    if (!root) throw this.#wrong(`no word of the sentence has "${ATTRIBUTE}…" in its last column`);
    if (second) throw this.#wrong("the sentence has more than one tree");
    return root;
  }
}

function labelEnd(bits: string, from: number): number {
  for (let at = from; at < bits.length; at++) {
    if (bits.charAt(at) === "\\") at += 1;
    else if ("()*".includes(bits.charAt(at))) return at;
  }
  return bits.length;
}

const ESCAPES = new Map([
  ["|", "\\p"],
  [" ", "\\s"],
  ["\t", "\\t"],
  ["\n", "\\n"],
  ["\r", "\\r"],
]);
const UNESCAPES = new Map(Array.from(ESCAPES, ([plain, escaped]) => [escaped.charAt(1), plain]));

function escapeLabel(label: string): string {
  return label.replace(
    /[| \t\n\r\\()*]/g,
    (character) => ESCAPES.get(character) ?? `\\${character}`,
  );
}

function unescapeLabel(label: string): string {
  return label.replace(/\\(.)/gsu, (_, character: string) => UNESCAPES.get(character) ?? character);
}
