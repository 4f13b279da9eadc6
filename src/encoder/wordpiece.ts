/**
 * Splits words into WordPieces. Sentences are already split into words, perhaps by Penn's conventions,
 * so each word is split on its own and remembered. Penn's escapes, which BERT never saw, become plain
 * characters.
 */

import { Tokenizer } from "@huggingface/tokenizers";
import { InputError } from "../errors.js";
import { unescapeToken } from "../trees/labels.js";

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

export class WordPieces {
  readonly begin: number;
  readonly end: number;
  readonly padding: number;
  readonly #mask: number;
  readonly #tokenizer: Tokenizer;
  readonly #known = new Map<string, readonly number[]>();

  /** `json` is what tokenizer.json holds. */
  constructor(json: object, file?: string) {
    // Without added tokens, a word that reads "[SEP]" is cut like any other.
    this.#tokenizer = new Tokenizer({ ...json, added_tokens: [] }, {});
    const vocabulary = this.#tokenizer.get_vocab();
    const special = (token: string) => {
      const id = vocabulary.get(token);
      if (id !== undefined) return id;
      throw new InputError(
        `the vocabulary lacks "${token}"`,
        { file },
        "check that this is the tokenizer of a BERT model",
      );
    };
    this.begin = special("[CLS]");
    this.end = special("[SEP]");
    this.padding = special("[PAD]");
    this.#mask = special("[MASK]");
  }

  /** `text` is a tokenizer.json, `file` what errors call it. */
  static parse(text: string, file?: string): WordPieces {
    let json: { model?: { type?: unknown } };
    try {
      json = JSON.parse(text);
    } catch (error) {
      throw new InputError(`not JSON (${(error as Error).message})`, { file });
    }
    if (json.model?.type !== "WordPiece") {
      throw new InputError(
        `the tokenizer's model is ${JSON.stringify(json.model?.type)}; only "WordPiece" is supported`,
        { file },
      );
    }
    try {
      return new WordPieces(json, file);
    } catch (error) {
      if (error instanceof InputError) throw error;
      throw new InputError(
        (error as Error).message,
        { file },
        "check that this is the tokenizer.json of a BERT model",
      );
    }
  }

  /** The numbers of a word's pieces. What leaves nothing, such as a control character, is masked. */
  pieces(word: string): readonly number[] {
    const known = this.#known.get(word);
    if (known) return known;
    const plain = plainWord(word).slice(0, LONGEST_WORD);
    const { ids } = this.#tokenizer.encode(plain, { add_special_tokens: false });
    const pieces = ids.length > 0 ? ids.slice(0, MOST_PIECES) : [this.#mask];
    if (this.#known.size >= REMEMBERED) this.#known.clear();
    if (word.length <= LONGEST_REMEMBERED) this.#known.set(detached(word), pieces);
    return pieces;
  }
}

/** A copy: a word is often a slice of its text, and would keep all of it in memory. */
function detached(word: string): string {
  return word.split("").join("");
}
