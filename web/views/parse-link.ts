/** What people did to the trees of a text, as fields of the page's address and back. */

import { spansFromField, spansToField } from "../link.js";
import { emptyState, type PaneState } from "../tree/pane-state.js";

type Place = { readonly begin: number; readonly end: number };

/** The state of each sentence by its index. */
export function readStates(fields: URLSearchParams): Map<number, PaneState> {
  const states = new Map<number, PaneState>();
  const read = (field: string, add: (state: PaneState, span: Place) => void) => {
    for (const [index, spans] of spansFromField(fields.get(field) ?? "")) {
      const state = states.get(index) ?? emptyState();
      states.set(index, state);
      for (const span of spans) add(state, span);
    }
  };
  read("must", (state, span) => state.required.push(span));
  read("not", (state, span) => state.forbidden.push(span));
  read("fold", (state, { begin, end }) => state.folded.add(`${begin}-${end}`));
  return states;
}

export function stateFields(states: ReadonlyMap<number, PaneState>): Record<string, string> {
  const spans = (pick: (state: PaneState) => readonly Place[]) =>
    spansToField(new Map([...states].map(([at, state]) => [at, pick(state)])));
  return {
    must: spans(({ required }) => required),
    not: spans(({ forbidden }) => forbidden),
    // What was folded to fit this screen may fit another.
    fold: spans(({ folded, isFitted }) => (isFitted ? [] : foldedSpans(folded))),
  };
}

function foldedSpans(folded: ReadonlySet<string>): Place[] {
  return [...folded].map((key) => {
    const [begin, end] = key.split("-").map(Number) as [number, number];
    return { begin, end };
  });
}
