/** Parses what can be parsed of several sentences: too long a one must not cost the others. */

import type { ParseOptions, ParseProblem, Parser } from "../parser/parser.js";
import type { Parse, ParserInput } from "../parser/sentence.js";

export async function parseEach(
  parser: Parser,
  sentences: readonly ParserInput[],
  options: ParseOptions,
): Promise<(Parse | ParseProblem)[]> {
  try {
    return await parser.parseEach(sentences, options);
  } catch (error) {
    const problem = problemOf(error);
    if (sentences.length === 1) return [problem];
  }
  const parses: (Parse | ParseProblem)[] = [];
  for (const sentence of sentences) parses.push(...(await parseEach(parser, [sentence], options)));
  return parses;
}

/** Memory may not suffice for a sentence; all else is not the sentence's fault. */
function problemOf(error: unknown): ParseProblem {
  if (!(error instanceof Error && /allocat/i.test(error.message))) throw error;
  return { problem: `not enough memory for so many words (${error.message})` };
}
