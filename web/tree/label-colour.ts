/**
 * The colours of labels. Those of one family share a colour: WHNP is coloured as NP. In light and in dark, and
 * also for people who see no red, green or blue, any two colours differ; a test checks that. Even so a label is
 * always written beside its colour.
 */

import type { Theme } from "../theme.js";

const COLOURS = {
  noun: { light: "#1747b5", dark: "#7ba3fc" },
  verb: { light: "#8c2a00", dark: "#c25f3c" },
  preposition: { light: "#22a08d", dark: "#62e88c" },
  clause: { light: "#a868f3", dark: "#8a5ce6" },
  subordinate: { light: "#61285e", dark: "#f6bcf0" },
  adjective: { light: "#9c7a12", dark: "#d6a01c" },
  adverb: { light: "#0679a8", dark: "#2b90a8" },
  other: { light: "#5e665c", dark: "#a6aea5" },
} as const;

type Family = keyof typeof COLOURS;

const FAMILIES: Readonly<Record<Exclude<Family, "other">, string>> = {
  noun: "NP WHNP NX NAC",
  verb: "VP",
  preposition: "PP WHPP",
  clause: "S SINV SQ",
  subordinate: "SBAR SBARQ RRC",
  adjective: "ADJP WHADJP",
  adverb: "ADVP WHADVP PRT",
};
const OTHERS = "QP PRN CONJP FRAG INTJ LST UCP X";

const KNOWN = new Map<string, Family>(
  Object.entries({ ...FAMILIES, other: OTHERS }).flatMap(([family, labels]) =>
    labels.split(" ").map((label) => [label, family as Family] as const),
  ),
);

/** The colour of each of a model's labels; labels that no treebank has take the colours in turn. */
export function labelColours(
  labels: readonly string[],
  theme: Theme,
): (label: string) => string | undefined {
  const families = Object.keys(COLOURS) as Family[];
  const unknown = labels.filter((label) => !KNOWN.has(label));
  const inTurn = new Map(
    unknown.map((label, index) => [label, families[index % families.length] as Family]),
  );
  return (label) => {
    const family = KNOWN.get(label) ?? inTurn.get(label);
    return family && COLOURS[family][theme];
  };
}
