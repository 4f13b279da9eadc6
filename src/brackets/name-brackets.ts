/**
 * Votes for the names of phrases, from all that is known of a sentence's brackets: the language's
 * rules (languages/labels.ts) see how each was found, which questions it answers, and its words. A
 * bracket keeps its votes; votes for other spans become entries of their own, which say what the span
 * is called if it is a phrase, and not that it is one.
 */

import type { EvidenceSpan, LabelRules, LabelVotes } from "../languages/labels.js";
import type { Span } from "../trees/tree.js";
import { meanVotes } from "./bracket-fields.js";
import type { Entry } from "./enrich.js";
import { isMark, LABEL } from "./record.js";

/**
 * @param entries what the record will hold
 * @param words single words that people marked, which need not be among the entries
 */
export function nameBrackets(
  entries: readonly Entry[],
  words: readonly Entry[],
  tokens: readonly string[],
  rules: LabelRules,
): Entry[] {
  const evidence = [...entries.filter(({ kind }) => !isMark(kind)), ...words];
  const verbs = evidence.filter(({ kind }) => kind === "predicate").map(({ begin }) => begin);
  const spans = evidence.map(toEvidence);
  const votes = new Map<string, { span: Span; found: { votes: LabelVotes; weight: number }[] }>();
  for (const { votes: given, begin, end } of rules.vote({ tokens, verbs: new Set(verbs), spans })) {
    const known = votes.get(`${begin},${end}`);
    if (known) known.found.push({ votes: given, weight: 1 });
    else
      votes.set(`${begin},${end}`, { span: { begin, end }, found: [{ votes: given, weight: 1 }] });
  }
  const named = entries.map((entry): Entry => {
    const found = isMark(entry.kind) ? undefined : votes.get(`${entry.begin},${entry.end}`)?.found;
    return found ? { ...entry, labels: meanVotes(found) } : entry;
  });
  const taken = new Set(
    named.filter(({ labels }) => labels).map(({ begin, end }) => `${begin},${end}`),
  );
  const others = [...votes]
    .filter(([key]) => !taken.has(key))
    .map(([, { span, found }]) => ({ ...span, kind: LABEL, weight: 1, labels: meanVotes(found) }));
  return [...named, ...others];
}

function toEvidence({ begin, end, kind, questions = [] }: Entry): EvidenceSpan {
  return { begin, end, kind, wh: new Set(questions.map(({ wh }) => wh)) };
}
