/**
 * Splits words into the pieces that an encoder knows: WordPieces, or pieces by Unigram or byte-level BPE. Sentences are
 * already split into words, perhaps by Penn's conventions, so each word is split on its own and remembered. Penn's
 * escapes, which encoders never saw, become plain characters.
 *
 * Where a piece shows whether a blank is before it (`▁dog`, `Ġdog`), a word's pieces depend on the word before:
 * the full stop of "dog." has none, nor has a Chinese word within a sentence. As only words are known, blanks are
 * where print would set them.
 */

import { Tokenizer } from "@huggingface/tokenizers";
import { InputError } from "../errors.js";
import { layOut } from "../text/detokenise.js";
import { unescapeToken } from "../trees/labels.js";
import {
  markOf,
  parseTokenizerJson,
  specialTokens,
  type TokenizerJson,
  withoutSpecialTokens,
} from "./tokenizer-json.js";

const PLAIN_QUOTES: ReadonlyMap<string, string> = new Map([
  ["``", '"'],
  ["''", '"'],
  ["`", "'"],
]);

/** The word as it would stand in plain text. */
export function plainWord(word: string): string {
  return PLAIN_QUOTES.get(word) ?? unescapeToken(word);
}

/** Words of more pieces lose their end: a thousand of them would be more than memory holds. */
const MOST_PIECES = 64;

/** Enough for the vocabulary of a large corpus; then it starts anew. */
const REMEMBERED = 500_000;
/** Longer words are rare, and not remembered. */
const LONGEST_REMEMBERED = 50;
/** What is longer is no word, and its end is not looked at. */
const LONGEST_WORD = 2000;

type Pieces = readonly number[];

/** Whether a blank stands before a word. */
export type Spacing = "spaced" | "glued";

export class WordPieces {
  readonly begin: number;
  readonly end: number;
  readonly padding: number;
  readonly #mask: number;
  readonly #tokenizer: Tokenizer;
  /** What stands for a blank at the beginning of a piece; undefined if pieces do not show blanks. */
  readonly #mark: string | undefined;
  /** How the first word of a sentence is cut, which no word is before. */
  readonly #firstSpacing: Spacing;
  readonly #unknown: number;
  readonly #known = { spaced: new Map<string, Pieces>(), glued: new Map<string, Pieces>() };

  /** `json` is what tokenizer.json holds. */
  constructor(json: TokenizerJson, file?: string) {
    this.#tokenizer = new Tokenizer(withoutSpecialTokens(json), {});
    const vocabulary = this.#tokenizer.get_vocab();
    const special = specialTokens(json, (token) => vocabulary.get(token), file);
    this.begin = special.begin;
    this.end = special.end;
    this.padding = special.padding;
    this.#mask = special.mask;
    this.#unknown = this.#tokenizer.model?.unk_token_id ?? special.mask;
    this.#mark = markOf(json);
    const isMarked = this.#mark !== undefined && this.#split("a")[0]?.startsWith(this.#mark);
    this.#firstSpacing = isMarked ? "spaced" : "glued";
  }

  /** `text` is a tokenizer.json, `file` what errors call it. */
  static parse(text: string, file?: string): WordPieces {
    const json = parseTokenizerJson(text, file);
    try {
      return new WordPieces(json, file);
    } catch (error) {
      if (error instanceof InputError) throw error;
      throw new InputError(
        (error as Error).message,
        { file },
        "check that this is the tokenizer.json of a BERT or RoBERTa model",
      );
    }
  }

  /** The numbers of the pieces of each word of a sentence. */
  sentence(words: readonly string[]): Pieces[] {
    if (this.#mark === undefined) return words.map((word) => this.pieces(word));
    const { tokens } = layOut(words);
    return words.map((word, index) => {
      const [before, here] = [tokens[index - 1], tokens[index]];
      if (before) return this.pieces(word, before.end === here?.begin ? "glued" : "spaced");
      return this.pieces(word, this.#firstSpacing);
    });
  }

  /** The numbers of a word's pieces. What leaves nothing, such as a control character, is masked. */
  pieces(word: string, spacing: Spacing = "spaced"): Pieces {
    const known = this.#known[this.#mark === undefined ? "spaced" : spacing];
    const found = known.get(word);
    if (found) return found;
    const plain = plainWord(word).slice(0, LONGEST_WORD);
    const ids = this.#cut(plain, spacing);
    const pieces = ids.length > 0 ? ids.slice(0, MOST_PIECES) : [this.#mask];
    if (known.size >= REMEMBERED) known.clear();
    if (word.length <= LONGEST_REMEMBERED) known.set(detached(word), pieces);
    return pieces;
  }

  #cut(plain: string, spacing: Spacing): number[] {
    if (this.#mark === undefined) {
      return this.#tokenizer.encode(plain, { add_special_tokens: false }).ids;
    }
    const { model, normalizer } = this.#tokenizer;
    const text = spacing === "spaced" ? ` ${plain}` : plain;
    const [first = "", ...others] = this.#split(normalizer ? normalizer(text) : text);
    const isMarked = first.startsWith(this.#mark) && first !== this.#mark;
    const begun = spacing === "glued" && isMarked ? first.slice(this.#mark.length) : first;
    const pieces: string[] = begun === "" ? [] : (model?.([begun, ...others]) ?? []);
    return pieces.map((piece) => this.#tokenizer.token_to_id(piece) ?? this.#unknown);
  }

  /** The units that the model cuts into pieces. */
  #split(text: string): string[] {
    const { pre_tokenizer: split } = this.#tokenizer;
    return split ? split(text, { section_index: 0 }) : [text];
  }
}

/** A copy: a word is often a slice of its text, and would keep all of it in memory. */
function detached(word: string): string {
  return word.split("").join("");
}
