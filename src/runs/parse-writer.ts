/**
 * What is written for a sentence: its parse in the form asked for, or, where it has none, what keeps
 * its place. Forms of one line a sentence keep that line; where a form takes several, an empty line
 * ends each, so that the outputs of shards one after the other are the output of the whole.
 */

import { InputError } from "../errors.js";
import {
  isWord,
  type RecordOptions,
  toParseRecord,
  withoutPunctuation,
} from "../parser/parse-record.js";
import type { Parse } from "../parser/sentence.js";
import { conlluComment, toConllu } from "../trees/conllu.js";
import { escapeXml } from "../trees/draw-svg.js";
import { ended, TREE_FORMATS, type TreeFormat, type TreeFormatName } from "../trees/formats.js";
import { EMPTY_LINE } from "./inputs.js";
import type { Outcome } from "./parse-run.js";

export interface WriteOptions extends RecordOptions {
  readonly format: TreeFormatName;
  /** The width of the terminal, where the output is one. */
  readonly columns?: number | undefined;
}

export interface Written {
  readonly text: string;
  /** What the user is to be told. */
  readonly note?: string | undefined;
}

export function writeOutcome(outcome: Outcome, options: WriteOptions): Written {
  const { parse, place, problem = "no sentence", conllu } = outcome;
  const format: TreeFormat = TREE_FORMATS[options.format];
  const words = parse?.leaves.length ?? 0;
  if (parse && words <= (format.mostWords ?? Number.POSITIVE_INFINITY)) {
    const { fallback } = parse;
    const note = fallback === undefined ? undefined : new InputError(fallback, place).message;
    return { text: ended(render(parse, conllu, options), format), note };
  }
  const told = parse ? `${words} words are too many for the form ${options.format}` : problem;
  const message = new InputError(told, place).message.replace(/\s+/g, " ");
  const text = ended(ERRORS[options.format]?.(message) ?? "", format);
  return { text, note: problem === EMPTY_LINE ? undefined : message };
}

function render(parse: Parse, conllu: Outcome["conllu"], options: WriteOptions): string {
  const { format, punct = true, columns } = options;
  if (format === "json") return JSON.stringify(toParseRecord(parse, options));
  const tree = punct ? parse.tree : withoutPunctuation(parse.tree);
  if (format !== "conllu-misc") return TREE_FORMATS[format].write(tree, columns);
  const { leaves: words, text, offsets, fallback } = parse;
  const comments = fallback === undefined ? undefined : { fallback };
  return toConllu(tree, { source: conllu, words, isInTree: isWord, text, offsets, comments });
}

/** How the forms that have a way to do so say that there is no tree; others leave it empty. */
const ERRORS: Partial<Record<TreeFormatName, (message: string) => string>> = {
  json: (message) => JSON.stringify({ error: message }),
  "conllu-misc": (message) => conlluComment("error", message),
  text: (message) => `error: ${message}`,
  svg: (message) => `<!-- error: ${escapeXml(message).replaceAll("--", "- -")} -->`,
  latex: texComment,
  forest: texComment,
  qtree: texComment,
};

function texComment(message: string): string {
  return `% error: ${message}`;
}
