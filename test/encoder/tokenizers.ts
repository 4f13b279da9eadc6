/** Small tokenizer.json files of the kinds that multilingual encoders have. */

const SPECIAL = ["<s>", "<pad>", "</s>", "<unk>"];

const added = (tokens: readonly string[]) =>
  tokens.map((content, id) => ({ id, content, special: true, normalized: false }));

const around = (begin: string, end: string) => ({
  type: "TemplateProcessing",
  single: [
    { SpecialToken: { id: begin, type_id: 0 } },
    { Sequence: { id: "A", type_id: 0 } },
    { SpecialToken: { id: end, type_id: 0 } },
  ],
  pair: [],
  special_tokens: {},
});

const UNIGRAM_PIECES =
  `▁ ▁the ▁dog ▁do og g o d s t h e n ' 't n't ▁ca ca c a . , ? ! ( ) " 's ▁did did i ▁( ▁" %
  我 们 喜 欢 喜欢 我们 的 的价 价格 价 格 。 ， 「 」 です で す た った っ 走 ▁我 ▁3. 3 - ▁- -lo l lo dá á`.split(
    /\s+/,
  );

/** As XLM-R's and the multilingual MiniLM's: Unigram, `▁` before every word that follows a blank. */
export const UNIGRAM = {
  version: "1.0",
  added_tokens: added([...SPECIAL, "<mask>"]),
  normalizer: { type: "NFKC" },
  pre_tokenizer: {
    type: "Sequence",
    pretokenizers: [
      { type: "WhitespaceSplit" },
      { type: "Metaspace", replacement: "▁", prepend_scheme: "always" },
    ],
  },
  post_processor: around("<s>", "</s>"),
  decoder: null,
  model: {
    type: "Unigram",
    unk_id: 3,
    // No two cuts of a text have the same score.
    vocab: [
      ...[...SPECIAL, "<mask>"].map((piece) => [piece, 0]),
      ...UNIGRAM_PIECES.map((piece, index) => [
        piece,
        -4 - Math.sqrt(index + 2) + 0.7 * Math.min(3, piece.length),
      ]),
    ],
  },
};

/** The characters that stand for bytes in byte-level BPE. */
function byteCharacters(): string[] {
  const plain = (byte: number) =>
    (byte > 32 && byte < 127) || (byte > 160 && byte < 173) || byte > 173;
  let next = 256;
  return Array.from({ length: 256 }, (_, byte) => String.fromCharCode(plain(byte) ? byte : next++));
}

const MERGES = ["t h", "th e", "Ġ the", "d o", "do g", "Ġ dog", "n '", "' t", "Ġ d", "i d"];

/** As RoBERTa's: byte-level BPE, `Ġ` for a blank, none before the first word. */
export const BYTE_LEVEL = {
  version: "1.0",
  added_tokens: added([...SPECIAL, "<mask>"]),
  normalizer: null,
  pre_tokenizer: { type: "ByteLevel", add_prefix_space: false, trim_offsets: true },
  post_processor: { type: "RobertaProcessing", sep: ["</s>", 2], cls: ["<s>", 0] },
  decoder: { type: "ByteLevel" },
  model: {
    type: "BPE",
    vocab: Object.fromEntries(
      [
        ...SPECIAL,
        "<mask>",
        ...byteCharacters(),
        ...MERGES.map((merge) => merge.replace(" ", "")),
      ].map((piece, id) => [piece, id]),
    ),
    merges: MERGES,
  },
};
