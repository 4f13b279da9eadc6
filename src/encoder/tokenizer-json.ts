/**
 * What a tokenizer.json says besides its vocabulary: which tokens stand around a sentence, which one is padding,
 * and how a word's first piece shows that a blank stands before it.
 */

import { InputError } from "../errors.js";
import type { SpecialTokens } from "./wordpiece.js";

/** The parts of a tokenizer.json that matter here; all other parts are the library's. */
export interface TokenizerJson {
  readonly model: { readonly type: string; readonly vocab: unknown };
  readonly pre_tokenizer?: unknown;
  readonly normalizer?: unknown;
  readonly post_processor?: unknown;
  readonly added_tokens?: unknown;
}

/** The kinds of pieces, those of wordpiece.ts included. */
const MODELS = ["WordPiece", "Unigram", "BPE"];

/** @throws InputError if it is no tokenizer of a supported kind. */
export function checkTokenizer(json: object, file: string | undefined): TokenizerJson {
  const type = (json as { model?: { type?: unknown } }).model?.type;
  if (!MODELS.includes(type as string)) {
    throw new InputError(
      `the tokenizer's model is ${JSON.stringify(type)}; only ${MODELS.join(", ")} are supported`,
      { file },
    );
  }
  if (markOf(json as TokenizerJson) !== undefined) return json as TokenizerJson;
  throw new InputError(
    `the tokenizer's model is ${JSON.stringify(type)} without a sign for blanks; supported are WordPiece, and Unigram and BPE with Metaspace or ByteLevel`,
    { file },
  );
}

/** @throws InputError if one is missing. */
export function specialTokens(
  json: TokenizerJson,
  idOf: (token: string) => number | undefined,
  file: string | undefined,
): SpecialTokens {
  const added = new Map(addedTokens(json).map(({ content, id }) => [content, id]));
  const find = (...names: readonly (string | undefined)[]) => {
    for (const name of names) {
      const id = name === undefined ? undefined : (added.get(name) ?? idOf(name));
      if (id !== undefined) return id;
    }
    throw new InputError(
      `the vocabulary lacks "${names.filter((name) => name !== undefined)[0]}"`,
      { file },
      "check that this is the tokenizer of a BERT or RoBERTa model",
    );
  };
  const [before, after] = surrounding(json.post_processor);
  return {
    begin: find(before, "[CLS]", "<s>"),
    end: find(after, "[SEP]", "</s>"),
    padding: find("[PAD]", "<pad>"),
    mask: find("[MASK]", "<mask>"),
  };
}

/** The tokens that a post-processor puts before and after a single text. */
function surrounding(processor: unknown): [before?: string, after?: string] {
  if (typeof processor !== "object" || processor === null) return [];
  const { type, cls, sep, single, processors } = processor as Record<string, unknown>;
  if (type === "Sequence" && Array.isArray(processors)) {
    return processors.map(surrounding).find(({ length }) => length > 0) ?? [];
  }
  if (Array.isArray(cls) && Array.isArray(sep)) return [String(cls[0]), String(sep[0])];
  if (type !== "TemplateProcessing" || !Array.isArray(single)) return [];
  const special = (part: unknown) =>
    (part as { SpecialToken?: { id?: string } } | undefined)?.SpecialToken?.id;
  const [before, after] = [special(single[0]), special(single.at(-1))];
  return before !== undefined && after !== undefined ? [before, after] : [];
}

interface AddedToken {
  readonly id: number;
  readonly content: string;
  readonly special?: boolean;
}

function addedTokens({ added_tokens: added }: TokenizerJson): readonly AddedToken[] {
  return Array.isArray(added) ? (added as AddedToken[]) : [];
}

/**
 * The same tokenizer with special tokens that no word can have: in the vocabulary of a Unigram model, which would
 * prefer `<s>` to `<`, `s` and `>`, they get a blank in front.
 */
export function withoutSpecialTokens(json: TokenizerJson): object {
  const { model } = json;
  if (model.type !== "Unigram" || !Array.isArray(model.vocab)) return json;
  const hidden = new Set(addedTokens(json).map(({ content }) => content));
  const vocab = (model.vocab as [string, number][]).map(([piece, score]) =>
    hidden.has(piece) ? [` ${piece}`, score] : [piece, score],
  );
  return { ...json, model: { ...model, vocab } };
}

/**
 * What a piece begins with if a blank is before it: `▁` (Metaspace) or `Ġ` (ByteLevel). Undefined if pieces do not
 * show it.
 */
export function markOf({ pre_tokenizer: splitter }: TokenizerJson): string | undefined {
  if (typeof splitter !== "object" || splitter === null) return undefined;
  const { type, pretokenizers, replacement } = splitter as Record<string, unknown>;
  if (type === "Metaspace") return typeof replacement === "string" ? replacement : "▁";
  if (type === "ByteLevel") return "Ġ";
  if (type !== "Sequence" || !Array.isArray(pretokenizers)) return undefined;
  const marks = pretokenizers.map((each) => markOf({ pre_tokenizer: each } as TokenizerJson));
  return marks.find((mark) => mark !== undefined);
}
