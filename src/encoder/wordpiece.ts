/**
 * Splits words into the pieces that an encoder knows. Sentences are already split into words, perhaps by Penn's
 * conventions, so each word is split on its own and remembered. Penn's escapes, which encoders never saw, become
 * plain characters. This is for WordPieces; for pieces that show blanks, see spaced-pieces.ts.
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

/** The numbers of a word's pieces. */
export type Pieces = readonly number[];

/** The tokens that an encoder needs besides those of words. */
export interface SpecialTokens {
  /** Before the first piece. */
  readonly begin: number;
  /** After the last piece. */
  readonly end: number;
  /** After the end of a short sentence. */
  readonly padding: number;
  /** In place of a word of which nothing is left. */
  readonly mask: number;
}

/** What is used of the library's tokenizer: its own types do not compile in every project. */
export interface PieceTokenizer {
  encode(text: string, options: { add_special_tokens: boolean }): { ids: number[] };
  get_vocab(): Map<string, number>;
  token_to_id(piece: string): number | undefined;
  readonly model: (((units: string[]) => string[]) & { unk_token_id?: number | undefined }) | null;
  readonly normalizer: ((text: string) => string) | null;
  readonly pre_tokenizer: ((text: string, options: { section_index: number }) => string[]) | null;
}

export class WordPieces {
  readonly begin: number;
  readonly end: number;
  readonly padding: number;
  protected readonly tokenizer: PieceTokenizer;
  protected readonly mask: number;
  readonly #known = new Map<string, Pieces>();

  protected constructor(
    json: object,
    findSpecial: (idOf: (token: string) => number | undefined) => SpecialTokens,
  ) {
    // Without added tokens, a word that reads "[SEP]" is cut like any other.
    this.tokenizer = new Tokenizer({ ...json, added_tokens: [] }, {}) as unknown as PieceTokenizer;
    const vocabulary = this.tokenizer.get_vocab();
    const { begin, end, padding, mask } = findSpecial((token) => vocabulary.get(token));
    this.begin = begin;
    this.end = end;
    this.padding = padding;
    this.mask = mask;
  }

  /**
   * Reads a tokenizer.json of any supported kind.
   *
   * @param text its contents.
   * @param file what errors call it.
   */
  static async parse(text: string, file?: string): Promise<WordPieces> {
    let json: { model?: { type?: unknown } };
    try {
      json = JSON.parse(text);
    } catch (error) {
      throw new InputError(`not JSON (${(error as Error).message})`, { file });
    }
    try {
      if (json.model?.type === "WordPiece") {
        return new WordPieces(json, (idOf) => bertTokens(idOf, file));
      }
      const { SpacedPieces } = await import("./spaced-pieces.js");
      return SpacedPieces.from(json, file);
    } catch (error) {
      if (error instanceof InputError) throw error;
      throw new InputError(
        (error as Error).message,
        { file },
        "check that this is the tokenizer.json of a BERT or RoBERTa model",
      );
    }
  }

  /** The pieces of each word of a sentence. */
  sentence(words: readonly string[]): Pieces[] {
    return words.map((word) => this.pieces(word));
  }

  /** The pieces of a word. What leaves nothing, such as a control character, is masked. */
  pieces(word: string): Pieces {
    return this.remember(word, this.#known, (plain) => {
      return this.tokenizer.encode(plain, { add_special_tokens: false }).ids;
    });
  }

  /** The pieces of a word, from what is known or else from `cut`. */
  protected remember(
    word: string,
    known: Map<string, Pieces>,
    cut: (plain: string) => number[],
  ): Pieces {
    const found = known.get(word);
    if (found) return found;
    const ids = cut(plainWord(word).slice(0, LONGEST_WORD));
    const pieces = ids.length > 0 ? ids.slice(0, MOST_PIECES) : [this.mask];
    if (known.size >= REMEMBERED) known.clear();
    if (word.length <= LONGEST_REMEMBERED) known.set(detached(word), pieces);
    return pieces;
  }
}

function bertTokens(
  idOf: (token: string) => number | undefined,
  file: string | undefined,
): SpecialTokens {
  const find = (token: string) => {
    const id = idOf(token);
    if (id !== undefined) return id;
    throw new InputError(
      `the vocabulary lacks "${token}"`,
      { file },
      "check that this is the tokenizer of a BERT model",
    );
  };
  return {
    begin: find("[CLS]"),
    end: find("[SEP]"),
    padding: find("[PAD]"),
    mask: find("[MASK]"),
  };
}

/** A copy: a word is often a slice of its text, and would keep all of it in memory. */
function detached(word: string): string {
  return word.split("").join("");
}
