/**
 * What is written for a sentence: its parse in the form asked for, or, where it has none, what keeps
 * its place. Forms of one line a sentence keep that line; where a form takes several, an empty line
 * ends each, so that the outputs of shards one after the other are the output of the whole.
 */

import { describeProblem } from "../errors.js";
import {
  isWord,
  type RecordOptions,
  toParseRecord,
  withoutPunctuation,
} from "../parser/parse-record.js";
import type { Parse } from "../parser/sentence.js";
import { toConllu } from "../trees/conllu.js";
import { ended, sizeProblem, TREE_FORMATS, type TreeFormatName } from "../trees/formats.js";
import type { Outcome } from "./parse-run.js";
import { EMPTY_LINE } from "./units.js";

export interface WriteOptions extends RecordOptions {
  readonly format: TreeFormatName;
  /** The width of the terminal, where the output is one. */
  readonly columns?: number | undefined;
}

export interface Written {
  readonly text: string;
  /** A message for the user. */
  readonly note?: string | undefined;
}

export function writeOutcome(outcome: Outcome, options: WriteOptions): Written {
  const { parse, place, conllu } = outcome;
  const format = TREE_FORMATS[options.format];
  const problem = parse ? sizeProblem(parse.tree, options.format) : outcome.problem;
  if (parse && problem === undefined) {
    const { fallback } = parse;
    const note = fallback === undefined ? undefined : describeProblem(fallback, place);
    return { text: ended(render(parse, conllu, options), format), note };
  }
  const message = describeProblem(problem ?? "no sentence", place).replace(/\s+/g, " ");
  const isEmptyLine = problem === EMPTY_LINE;
  const text = isEmptyLine && KEEP_EMPTY.has(options.format) ? "" : format.writeError(message);
  return { text: ended(text, format), note: isEmptyLine ? undefined : message };
}

function render(parse: Parse, conllu: Outcome["conllu"], options: WriteOptions): string {
  const { format, punct = true, columns } = options;
  if (format === "json") return JSON.stringify(toParseRecord(parse, options));
  const tree = punct ? parse.tree : withoutPunctuation(parse.tree);
  if (format !== "conllu-misc") return TREE_FORMATS[format].write(tree, columns);
  const { leaves: words, text, offsets, fallback, language, supported } = parse;
  const comments = {
    ...(fallback === undefined ? {} : { fallback }),
    ...(language === undefined ? {} : { language }),
    ...(supported === undefined ? {} : { supported: "no" }),
  };
  return toConllu(tree, { source: conllu, words, isInTree: isWord, text, offsets, comments });
}

/** Bracketed trees may have empty lines between them: those of the input are no failed sentences. */
const KEEP_EMPTY: ReadonlySet<TreeFormatName> = new Set(["penn", "pretty"]);
