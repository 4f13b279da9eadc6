/**
 * The state of the page as the fragment of its address, `#/parse?text=…`: a link restores it, and
 * nothing of it is ever sent to a server.
 */

export interface Place {
  readonly view: string;
  readonly fields: URLSearchParams;
}

export function readPlace(fragment: string): Place {
  const [, view = "", query = ""] = /^#\/?([\w-]*)\??(.*)$/s.exec(fragment) ?? [];
  return { view, fields: new URLSearchParams(query) };
}

/** Fields without a value are left out, so that a link tells only what differs from the usual. */
export function placeFragment(view: string, fields: Readonly<Record<string, string>>): string {
  const told = Object.entries(fields).filter(([, value]) => value !== "");
  const query = new URLSearchParams(told).toString();
  return `#/${view}${query ? `?${query}` : ""}`;
}

/** Spans of numbered sentences as a field: `0:2-5,1:0-3`. */
export function spansToField(
  spans: ReadonlyMap<number, readonly { begin: number; end: number }[]>,
): string {
  return [...spans]
    .flatMap(([sentence, list]) => list.map(({ begin, end }) => `${sentence}:${begin}-${end}`))
    .join();
}

export function spansFromField(field: string): Map<number, { begin: number; end: number }[]> {
  const spans = new Map<number, { begin: number; end: number }[]>();
  for (const [, sentence, begin, end] of field.matchAll(/(\d+):(\d+)-(\d+)/g)) {
    if (Number(begin) >= Number(end)) continue;
    const key = Number(sentence);
    const list = spans.get(key) ?? [];
    list.push({ begin: Number(begin), end: Number(end) });
    spans.set(key, list);
  }
  return spans;
}
