/** What the data of a run decides about its model: its labels, and how it decodes. */

import type { Decoding, LabelConfig } from "../model/config.js";
import { NO_PHRASE } from "../trees/labels.js";
import { categoryNames } from "./categories.js";
import type { DataSet, Example, LabelledSpan } from "./examples.js";
import type { LossName, TrainSettings } from "./settings.js";

type Labels = Pick<LabelConfig, "classes"> & Partial<LabelConfig>;

/**
 * The ramp loss teaches only which tree is best. The soft loss teaches probabilities, and the phrase loss teaches
 * which spans are phrases. Soft labels from teachers without phrase probabilities do not teach those.
 */
export function decodingFor(
  { loss, phraseWeight }: TrainSettings,
  sets: readonly DataSet[],
): Decoding {
  if (loss === "ramp") return "best";
  const tellsPhrases = (each: Example) => !each.isSoft || each.phraseProbabilities !== undefined;
  return phraseWeight > 0 && sets.some(({ examples }) => examples.some(tellsPhrases))
    ? "phrases"
    : "risk";
}

/** The decoding of a trained model after further training: only the ramp loss makes it forget probabilities. */
export function laterDecoding(before: Decoding, taught: Decoding, loss: LossName): Decoding {
  return before === "phrases" && loss !== "ramp" ? before : taught;
}

/** The labels that the data votes for, the most frequent first; undefined if there are none. */
export function votedLabels(sets: readonly DataSet[]): Labels | undefined {
  const counts = new Map<string, number>();
  for (const { votes } of sets.flatMap(({ examples }) => examples).flatMap(labelledOf)) {
    for (const label of Object.keys(votes)) counts.set(label, (counts.get(label) ?? 0) + 1);
  }
  counts.delete(NO_PHRASE);
  if (counts.size === 0) return undefined;
  const labels = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return { classes: [NO_PHRASE, ...labels.map(([label]) => label)] };
}

/** The labels of a run: those of the categories that it induces, or those that the data votes for. */
export function labelsFor(
  { labelWeight, inducedLabels }: TrainSettings,
  sets: readonly DataSet[],
): Labels | undefined {
  if (inducedLabels !== undefined) return { classes: [NO_PHRASE, ...categoryNames(inducedLabels)] };
  return labelWeight > 0 ? votedLabels(sets) : undefined;
}

/** The labels of a model, and behind them those that only the data has. */
export function addLabels(
  known: LabelConfig | undefined,
  voted: Labels | undefined,
): Labels | undefined {
  if (!known || !voted) return known ?? voted;
  return { ...known, classes: [...new Set([...known.classes, ...voted.classes])] };
}

function labelledOf({ labelled = [] }: Example): readonly LabelledSpan[] {
  return labelled;
}
