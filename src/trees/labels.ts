/**
 * What is packed into a Penn node label (`NP-SBJ-1=2`) and into a Penn token (`-LRB-`, `1\/2`).
 */

/** What an induced phrase is called: it has no name of its own. */
export const INDUCED = "X";

/** In place of a label: this single word is no phrase. */
export const NO_PHRASE = "-";

/** Joins the labels of phrases over the same words, outermost first: `S+VP`. */
export const CHAIN = "+";

/** Whether a tree can be written with this label. */
export function isLabel(text: string): boolean {
  return /^[^\s()]+$/.test(text);
}

/** The parts of a Penn label. */
export interface LabelParts {
  /** The phrase category, `NP` in `NP-SBJ-1=2`. */
  readonly category: string;
  /** Function tags in order, `SBJ`. */
  readonly functions: readonly string[];
  /** The identity index of a filler or trace, `1`. */
  readonly index: string | undefined;
  /** The gapping index, `2`. */
  readonly gap: string | undefined;
}

/** Takes a label apart. Labels that begin with a dash (`-LRB-`, `-NONE-`) are one category. */
export function splitLabel(label: string): LabelParts {
  if (label.startsWith("-")) {
    return { category: label, functions: [], index: undefined, gap: undefined };
  }
  const gapped = /^(.+)=(\d+)$/.exec(label.replace(/=(\d+)-(.+)$/, "-$2=$1"));
  const [category = "", ...rest] = (gapped?.[1] ?? label).split("-");
  const index = rest.findLast((part) => /^\d+$/.test(part));
  return {
    category,
    functions: rest.filter((part) => !/^\d+$/.test(part)),
    index,
    gap: gapped?.[2],
  };
}

/** The category alone, the usual key for counting phrases. */
export function category(label: string): string {
  return splitLabel(label).category;
}

const BRACKETS = new Map([
  ["-LRB-", "("],
  ["-RRB-", ")"],
  ["-LSB-", "["],
  ["-RSB-", "]"],
  ["-LCB-", "{"],
  ["-RCB-", "}"],
]);

/** A Penn token as it stood in the text: bracket escapes and backslash escapes undone. */
export function unescapeToken(token: string): string {
  const bracket = token.startsWith("-") ? BRACKETS.get(token) : undefined;
  if (bracket !== undefined) return bracket;
  return token.includes("\\") ? token.replace(/\\([/*])/g, "$1") : token;
}

/** A token that a Penn file can hold: round brackets escaped, ASCII blanks made no-break spaces. */
export function escapeToken(token: string): string {
  if (token === "") throw new RangeError("a Penn tree cannot have an empty token");
  // Nearly all tokens are written as they are, and trees are written in great numbers.
  if (!/[\t-\r ()]/.test(token)) return token;
  return token
    .replaceAll("(", "-LRB-")
    .replaceAll(")", "-RRB-")
    .replace(/[\t-\r ]/g, "\u00a0");
}

/** The phrase types of the paper's Table 3, in its order. */
export const TABLE_LABELS = ["SBAR", "NP", "VP", "PP", "ADJP", "ADVP"];

/** The label as the paper's tables count it: cut at the first dash, `=` and 1 to 4 stripped. */
export function tableLabel(label: string): string {
  return (label.split("-")[0] as string).replace(/^[=1-4]+|[=1-4]+$/g, "");
}
