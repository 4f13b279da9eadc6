/**
 * Reads Penn brackets as a stream: text goes in as chunks of any size, finished trees come out with the
 * line on which they began, and at most one unfinished tree is in memory.
 *
 * A token directly after an opening bracket is a label; after a blank or another bracket the phrase has
 * none. So `( (S …) )` is a wrapper without a label, `( the cat )` a phrase without a label over two words,
 * and `(NN cat)` a tagged word. In `((the cat) sat)` words look like labels; with `unlabelled` every token is
 * a word. Only ASCII blanks separate tokens: a token may contain U+00A0 or U+2009, as in biomedical
 * treebanks.
 *
 * Between trees, the rest of a line after `%`, `#`, `;` or `//` is a comment. `(())` takes the place of a tree
 * that a parser failed to give. Annotations beside the tree and beside words, as in Keyaki and GreynirCorpus, are
 * passed over; see markup.ts.
 */

import { InputError } from "../errors.js";
import type { LocatedTree, MissingTree, PennOptions, TreebankEntry } from "./entries.js";
import { unescapeToken } from "./labels.js";
import {
  dropUnspoken,
  greynirToken,
  isBareWord,
  isWordNote,
  type MarkupStyle,
  styleOf,
  tagWords,
} from "./markup.js";
import { isWrapper } from "./transform.js";
import type { Tree } from "./tree.js";

export type { LocatedTree, MissingTree, PennOptions, TreebankEntry } from "./entries.js";

/** Whether an entry is a place without a tree. */
export function isMissing(entry: TreebankEntry): entry is MissingTree {
  return "reason" in entry;
}

/** A phrase whose closing bracket was not read yet. */
interface OpenPhrase {
  label: string | undefined;
  readonly children: Tree[];
  /** Whether -NONE- leaves or emptied phrases were dropped from it. */
  emptied: boolean;
  /** Brackets around nothing that are in it. */
  hollow: OpenPhrase | undefined;
  readonly line: number;
  readonly column: number;
}

const OPEN = 40;
const CLOSE = 41;
const NEWLINE = 10;
const BACKSLASH = 92;

