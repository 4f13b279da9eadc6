/** Parses what can be parsed of several sentences: what is wrong with one must not cost the others. */

import { InputError } from "../errors.js";
import type { ParseProblem } from "./parse-run.js";
import type { ParseOptions, Parser } from "./parser.js";
import type { Parse, ParserInput } from "./sentence.js";

export async function parseEach(
  parser: Parser,
  sentences: readonly ParserInput[],
  options: ParseOptions,
): Promise<(Parse | ParseProblem)[]> {
  try {
    return await parser.parseAll(sentences, options);
  } catch (error) {
    const problem = problemOf(error);
    if (sentences.length === 1) return [problem];
  }
  const parses: (Parse | ParseProblem)[] = [];
  for (const sentence of sentences) parses.push(...(await parseEach(parser, [sentence], options)));
  return parses;
}

/** Its constraints may conflict, or memory may not suffice for it; all else is not the sentence's. */
function problemOf(error: unknown): ParseProblem {
  if (error instanceof InputError) return { problem: error.problem };
  if (!(error instanceof Error && /allocat/i.test(error.message))) throw error;
  return { problem: `not enough memory for so many words (${error.message})` };
}
