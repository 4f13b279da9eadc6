/**
 * Reads Penn-style bracketings as a stream: text goes in by chunks of any size, finished trees come
 * out with the line they began on, and no more than one unfinished tree is held.
 *
 * What directly follows an opening bracket is a label; after a blank or another bracket the phrase
 * has none. So `( (S …) )` is a nameless wrapper, `( the cat )` a nameless phrase over two words,
 * and `(NN cat)` a tagged word. `((the cat) sat)` cannot be told from labels by looking; with
 * `unlabelled` every token is a word. Blanks are the ASCII ones only: a token may hold U+00A0 or
 * U+2009, as biomedical treebanks do.
 */

import { InputError } from "../errors.js";
import { unescapeToken } from "./labels.js";
import type { Leaf, Tree } from "./tree.js";

/** How bracketed trees are read. */
export interface PennOptions {
  /** Named in error messages. */
  readonly file?: string | undefined;
  /** Every token is a word, none is a label. */
  readonly unlabelled?: boolean | undefined;
  /** Keep `-NONE-` leaves; otherwise they go, and the phrases that held nothing else. */
  readonly keepEmpty?: boolean | undefined;
  /** Turn `-LRB-` into `(` and `1\/2` into `1/2`. */
  readonly unescape?: boolean | undefined;
}

/** A tree and the place where it was read. */
export interface LocatedTree {
  readonly tree: Tree;
  readonly file: string | undefined;
  /** The line on which the tree begins, counted from 1. */
  readonly line: number;
}

interface OpenPhrase {
  label: string | undefined;
  readonly children: Tree[];
  /** Whether -NONE- leaves or emptied phrases were dropped from it. */
  emptied: boolean;
  readonly line: number;
  readonly column: number;
}

const OPEN = 40;
const CLOSE = 41;
const NEWLINE = 10;

/** Reads bracketed trees from text that comes in chunks. */
export class PennReader {
  readonly #options: PennOptions;
  readonly #open: OpenPhrase[] = [];
  #finished: LocatedTree[] = [];
  /** The beginning of a token that the last chunk cut. */
  #cut = "";
  #line = 1;
  #column = 1;
  #justOpened = false;
  #inHeader = false;

  constructor(options: PennOptions = {}) {
    this.#options = options;
  }

  /** Takes more text and returns the trees that it completes. */
  push(chunk: string): LocatedTree[] {
    const text = this.#cut + chunk;
    this.#cut = "";
    let at = 0;
    while (at < text.length) {
      const code = text.charCodeAt(at);
      if (code === OPEN || code === CLOSE) {
        if (code === OPEN && !this.#inHeader) this.#openPhrase();
        if (code === CLOSE && !this.#inHeader) this.#closePhrase();
        this.#column += 1;
        at += 1;
      } else if (isBlank(code)) {
        this.#blank(code);
        at += 1;
      } else {
        const end = tokenEnd(text, at);
        if (end === text.length) {
          this.#cut = text.slice(at);
          break;
        }
        this.#token(text.slice(at, end));
        at = end;
      }
    }
    return this.#take();
  }

  /** Says that no more text comes; returns what the end completes. */
  end(): LocatedTree[] {
    if (this.#cut) this.#token(this.#cut);
    this.#cut = "";
    const open = this.#open.at(-1);
    if (open) {
      throw this.#error(
        "this bracket is never closed",
        "the file may be cut off: add the missing ')' or fetch the file again",
        open,
      );
    }
    return this.#take();
  }

  /** Whether nothing is held: neither a tree nor a token is unfinished. */
  get isIdle(): boolean {
    return this.#open.length === 0 && this.#cut === "";
  }

  #take(): LocatedTree[] {
    const finished = this.#finished;
    this.#finished = [];
    return finished;
  }

  #blank(code: number): void {
    this.#settleLabel();
    if (code === NEWLINE) {
      this.#line += 1;
      this.#column = 1;
      this.#inHeader = false;
    } else {
      this.#column += 1;
    }
  }

  /** An opening bracket that a blank or a bracket follows belongs to a phrase without a label. */
  #settleLabel(): void {
    const top = this.#open.at(-1);
    if (this.#justOpened && top) top.label = "";
    this.#justOpened = false;
  }

  #openPhrase(): void {
    this.#settleLabel();
    this.#open.push({
      label: this.#options.unlabelled ? "" : undefined,
      children: [],
      emptied: false,
      line: this.#line,
      column: this.#column,
    });
    this.#justOpened = true;
  }

  #token(token: string): void {
    const top = this.#open.at(-1);
    if (top && this.#justOpened && !this.#options.unlabelled) {
      top.label = token;
    } else if (top) {
      top.children.push({ word: this.#options.unescape ? unescapeToken(token) : token });
    } else if (token.startsWith("*x*")) {
      // Some files of the Penn Treebank open with a copyright notice framed by such lines.
      this.#inHeader = true;
    } else if (!this.#inHeader) {
      throw this.#error(
        `expected '(' but found '${shorten(token)}'`,
        "each tree is one bracketed expression; a one-word sentence is written (NN word)",
      );
    }
    this.#justOpened = false;
    this.#column += token.length;
  }

  #closePhrase(): void {
    this.#justOpened = false;
    const phrase = this.#open.pop();
    if (!phrase) {
      throw this.#error("this ')' closes nothing", "remove it, or add the '(' that it belongs to");
    }
    const tree = this.#build(phrase);
    const parent = this.#open.at(-1);
    if (parent) {
      if (tree) parent.children.push(tree);
      else parent.emptied = true;
    } else if (tree) {
      this.#finished.push({ tree, file: this.#options.file, line: phrase.line });
    }
  }

  #build(phrase: OpenPhrase): Tree | undefined {
    const { label = "", children, emptied } = phrase;
    const [only] = children;
    if (only && children.length === 1 && !emptied && label !== "" && isBareWord(only)) {
      return label === "-NONE-" && !this.#options.keepEmpty
        ? undefined
        : { word: only.word, tag: label };
    }
    if (children.length > 0) return { label, children };
    if (emptied) return undefined;
    throw this.#error(
      label === "" ? "these brackets hold nothing" : `'${shorten(label)}' holds no word`,
      "write a word as (TAG word); read trees without labels with the option for unlabelled trees",
      phrase,
    );
  }

  #error(problem: string, remedy: string, place: { line: number; column: number } = this.#here()) {
    const { line, column } = place;
    return new InputError(problem, { file: this.#options.file, line, column }, remedy);
  }

  #here() {
    return { line: this.#line, column: this.#column };
  }
}

/** All trees of a text at once. */
export function parsePenn(text: string, options: PennOptions = {}): Tree[] {
  const reader = new PennReader(options);
  return [...reader.push(text), ...reader.end()].map(({ tree }) => tree);
}

function isBareWord(tree: Tree): tree is Leaf {
  return "word" in tree && tree.tag === undefined;
}

function isBlank(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}

function tokenEnd(text: string, from: number): number {
  let end = from + 1;
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (code === OPEN || code === CLOSE || isBlank(code)) break;
  }
  return end;
}

function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
