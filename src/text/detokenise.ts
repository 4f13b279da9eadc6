/**
 * Plain text from Penn tokens, as a newspaper prints it: brackets and quotes are unescaped, punctuation and
 * clitics are attached to their words. The place of each token is kept, so that the tokeniser can be measured
 * on any tokenised corpus, and a caller who has only tokens can still refer to places in a text.
 */

import { english } from "../languages/english.js";
import type { Language, WordRules } from "../languages/language.js";
import { unescapeToken } from "../trees/labels.js";
import type { Token } from "./tokens.js";

/** A text and its tokens. */
export interface Detokenised {
  /** The text. */
  readonly text: string;
  /** The place of each Penn token in the text, in order. */
  readonly tokens: readonly Token[];
}

/** Options of `detokenise` and `layOut`. */
export interface DetokeniseOptions {
  /** The language of the tokens; English by default. */
  readonly language?: Language | undefined;
}

/**
 * Turns Penn tokens into plain text.
 *
 * @example
 * ```ts
 * import { detokenise } from "bracken/text";
 *
 * console.log(detokenise(["``", "It", "ca", "n't", ".", "''"])); // "It can't."
 * ```
 */
export function detokenise(tokens: readonly string[], options: DetokeniseOptions = {}): string {
  return layOut(tokens, options).text;
}

/**
 * Like `detokenise`, and also gives the place of each token. Penn doubles the full stop of an abbreviation
 * that ends a sentence (`U.S. .`), print does not; the single stop then belongs to the second token.
 */
export function layOut(
  tokens: readonly string[],
  { language = english }: DetokeniseOptions = {},
): Detokenised {
  const writer = new Writer(language.words);
  tokens.forEach((token, index) => {
    writer.add(token, tokens.slice(index + 1, index + 1 + LOOK_AHEAD));
  });
  return writer.finish();
}

/** How many tokens ahead an apostrophe looks for a closing quote before it counts as a possessive. */
const LOOK_AHEAD = 8;

const QUOTES = new Map([
  ["``", '"'],
  ["''", '"'],
  ["`", "'"],
]);
const GLUED_LEFT = new Set(`, ; : . ! ? % ) ] } '' … ... °`.split(" "));
const GLUED_RIGHT = new Set("( [ { `` ` £ € ¥ # ¿ ¡".split(" "));
const GLUED_BOTH = new Set(["/", "—"]);
const RANGES = new Set(["--", "–"]);
const CURRENCY = /^[A-Z]{0,3}\$$/;

class Writer {
  readonly #rules: WordRules;
  #text = "";
  readonly #places: [begin: number, end: number][] = [];
  #previous = "";
  #glueNext = true;
  /** Whether a quotation in straight quotes is open: the quotes themselves do not tell. */
  readonly #open = { '"': false, "'": false };
  /** The same for marks that open in one style of the language and close in another: `»So«`, `«So»`. */
  #eitherOpen = false;

  constructor(rules: WordRules) {
    this.#rules = rules;
  }

