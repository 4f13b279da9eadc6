/** Parsing on the server: `bracken serve` answers with trees and, for sentences not too long, charts. */

import type { Decoding } from "../../src/model/config.js";
import { unparsed } from "../../src/parser/parse-each.js";
import type { ParseRecord } from "../../src/parser/parse-record.js";
import type { Parse, SentenceInput } from "../../src/parser/sentence.js";
import { fromRecord } from "../../src/trees/index.js";
import { remoteSentence, type Sentence, scoredSentence } from "../sentence.js";

type AnsweredRecord =
  | { readonly error: string }
  | (ParseRecord & { readonly chart?: ChartRecord | null });

interface ChartRecord {
  readonly scores: string;
  readonly decoding: Decoding;
}

/** How many sentences the service gives charts for in one answer. */
const BATCH = 32;

export async function parseOnService(
  model: string,
  inputs: readonly SentenceInput[],
  onSentences: (sentences: readonly Sentence[]) => void,
  signal?: AbortSignal,
): Promise<void> {
  for (let at = 0; at < inputs.length; at += BATCH) {
    const batch = inputs.slice(at, at + BATCH);
    const records = await ask(model, batch, signal);
    onSentences(
      records.map((record, index) => toSentence(model, batch[index] as SentenceInput, record)),
    );
  }
}

async function ask(
  model: string,
  inputs: readonly SentenceInput[],
  signal?: AbortSignal,
): Promise<AnsweredRecord[]> {
  const response = await fetch("v1/parse", {
    method: "POST",
    ...(signal ? { signal } : {}),
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      model,
      options: { scores: true, marginals: true, chart: true },
      sentences: inputs.map(({ leaves, required, forbidden }) => ({
        tokens: leaves.map(({ word }) => word),
        ...(required ? { required: required.map(({ begin, end }) => [begin, end]) } : {}),
        ...(forbidden ? { forbidden: forbidden.map(({ begin, end }) => [begin, end]) } : {}),
      })),
    }),
  });
  const answer = await response.json();
  if (!response.ok)
    throw new Error(answer?.error?.message ?? `the server answers ${response.status}`);
  return (answer as { sentences: AnsweredRecord[] }).sentences;
}

function toSentence(model: string, input: SentenceInput, record: AnsweredRecord): Sentence {
  if (!("error" in record) && record.chart) {
    return scoredSentence(input, floats(record.chart.scores), record.chart.decoding);
  }
  const again = async (constrained: SentenceInput) => {
    const [answered] = await ask(model, [constrained]);
    return toParse(constrained, answered as AnsweredRecord);
  };
  return remoteSentence(toParse(input, record), again);
}

function toParse(input: SentenceInput, record: AnsweredRecord): Parse {
  if ("error" in record) throw new Error(record.error);
  const { spans, score, fallback } = record;
  if (fallback !== undefined) return unparsed(input, fallback);
  return {
    ...input,
    tree: fromRecord(record),
    spans,
    ...(score === undefined ? {} : { score }),
  };
}

function floats(base64: string): Float32Array {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return new Float32Array(bytes.buffer);
}
