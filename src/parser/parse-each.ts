/**
 * Turns sentences into parses, each with its own options, for the library, the command and the service.
 * A sentence that cannot be parsed has a problem in its place.
 */

import type { Language } from "../languages/language.js";
import type { ModelConfig } from "../model/config.js";
import { INDUCED } from "../trees/labels.js";
import { treeFromSpans } from "../trees/transform.js";
import type { Span, Tree } from "../trees/tree.js";
import { commonLabels, type Decoder, type DecodeTask } from "./decoder.js";
import { languageFacts, rulesFor } from "./from-text.js";
import { withHeads } from "./heads.js";
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
  const inputs = sentences.map(({ input }) => withLanguage(input, decoder.configs));
  const parses = inputs.map((input, index): Parse | ParseProblem => {
    const { options } = sentences[index] as ParseTask;
    const { maxTokens = DEFAULT_MAX_TOKENS, ...decoding } = options;
    const { leaves, required, forbidden } = input;
    if (leaves.length === 0) return { problem: "it has no words" };
    if (leaves.length > maxTokens) return unparsed(input, `over ${maxTokens} words: not parsed`);
    places.push(index);
    tasks.push({ words: leaves.map(({ word }) => word), required, forbidden, options: decoding });
    return { problem: "it was not parsed" };
  });
  const outcomes = tasks.length > 0 ? await decoder.decode(tasks, signal) : [];
  const languages = await headLanguages(inputs, decoder.configs);
  for (const [at, outcome] of outcomes.entries()) {
    const index = places[at] as number;
    const input = inputs[index] as SentenceInput;
    if ("problem" in outcome) parses[index] = outcome;
    else parses[index] = assembleParse(input, outcome, languages.get(input.language));
  }
  return parses;
}

/** The sentence with what its parse says of its language. */
function withLanguage(
  { language, ...input }: SentenceInput,
  configs: readonly ModelConfig[],
): SentenceInput {
  return { ...input, ...languageFacts(language, configs) };
}

/** By code, the languages whose rules find heads; none if phrases have no names, for which rules are made. */
async function headLanguages(
  inputs: readonly SentenceInput[],
  configs: readonly ModelConfig[],
): Promise<Map<string | undefined, Language>> {
  const codes = commonLabels(configs) ? new Set(inputs.map(({ language }) => language)) : [];
  const found = new Map<string | undefined, Language>();
  for (const code of codes) found.set(code, await rulesFor(code, configs.slice(0, 1)));
  return found;
}

/**
 * The sentence with the trees of its phrases.
 *
 * @param language the language whose rules find the heads of named phrases; without it they have none.
 */
export function assembleParse(input: SentenceInput, decoded: Decoded, language?: Language): Parse {
  const { alternatives, ...rest } = decoded;
  const treeOf = (phrases: readonly (Span & { readonly label?: string })[]): Tree =>
    treeFromSpans(
      input.leaves,
      phrases.map(({ begin, end, label = INDUCED }) => ({ begin, end, label })),
    );
  const tree = treeFromSpans(input.leaves, decoded.spans);
  return {
    ...input,
    tree,
    ...rest,
    ...(language ? { spans: withHeads(decoded.spans, tree, language) } : {}),
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
