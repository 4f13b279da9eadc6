/**
 * Pieces by Unigram or byte-level BPE. The first piece of a word shows whether a blank is before it (`▁dog`, `Ġdog`), so
 * a word's pieces depend on the word before: the full stop of "dog." has none, nor has a Chinese word within a
 * sentence. As only words are known, blanks are where print would set them.
 */

import { layOut } from "../text/detokenise.js";
import {
  checkTokenizer,
  markOf,
  specialTokens,
  type TokenizerJson,
  withoutSpecialTokens,
} from "./tokenizer-json.js";
import { type Pieces, WordPieces } from "./wordpiece.js";

/** Whether a blank stands before a word. */
export type Spacing = "spaced" | "glued";

export class SpacedPieces extends WordPieces {
  /** What stands for a blank at the beginning of a piece. */
  readonly #mark: string;
  /** How the first word of a sentence is cut, which no word is before. */
  readonly #firstSpacing: Spacing;
  readonly #unknown: number;
  readonly #spaced = new Map<string, Pieces>();
  readonly #glued = new Map<string, Pieces>();

  private constructor(json: TokenizerJson, mark: string, file: string | undefined) {
    super(withoutSpecialTokens(json), (idOf) => specialTokens(json, idOf, file));
    this.#mark = mark;
    this.#unknown = this.tokenizer.model?.unk_token_id ?? this.mask;
    this.#firstSpacing = this.#split("a")[0]?.startsWith(mark) ? "spaced" : "glued";
  }

  /** @throws InputError if it is no tokenizer of these kinds. */
  static from(json: object, file?: string): SpacedPieces {
    const checked = checkTokenizer(json, file);
    return new SpacedPieces(checked, markOf(checked) ?? "", file);
  }

  override sentence(words: readonly string[]): Pieces[] {
    const { tokens } = layOut(words);
    return words.map((word, index) => {
      const [before, here] = [tokens[index - 1], tokens[index]];
      if (!before) return this.pieces(word, this.#firstSpacing);
      return this.pieces(word, before.end === here?.begin ? "glued" : "spaced");
    });
  }

  override pieces(word: string, spacing: Spacing = "spaced"): Pieces {
    return spacing === "spaced"
      ? this.remember(word, this.#spaced, (plain) => this.#ids(this.#split(` ${plain}`)))
      : this.remember(word, this.#glued, (plain) => this.#ids(this.#withoutMark(plain)));
  }

  /** The units that the model cuts into pieces. */
  #split(text: string): string[] {
    const { normalizer, pre_tokenizer: split } = this.tokenizer;
    const normal = normalizer ? normalizer(text) : text;
    return split ? split(normal, { section_index: 0 }) : [normal];
  }

  /** The units of a text that no blank is before, though some tokenizers would set one. */
  #withoutMark(text: string): string[] {
    const [first = "", ...others] = this.#split(text);
    const isMarked = first.startsWith(this.#mark) && first !== this.#mark;
    return [isMarked ? first.slice(this.#mark.length) : first, ...others];
  }

  #ids(units: readonly string[]): number[] {
    const pieces: string[] = this.tokenizer.model?.(units.filter((unit) => unit !== "")) ?? [];
    return pieces.map((piece) => this.tokenizer.token_to_id(piece) ?? this.#unknown);
  }
}