/** Penn Treebank files may open with a notice framed by lines of `*x*`. */
const COMMENT = /^(?:[%#;]|\/\/|\*x\*)/;

/** Reads bracketed trees from text that comes in chunks. */
export class PennReader {
  readonly #options: PennOptions;
  readonly #open: OpenPhrase[] = [];
  #finished: TreebankEntry[] = [];
  /** The beginning of a token that the last chunk cut. */
  #cut = "";
  #line: number;
  #column = 1;
  #justOpened = false;
  #inComment = false;
  /** The style of the unfinished tree, once a node beside it has shown it. */
  #style: MarkupStyle | undefined;
  /** Whether text is passed over: up to the next line that begins with a bracket, or for good. */
  #isLost = false;

  constructor(options: PennOptions = {}) {
    this.#options = options;
    this.#line = options.line ?? 1;
  }

  /**
   * Takes more text and returns the trees that it completes.
   * @throws InputError for a malformed tree and for a place without a tree.
   */
  push(chunk: string): LocatedTree[] {
    return this.read(chunk).map(expectTree);
  }

  /**
   * Ends the text and returns the trees that its end completes.
   * @throws InputError like `push`.
   */
  end(): LocatedTree[] {
    return this.readEnd().map(expectTree);
  }

  /**
   * Like `push`, but also returns places without a tree. Unless `skipBad` is set, the first malformed
   * tree is the last entry.
   */
  read(chunk: string): TreebankEntry[] {
    const text = this.#cut + chunk;
    this.#cut = "";
    let at = 0;
    while (at < text.length) {
      if (this.#isLost) at = this.#findBeginning(text, at);
      else at = this.#stepOrLose(text, at);
    }
    return this.#take();
  }

  /** Like `end`, but also returns places without a tree. */
  readEnd(): TreebankEntry[] {
    // A blank ends the last token.
    if (this.#cut) this.#finished = this.read(" ");
    const open = this.#open.at(-1);
    if (open) this.#miss("malformed", this.#neverClosed(open));
    return this.#take();
  }

  /** Gives up the unfinished tree as malformed. */
  giveUp(problem: string, remedy: string): TreebankEntry[] {
    this.#miss("malformed", this.#error(problem, remedy, this.#open[0]));
    this.#isLost = true;
    this.#column += this.#cut.length;
    this.#cut = "";
    return this.#take();
  }

  /** Whether no tree and no token is unfinished. */
  get isIdle(): boolean {
    return this.#open.length === 0 && this.#cut === "";
  }

  #take(): TreebankEntry[] {
    const finished = this.#finished;
    this.#finished = [];
    return finished;
  }

  /** Takes the next bracket, blank or token; returns where it ends. */
  #step(text: string, at: number): number {
    const code = text.charCodeAt(at);
    if (isBlank(code)) {
      this.#blank(code);
      return at + 1;
    }
    if (code === OPEN || code === CLOSE) {
      if (code === OPEN && !this.#inComment) this.#openPhrase();
      if (code === CLOSE && !this.#inComment) this.#closePhrase();
      this.#column += 1;
      return at + 1;
    }
    const end = tokenEnd(text, at, this.#style === "greynir");
    if (end === text.length) this.#cut = text.slice(at);
    else this.#token(text.slice(at, end));
    return end;
  }

  #stepOrLose(text: string, at: number): number {
    try {
      return this.#step(text, at);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      this.#miss(this.#open.length > 0 ? "malformed" : "stray", error);
      this.#isLost = true;
      this.#column += 1;
      return at + 1;
    }
  }

  #miss(reason: MissingTree["reason"], problem: InputError): void {
    const line = this.#open[0]?.line ?? this.#line;
    this.#finished.push({ reason, problem, file: this.#options.file, line });
    this.#open.length = 0;
    this.#justOpened = false;
    this.#style = undefined;
  }

  /** Where the next line that begins with a bracket begins, or the end. */
  #findBeginning(text: string, from: number): number {
    if (!this.#options.skipBad) return text.length;
    let at = from;
    while (at < text.length) {
      if (this.#column === 1 && text.charCodeAt(at) === OPEN) {
        this.#isLost = false;
        return at;
      }
      const newline = text.indexOf("\n", at);
      this.#column = newline < 0 ? 2 : 1;
      if (newline < 0) return text.length;
      this.#line += 1;
      at = newline + 1;
    }
    return at;
  }

  #blank(code: number): void {
    this.#settleLabel();
    if (code === NEWLINE) {
      this.#line += 1;
      this.#column = 1;
      this.#inComment = false;
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
    const open = this.#open.at(-1);
    if (this.#options.skipBad && open && this.#column === 1) {
      this.#miss("malformed", this.#neverClosed(open));
    }
    this.#settleLabel();
    this.#open.push({
      label: this.#options.unlabelled ? "" : undefined,
      children: [],
      emptied: false,
      hollow: undefined,
      line: this.#line,
      column: this.#column,
    });
    this.#justOpened = true;
  }

  #neverClosed(open: OpenPhrase): InputError {
    return this.#error(
      "this bracket is never closed",
      "the file may be cut off: add the missing ')' or download the file again",
      open,
    );
  }

  #token(token: string): void {
    const top = this.#open.at(-1);
    if (top && this.#justOpened && !this.#options.unlabelled) {
      top.label = token;
      if (this.#isBesideTree()) this.#style = styleOf(token) ?? this.#style;
    } else if (top) {
      const word = this.#style === "greynir" ? greynirToken(token) : token;
      top.children.push({ word: this.#options.unescape ? unescapeToken(word) : word });
    } else if (COMMENT.test(token)) {
      this.#inComment = true;
    } else if (!this.#inComment) {
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
    const phrase = this.#open.at(-1);
    if (!phrase) {
      throw this.#error("this ')' closes nothing", "remove it, or add the '(' that it belongs to");
    }
    if (this.#isAnnotation(phrase)) this.#open.pop();
    else if (isHollow(phrase)) this.#closeHollow(phrase);
    else this.#closeNode(phrase);
  }

  #closeNode(phrase: OpenPhrase): void {
    const tree = this.#build(phrase);
    this.#open.pop();
    const parent = this.#open.at(-1);
    if (!parent) this.#finish(tree, phrase);
    else if (tree) parent.children.push(tree);
    else parent.emptied = true;
  }

  #finish(tree: Tree | undefined, { line }: OpenPhrase): void {
    const drops = this.#style === "corpus-search" && !this.#options.keepEmpty;
    const spoken = tree && drops ? dropUnspoken(tree) : tree;
    if (spoken) this.#finished.push({ tree: spoken, file: this.#options.file, line });
    this.#style = undefined;
  }

  /** Whether the innermost open bracket is directly in a wrapper without a label. */
  #isBesideTree(): boolean {
    return this.#open.length === 2 && this.#open[0]?.label === "";
  }

  /** Whether it says something about the tree or a word, and is no phrase. */
  #isAnnotation({ label = "" }: OpenPhrase): boolean {
    const [root, top] = this.#open;
    if (this.#options.unlabelled) return false;
    if (root?.label === "" && top && styleOf(top.label ?? "")) return true;
    const before = this.#open.at(-2)?.children.at(-1);
    return isWordNote(label) && before !== undefined && isBareWord(before);
  }

  /** `(())` as a whole is a place without a tree; within a tree it is malformed. */
  #closeHollow(phrase: OpenPhrase): void {
    const parent = this.#open.at(-2);
    if (parent) {
      parent.hollow = phrase.hollow ?? phrase;
      this.#open.pop();
    } else {
      this.#miss("failed", this.#emptyBrackets(phrase));
    }
  }

  #emptyBrackets(phrase: OpenPhrase): InputError {
    return this.#error(
      "these brackets hold nothing",
      "write a word as (TAG word); a whole tree that a parser failed to give is written (())",
      phrase,
    );
  }

  #build(phrase: OpenPhrase): Tree | undefined {
    const { label = "", children, emptied, hollow } = phrase;
    const [only] = children;
    if (hollow) throw this.#emptyBrackets(hollow);
    if (only && children.length === 1 && !emptied && label !== "" && isBareWord(only)) {
      return label === "-NONE-" && !this.#options.keepEmpty
        ? undefined
        : { word: only.word, tag: label };
    }
    if (children.length > 0) {
      return { label, children: this.#style === "greynir" ? tagWords(label, children) : children };
    }
    if (emptied || this.#style === "greynir") return undefined;
    throw this.#error(
      `'${shorten(label)}' holds no word`,
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

/** Whether it is nothing but brackets, around nothing. */
function isHollow({ label = "", children, emptied }: OpenPhrase): boolean {
  return children.length === 0 && !emptied && isWrapper(label);
}

function expectTree(entry: TreebankEntry): LocatedTree {
  if (isMissing(entry)) throw entry.problem;
  return entry;
}

/**
 * Reads all trees of a text in Penn brackets.
 *
 * @throws InputError that names the line of a malformed tree.
 * @example
 * ```ts
 * import { parsePenn, words } from "bracken/trees";
 *
 * for (const tree of parsePenn("(S (NP (DT the) (NN cat)) (VP (VBD sat)))")) console.log(words(tree));
 * ```
 */
export function parsePenn(text: string, options: PennOptions = {}): Tree[] {
  const reader = new PennReader(options);
  return [...reader.push(text), ...reader.end()].map(({ tree }) => tree);
}

function isBlank(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}

function isBracket(code: number): boolean {
  return code === OPEN || code === CLOSE;
}

/** Where the token ends that begins at `from`; with `escapes`, a backslash makes a bracket part of it. */
function tokenEnd(text: string, from: number, escapes: boolean): number {
  for (let end = from; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (escapes && code === BACKSLASH && isBracket(text.charCodeAt(end + 1))) end += 1;
    else if (isBracket(code) || isBlank(code)) return end;
  }
  return text.length;
}

/** A token for a message. */
function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
