/** Where sentences with quotations end in Chinese and Japanese. */

import type { Quotations } from "./language.js";
import { unspacedWidth } from "./unspaced.js";

/** What is longer is no quotation inside a sentence. */
const LONGEST_QUOTATION = 200;
/** So many characters before and after a quotation are looked at. */
const CONTEXT = 16;

const CLOSING = new Map(
  [
    "()",
    "[]",
    "{}",
    "（）",
    "［］",
    "｛｝",
    "「」",
    "『』",
    "【】",
    "〈〉",
    "《》",
    "“”",
    "‘’",
  ].map((pair) => [pair.charAt(0), pair.charAt(1)]),
);
const PARENTHESES = "([{（［｛【〈《";

/** What goes on with a sentence beside a quotation; the expressions see a few characters. */
export interface QuotationDescription {
  /** What goes on with the sentence after a quotation that began it: `と`. */
  readonly continues: RegExp;
  /** What stands before a quotation that has sentences of its own: `：`. */
  readonly opensSpeech?: RegExp | undefined;
}

export function defineQuotations({
  continues,
  opensSpeech = /(?!)/,
}: QuotationDescription): Quotations {
  const isOfSentence = (source: string, open: number) =>
    PARENTHESES.includes(source.charAt(open)) ||
    !opensSpeech.test(source.slice(Math.max(0, open - CONTEXT), open));
  return {
    isFullStop,
    staysInside: (source, open, at) => {
      if (at - open > LONGEST_QUOTATION) return false;
      const closing = CLOSING.get(source.charAt(open)) ?? "\n";
      return (
        source.slice(at, open + LONGEST_QUOTATION).includes(closing) && isOfSentence(source, open)
      );
    },
    continuesAfter: (source, open, end) => {
      const after = source.slice(end, end + CONTEXT);
      if (open === undefined) return continues.test(after);
      return !/^\s*(?:\n|$)/.test(after) && isOfSentence(source, open);
    },
  };
}

function isFullStop(source: string, at: number, runEnd: number): boolean {
  const mark = source.charAt(runEnd - 1);
  if (!".．!?".includes(mark)) return false;
  if (unspacedWidth(source, at - 1) === 0 && unspacedWidth(source, at - 2) !== 2) return false;
  const next = source.charAt(runEnd);
  return !/\p{Nd}/u.test(next) && (mark !== "." || !/[A-Za-z]/.test(next));
}
