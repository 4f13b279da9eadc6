/** Brackets that the user requires or forbids, and those that clash, drawn under their words. */

import type { Span } from "../../src/trees/index.js";
import { s } from "../dom.js";
import type { Drawing } from "./drawing.js";
import { round } from "./drawing.js";
import type { Forced } from "./force-controls.js";
import { spanKey } from "./nodes.js";

const LIFT = 5;
const STEP = 5;

export function drawForced(
  { words, element }: Drawing,
  { required, forbidden }: Forced,
  clash: readonly Span[] = [],
): void {
  if (!(element instanceof SVGSVGElement) || words.length === 0) return;
  const clashes = new Set(clash.map(spanKey));
  const isAlone = (span: Span) => !clashes.has(spanKey(span));
  const all = [
    ...required.filter(isAlone).map((span) => ({ span, kind: "required" })),
    ...forbidden.filter(isAlone).map((span) => ({ span, kind: "forbidden" })),
    ...clash.map((span) => ({ span, kind: "clash" })),
  ].sort((a, b) => a.span.end - a.span.begin - (b.span.end - b.span.begin));
  const group = s("g", { "aria-hidden": "true" });
  for (const [index, { span, kind }] of all.entries()) {
    const [first, last] = [words[span.begin], words[span.end - 1]];
    if (!first || !last) continue;
    const y = first.bottom + LIFT + Math.min(index, 2) * STEP;
    const path = `M${round(first.left)} ${round(y - 4)}V${round(y)}H${round(last.right)}V${round(y - 4)}`;
    group.append(s("path", { class: kind, d: path }));
  }
  element.append(group);
}
