/**
 * A tokenizer with fewer pieces. Half of a small encoder are the vectors of its pieces, and many of these are names and
 * foreign words that hardly occur. A word whose piece is left out is cut into shorter ones.
 */

import { InputError } from "../errors.js";

/** A tokenizer.json with some of the pieces of another. */
export interface PrunedPieces {
  readonly json: string;
  /** The number that each piece had before, by its new number. */
  readonly kept: readonly number[];
}

/**
 * Keeps the pieces that occur most. Special tokens and single characters stay, so that every word can still be cut.
 *
 * @param text the contents of a tokenizer.json.
 * @param counts how often each piece occurs, by its number.
 * @param most how many pieces to keep.
 * @throws InputError if it has no WordPieces, or if `most` is too small.
 */
export function prunePieces(
  text: string,
  counts: ReadonlyMap<number, number>,
  most: number,
  file?: string,
): PrunedPieces {
  const json = JSON.parse(text) as BertTokenizer;
  if (json.model.type !== "WordPiece") {
    throw new InputError(
      `only WordPieces can be pruned, and these are ${json.model.type}`,
      { file },
      "leave out --pieces",
    );
  }
  const pieces = Object.entries(json.model.vocab).sort(([, a], [, b]) => a - b);
  const added = (json.added_tokens ?? []).map(({ content }) => content);
  const special = new Set([...added, ...SPECIAL]);
  const isNeeded = (piece: string) => special.has(piece) || isSingleCharacter(piece);
  const needed = pieces.filter(([piece]) => isNeeded(piece));
  if (needed.length > most) {
    throw new InputError(
      `${needed.length} pieces are single characters or special tokens, more than ${most}`,
      { file },
      `keep at least ${needed.length}`,
    );
  }
  const frequent = pieces
    .filter(([piece, id]) => !isNeeded(piece) && counts.has(id))
    .sort(([, a], [, b]) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0) || a - b)
    .slice(0, most - needed.length);
  const kept = [...needed, ...frequent].map(([, id]) => id).sort((a, b) => a - b);
  return { json: JSON.stringify(renumbered(json, kept)), kept };
}

/** The parts of a BERT's tokenizer.json that have numbers of pieces. */
interface BertTokenizer {
  readonly model: { readonly type: string; readonly vocab: Readonly<Record<string, number>> };
  readonly added_tokens?: readonly { readonly content: string; readonly id: number }[];
  readonly padding?: { readonly pad_id: number } | null;
  readonly post_processor?: {
    readonly special_tokens?: Readonly<Record<string, { readonly ids: readonly number[] }>>;
  } | null;
}

/** BERT's own, which need not be among the added ones. */
const SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"];

function isSingleCharacter(piece: string): boolean {
  return /^(?:##)?.$/u.test(piece);
}

function renumbered(json: BertTokenizer, kept: readonly number[]): BertTokenizer {
  const numbers = new Map(kept.map((before, now) => [before, now]));
  const now = (id: number) => numbers.get(id) as number;
  const vocab = Object.entries(json.model.vocab).flatMap(([piece, id]) =>
    numbers.has(id) ? [[piece, now(id)] as const] : [],
  );
  const { padding, post_processor: processor, added_tokens: added } = json;
  const special = Object.entries(processor?.special_tokens ?? {}).map(
    ([name, token]) => [name, { ...token, ids: token.ids.map(now) }] as const,
  );
  return {
    ...json,
    model: { ...json.model, vocab: Object.fromEntries(vocab) },
    ...(added ? { added_tokens: added.map((token) => ({ ...token, id: now(token.id) })) } : {}),
    ...(padding ? { padding: { ...padding, pad_id: now(padding.pad_id) } } : {}),
    ...(processor?.special_tokens
      ? { post_processor: { ...processor, special_tokens: Object.fromEntries(special) } }
      : {}),
  };
}
