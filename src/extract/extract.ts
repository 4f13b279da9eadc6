/**
 * From files to Bracketings: recognise, read, merge, clean, and keep account of what became of
 * everything on the way.
 */

import { Cleaner, type CleanOptions } from "../brackets/clean.js";
import { type MergeBy, mergeSentences } from "../brackets/merge.js";
import { type RawSentence, type RecordOptions, toBracketing } from "../brackets/raw-sentence.js";
import { type Bracketing, isMark, isMultiToken } from "../brackets/record.js";
import { InputError } from "../errors.js";
import type { TextInput } from "../files/input.js";
import { recogniseSources } from "./sources/index.js";
import type { Source, SourceContext, SourceOptions } from "./sources/source.js";

export interface ExtractOptions extends SourceOptions, CleanOptions, RecordOptions {
  /** The source of all inputs; recognised from their content where it is not given. */
  readonly source?: Source | undefined;
  readonly merge?: MergeBy | undefined;
  /** Count malformed parts and go on. */
  readonly skipBad?: boolean | undefined;
}

export class ExtractReport {
  /** Pages that sentences were taken from, where a source has pages. */
  pages = 0;
  /** Sentences as the sources gave them, before merging. */
  read = 0;
  written = 0;
  brackets = 0;
  multiToken = 0;
  bad = 0;
  readonly dropped = new Map<string, number>();

  drop(reason: string, count = 1): void {
    if (count > 0) this.dropped.set(reason, (this.dropped.get(reason) ?? 0) + count);
  }
}

export async function* extract(
  inputs: readonly TextInput[],
  options: ExtractOptions,
  report: ExtractReport,
): AsyncGenerator<Bracketing> {
  const groups = options.source
    ? [{ source: options.source, inputs }]
    : await recogniseSources(inputs);
  const cleaner = new Cleaner(options, (reason, count) => report.drop(reason, count));
  const gathered = readGroups(groups, makeContext(options, report), report);
  for await (const merged of mergeSentences(gathered, { by: options.merge ?? "text" })) {
    if (merged.brackets.length === 0) {
      report.drop("sentences without any bracket");
      continue;
    }
    const cleaned = cleaner.clean(toBracketing(merged, options));
    if (!cleaned) continue;
    report.written += 1;
    for (const [index, bracket] of cleaned.brackets.entries()) {
      if (isMark(cleaned.kinds?.[index])) continue;
      report.brackets += 1;
      if (isMultiToken(bracket, cleaned.tokens.length)) report.multiToken += 1;
    }
    yield cleaned;
  }
}

async function* readGroups(
  groups: readonly { source: Source; inputs: readonly TextInput[] }[],
  context: SourceContext,
  report: ExtractReport,
): AsyncGenerator<RawSentence> {
  for (const { source, inputs } of groups) {
    for await (const gathered of source.read(inputs, context)) {
      report.read += 1;
      yield gathered;
    }
  }
}

function makeContext(options: ExtractOptions, report: ExtractReport): SourceContext {
  return {
    language: options.language,
    predicates: options.predicates || options.clauses,
    clauses: options.clauses,
    matchText: options.matchText,
    drop: (reason, count) => report.drop(reason, count),
    attempt: (work) => {
      try {
        return work();
      } catch (error) {
        if (!options.skipBad || !(error instanceof InputError)) throw error;
        report.bad += 1;
        return undefined;
      }
    },
  };
}
