/** Spans from BIO labels: `B` begins a span, `I` continues it, anything else is outside. */

export interface BioSpan {
  readonly begin: number;
  readonly end: number;
}

/**
 * The spans of a column of labels such as `B-PER`, `I-PER`, `B`, `I`, `O`. An `I` without a beginning, or
 * of another type than the span before it, begins a span: so do most programs that read such columns.
 */
export function bioSpans(labels: readonly string[]): BioSpan[] {
  const spans: BioSpan[] = [];
  let open: { begin: number; type: string } | undefined;
  const close = (end: number) => {
    if (open) spans.push({ begin: open.begin, end });
    open = undefined;
  };
  for (const [index, label] of labels.entries()) {
    const [, position, type = ""] = /^([BI])(?:-(.*))?$/.exec(label) ?? [];
    const continues = position === "I" && open?.type === type;
    if (!continues) close(index);
    if (position && !continues) open = { begin: index, type };
  }
  close(labels.length);
  return spans;
}
