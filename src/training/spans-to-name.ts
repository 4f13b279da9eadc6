/** Which brackets of a sentence are clustered into categories. */

import { type Bracketing, isMark, SOFT_LABEL, toSpan } from "../brackets/record.js";
import type { Span } from "../trees/tree.js";

/** Of soft labels, those that are more probable than not count as brackets. */
const LEAST_PROBABLE = 0.5;

/** The brackets that are clustered: each span once, without the whole sentence. */
export function spansToName(
  { tokens, brackets, kinds, weights }: Bracketing,
  wanted?: ReadonlySet<string>,
): Span[] {
  const spans = new Map<string, Span>();
  for (const [index, bracket] of brackets.entries()) {
    const kind = kinds?.[index] ?? "bracket";
    const isLikely = kind !== SOFT_LABEL || (weights?.[index] ?? 1) >= LEAST_PROBABLE;
    const isWhole = bracket[1] - bracket[0] === tokens.length;
    if (isWhole || !isLikely || isMark(kind) || (wanted && !wanted.has(kind))) continue;
    spans.set(bracket.join(), toSpan(bracket));
  }
  return [...spans.values()];
}
