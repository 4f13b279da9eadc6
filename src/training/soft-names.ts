/**
 * What teachers call a span, for a student: the mean of their label probabilities. Votes of the
 * sentence, which come from people's brackets and questions, raise the odds of a label first.
 */

import type { LabelVotes } from "../languages/labels.js";
import { type LabelConfig, labelTable } from "../model/config.js";
import { type LabelFactors, labelLogits, normaliseLabels } from "../model/label-scorer.js";

/** One teacher's label vectors of a sentence. */
export interface TeacherLabels {
  readonly config: LabelConfig;
  readonly factors: LabelFactors;
}

/** Labels that are less probable are left out. */
const LEAST = 0.02;

/**
 * The probability of each label of a span.
 *
 * @param votes what the sentence's own votes say, if anything
 * @param factor how much a whole vote adds to a label's log-odds
 */
export function nameSpan(
  teachers: readonly TeacherLabels[],
  begin: number,
  end: number,
  votes: LabelVotes = {},
  factor = 0,
): LabelVotes {
  const mean: Record<string, number> = {};
  for (const { config, factors } of teachers) {
    const logits = new Float32Array(config.classes.length);
    const { labels, indexOf } = labelTable(config);
    const labelAt = (place: number) => labels[indexOf[place] as number] as string;
    labelLogits(factors, config.rank, begin, end, logits);
    for (const [place, logit] of logits.entries()) {
      logits[place] = logit + factor * (votes[labelAt(place)] ?? 0);
    }
    const probabilities = normaliseLabels(logits, end - begin === 1);
    for (const place of probabilities.keys()) {
      const label = labelAt(place);
      mean[label] = (mean[label] ?? 0) + (probabilities[place] as number) / teachers.length;
    }
  }
  const likely = Object.entries(mean).filter(([, probability]) => probability >= LEAST);
  return Object.fromEntries(likely.map(([label, p]) => [label, Number(p.toFixed(3))]));
}
