/**
 * Turns sentences into parses, each with its own options, for the library, the command and the service.
 * A sentence that cannot be parsed has a problem in its place.
 */

import { INDUCED } from "../trees/labels.js";
import { treeFromSpans } from "../trees/transform.js";
import type { Span, Tree } from "../trees/tree.js";
import type { Decoder, DecodeTask } from "./decoder.js";
import { DEFAULT_MAX_TOKENS, type DecodeOptions } from "./options.js";
import type { Decoded } from "./scored-sentence.js";
import type { Parse, ParseProblem, SentenceInput } from "./sentence.js";

/** A sentence with what is asked of it. */
export interface ParseTask {
  readonly input: SentenceInput;
  readonly options: DecodeOptions & { readonly maxTokens?: number | undefined };
}

/** The parse of each sentence, or why it has none, in order. */
export async function parseEach(
  decoder: Decoder,
  sentences: readonly ParseTask[],
  signal?: AbortSignal,
): Promise<(Parse | ParseProblem)[]> {
  const tasks: DecodeTask[] = [];
  const places: number[] = [];
  const parses = sentences.map(({ input, options }, index): Parse | ParseProblem => {
    const { maxTokens = DEFAULT_MAX_TOKENS, ...decoding } = options;
    const { leaves, required, forbidden } = input;
    if (leaves.length === 0) return { problem: "it has no words" };
    if (leaves.length > maxTokens) return unparsed(input, `over ${maxTokens} words: not parsed`);
    places.push(index);
    tasks.push({ words: leaves.map(({ word }) => word), required, forbidden, options: decoding });
    return { problem: "it was not parsed" };
  });
  const outcomes = tasks.length > 0 ? await decoder.decode(tasks, signal) : [];
  for (const [at, outcome] of outcomes.entries()) {
    const index = places[at] as number;
    const { input } = sentences[index] as ParseTask;
    parses[index] = "problem" in outcome ? outcome : assembleParse(input, outcome);
  }
  return parses;
}

/** The sentence with the trees of its phrases. */
export function assembleParse(input: SentenceInput, decoded: Decoded): Parse {
  const { alternatives, ...rest } = decoded;
  const treeOf = (phrases: readonly (Span & { readonly label?: string })[]): Tree =>
    treeFromSpans(
      input.leaves,
      phrases.map(({ begin, end, label = INDUCED }) => ({ begin, end, label })),
    );
  return {
    ...input,
    tree: treeOf(decoded.spans),
    ...rest,
    ...(alternatives
      ? { alternatives: alternatives.map((other) => ({ ...other, tree: treeOf(other.spans) })) }
      : {}),
  };
}

/** A sentence that the model did not parse: all words in one phrase, and why. */
export function unparsed(input: SentenceInput, fallback: string): Parse {
  const whole = { begin: 0, end: input.leaves.length, label: INDUCED };
  const spans = whole.end > 1 ? [whole] : [];
  return { ...input, tree: treeFromSpans(input.leaves, spans), spans, fallback };
}
