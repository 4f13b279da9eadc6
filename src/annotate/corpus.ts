/** The sentences that people are asked about: some of those of their documents, the same ones each time. */

import { documentFiles, readDocuments } from "../adapt/documents.js";
import { Sample } from "../adapt/sample.js";
import { sentenceId } from "../brackets/annotation-log.js";
import type { Bracketing } from "../brackets/record.js";
import { tokenKey } from "../brackets/sentence-keys.js";
import { Progress } from "../display/progress.js";
import { InputError } from "../errors.js";
import { hashText } from "../hash.js";
import type { ModelConfig } from "../model/config.js";
import { type AskableSentence, askableSpans } from "./questions.js";

/** A sentence of the corpus, as it was written if that is known. */
export interface CorpusSentence extends AskableSentence, Pick<Bracketing, "text" | "offsets"> {
  /** Whether answers about it are for measuring only. */
  readonly isHeldBack: boolean;
}

/** Which sentences of the documents are asked about. */
export interface CorpusOptions {
  /** Files, folders or patterns; any kind of document that `bracken adapt` takes. */
  readonly corpus: readonly string[];
  /** The source of all files; by default each is recognised. */
  readonly source?: string | undefined;
  /** The most sentences to ask about. */
  readonly pool: number;
  /** The share of sentences whose answers are for measuring only. */
  readonly heldBack: number;
  /** Threads that read documents. */
  readonly threads?: number | undefined;
}

/** The sample is the same each time, so that work that was interrupted goes on. */
const SEED = 1;

/**
 * Reads a sample of the sentences of the documents.
 *
 * @throws InputError if there is no sentence to ask about.
 */
export async function readCorpus(
  options: CorpusOptions,
  config: ModelConfig,
): Promise<CorpusSentence[]> {
  const files = await documentFiles(options.corpus, options);
  const sample = new Sample<Bracketing>(options.pool, SEED);
  const progress = new Progress({ unit: "sentences" });
  try {
    for await (const record of progress.count(readDocuments(files, config, options))) {
      if (isAskable(record.tokens)) sample.add(tokenKey(record.tokens), record);
    }
  } finally {
    progress.finish();
  }
  const sentences = sample.items().map(({ tokens, text, offsets }) => {
    const id = sentenceId(tokens);
    const isHeldBack = hashText(id) >>> 0 < options.heldBack * 2 ** 32;
    return { id, tokens, ...(text && offsets ? { text, offsets } : {}), isHeldBack };
  });
  if (sentences.length > 0) return sentences;
  throw new InputError(
    "the documents have no sentence of three or more words to ask about",
    { file: options.corpus[0] },
    "add documents, or name their source with --source",
  );
}

function isAskable(tokens: readonly string[]): boolean {
  return askableSpans(tokens).next().done === false;
}
