/** The order in which tables list labels. */

import { TABLE_LABELS } from "../trees/labels.js";

/** The paper's six first, then the others from the most frequent; equally frequent by name. */
export function orderLabels(
  labels: Iterable<string>,
  frequency: (label: string) => number,
): string[] {
  const all = new Set(labels);
  const others = [...all]
    .filter((label) => !TABLE_LABELS.includes(label))
    .sort((a, b) => frequency(b) - frequency(a) || (a < b ? -1 : 1));
  return [...TABLE_LABELS.filter((label) => all.has(label)), ...others];
}