  add(token: string, ahead: readonly string[]): void {
    const plain = unescapeToken(token);
    const opens = this.#opensQuote(plain, ahead);
    if (plain === "." && this.#previous.endsWith(".") && !this.#previous.endsWith("..")) {
      this.#takeStop();
    } else {
      const glued =
        this.#glueNext ||
        (!opens && this.#gluesLeft(plain, ahead[0] ?? "")) ||
        meetUnspaced(this.#previous, plain);
      if (!glued) this.#text += " ";
      const begin = this.#text.length;
      this.#text += QUOTES.get(plain) ?? plain;
      this.#places.push([begin, this.#text.length]);
    }
    this.#glueNext = opens || this.#gluesRight(plain, ahead[0] ?? "");
    this.#previous = plain;
  }

  finish(): Detokenised {
    const text = this.#text;
    const tokens = this.#places.map(([begin, end]) => ({
      text: text.slice(begin, end),
      begin,
      end,
    }));
    return { text, tokens };
  }

  #takeStop(): void {
    const end = this.#text.length;
    const last = this.#places.at(-1);
    if (last) last[1] = end - 1;
    this.#places.push([end - 1, end]);
  }

  #gluesLeft(token: string, next: string): boolean {
    if (GLUED_LEFT.has(token) || GLUED_BOTH.has(token) || this.#isClitic(token)) return true;
    if (token === '"' || token === "'" || token === "’") return true;
    if (isMark(token, this.#rules.quotes.closing) || this.#isEnclitic(this.#previous, token))
      return true;
    if (RANGES.has(token)) return isNumber(this.#previous) && isNumber(next);
    return this.#isFused(this.#previous, token);
  }

  #isClitic(token: string): boolean {
    const [before, after, ...others] = token.toLowerCase().split(/['’]/);
    if (after === undefined || others.length > 0) return false;
    return this.#rules.clitics.get(after) === before;
  }

  /** Whether the two are the halves of a word that Penn cuts: `can not`. */
  #isFused(first: string, second: string): boolean {
    const word = `${first}${second}`.toLowerCase().replace("’", "'");
    return this.#rules.fusedWords.get(word) === first.length;
  }

  /** Whether the second is a pronoun with its hyphen, or after the verb's: `dit -il`, `dá- lo`. */
  #isEnclitic(first: string, second: string): boolean {
    const { enclitics, encliticHyphen } = this.#rules;
    const pronoun = second.toLowerCase();
    if (encliticHyphen === "verb") return first.endsWith("-") && enclitics.has(pronoun);
    return pronoun.startsWith("-") && enclitics.has(pronoun.slice(1));
  }

  #gluesRight(token: string, next: string): boolean {
    if (token === "#") return isNumber(next);
    if (/.['’]$/.test(token) && this.#rules.elisions.has(token.slice(0, -1).toLowerCase()))
      return true;
    if (RANGES.has(token)) return isNumber(this.#previous) && isNumber(next);
    return GLUED_RIGHT.has(token) || GLUED_BOTH.has(token) || CURRENCY.test(token);
  }

  /** Straight quotes open and close by turns; an apostrophe may be a possessive instead. */
  #opensQuote(token: string, ahead: readonly string[]): boolean {
    if (token === "`") this.#open["'"] = true;
    const { opening, closing } = this.#rules.quotes;
    if (isMark(token, opening)) {
      const opens = !isMark(token, closing) || !this.#eitherOpen;
      this.#eitherOpen = opens && isMark(token, closing);
      return opens;
    }
    if (token !== '"' && token !== "'") return false;
    const isAfterOwner = this.#rules.beforePossessive?.test(this.#previous) ?? false;
    const possessive = token === "'" && (isAfterOwner || !ahead.includes("'"));
    const opens = !this.#open[token] && !possessive;
    this.#open[token] = opens;
    return opens;
  }
}

/** Scripts that set no blanks between words, and the marks that go with them. */
const UNSPACED =
  "[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\\u3001-\\u303F\\u30FB\\u30FC\\uFF00-\\uFFEF]";
const UNSPACED_END = new RegExp(`${UNSPACED}$`, "u");
const UNSPACED_BEGIN = new RegExp(`^${UNSPACED}`, "u");

/** Whether the characters at which the two meet are of such a script. */
function meetUnspaced(first: string, second: string): boolean {
  const isPlain = first.charCodeAt(first.length - 1) < 0xe00 && second.charCodeAt(0) < 0xe00;
  return !isPlain && (UNSPACED_END.test(first) || UNSPACED_BEGIN.test(second));
}

function isMark(token: string, marks: string): boolean {
  return token.length === 1 && marks.includes(token);
}

function isNumber(token: string): boolean {
  return /^[\d.,]*\d$/.test(token);
}
