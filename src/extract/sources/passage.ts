/**
 * From a passage of running text with marked stretches to sentences with brackets. Answers and mentions
 * of most data sets are given by characters: each becomes the smallest span of tokens that covers it, if
 * one sentence holds it. Marks of footnotes, which many passages have kept, are taken out first.
 */

import type { RawBracket, RawSentence } from "../../brackets/raw-sentence.js";
import { findLanguage } from "../../languages/index.js";
import { splitSentences, tokenise } from "../../text/index.js";
import { cutMatches, moveStretches } from "../cuts.js";
import type { SourceContext } from "./source.js";

/** A stretch of the text that somebody marked, in UTF-16 code units, half-open. */
export type PassageMark = RawBracket;

/** A passage, and what was marked in it. */
export interface Passage {
  /** The beginning of the ids of its sentences. */
  readonly id: string;
  readonly source: string;
  readonly text: string;
  readonly marks: readonly PassageMark[];
  /** The code of its language, if the data says it. */
  readonly language?: string | undefined;
}

/** `[12]`, `[3, 4]`, `[7]:15`, `[note 2]`, `[citation needed]`: what Wikipedia and papers leave in a text. */
const FOOTNOTE_MARK = new RegExp(
  String.raw` ?\[(?:${[
    String.raw`\d{1,3}(?:\s?[,–-]\s?\[?\d{1,3}){0,9}`,
    String.raw`[a-z](?=\](?!\p{L}))`,
    String.raw`(?:note|nb|n|lower-alpha|lower-roman) \d{1,3}`,
    "update",
    String.raw`(?:who|why|when|where|which|by whom|according to whom|original research)\?`,
    String.raw`[\p{L}\p{M} ]{2,20} needed`,
    String.raw`réf\. [\p{L} ]{1,20}`,
    "failed verification",
    "dubious[ –-]{1,4}discuss",
    "來源請求|来源请求|要出典",
  ].join("|")})\](?::\d{1,4}(?:[–-]\d{1,4})?)?`,
  "giu",
);

/** The sentences of the passage. */
export function bracketPassage(passage: Passage, context: SourceContext): RawSentence[] {
  const { id, source, text, marks } = withoutFootnotes(passage);
  const code = context.language === undefined ? passage.language : undefined;
  const language = code === undefined ? context.language : findLanguage(code);
  const placed = new Set<PassageMark>();
  const sentences = splitSentences(text, { language }).flatMap(({ begin, end }, index) => {
    const inside = marks.filter((mark) => mark.begin >= begin && mark.end <= end);
    for (const mark of inside) placed.add(mark);
    const written = text.slice(begin, end);
    const tokens = tokenise(written, { language });
    if (tokens.length === 0) return [];
    return [
      {
        tokens: tokens.map((token) => token.text),
        id: `${id}:${index}`,
        source,
        text: written,
        offsets: tokens.map((token): [number, number] => [token.begin, token.end]),
        brackets: inside.flatMap((mark) => cover(mark, tokens, begin)),
        language: code,
      },
    ];
  });
  context.drop("answers that no single sentence holds", marks.length - placed.size);
  return sentences;
}

/** The smallest span of tokens around a mark. */
function cover(
  mark: PassageMark,
  tokens: readonly { readonly begin: number; readonly end: number }[],
  shift: number,
): RawBracket[] {
  const first = tokens.findIndex((token) => token.end > mark.begin - shift);
  const last = tokens.findLastIndex((token) => token.begin < mark.end - shift);
  return first < 0 || last < first ? [] : [{ ...mark, begin: first, end: last + 1 }];
}

function withoutFootnotes(passage: Passage): Passage {
  if (!passage.text.includes("[")) return passage;
  const cut = cutMatches(passage.text, FOOTNOTE_MARK);
  if (!cut) return passage;
  return { ...passage, text: cut.text, marks: moveStretches(cut, passage.marks) };
}
