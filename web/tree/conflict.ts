/** Why no tree can have the brackets that a person asks for, in words and with the brackets that are to blame. */

import { cross, type Leaf, type Span } from "../../src/trees/index.js";
import type { Forced } from "./force-controls.js";

export interface Conflict {
  readonly message: string;
  /** The brackets to show. */
  readonly spans: readonly Span[];
}

/** Undefined if nothing is plainly wrong: the parser may still find no tree. */
export function findConflict(
  { required, forbidden }: Forced,
  leaves: readonly Leaf[],
): Conflict | undefined {
  const outside = [...required, ...forbidden].find(({ end }) => end > leaves.length);
  if (outside) {
    const place = `words ${outside.begin + 1} to ${outside.end}`;
    const message = `The link asks for a bracket around ${place}, but the sentence has ${leaves.length}.`;
    return { message, spans: [] };
  }
  const crossing = required.flatMap((span, index) =>
    required.slice(0, index).flatMap((other) => (cross(other, span) ? [[other, span]] : [])),
  )[0] as [Span, Span] | undefined;
  if (crossing) {
    const [one, other] = crossing.map((span) => quote(span, leaves));
    return {
      message: `These two brackets cross: ${one} and ${other}. A tree can have one of them, not both.`,
      spans: crossing,
    };
  }
  const whole = forbidden.find(({ begin, end }) => begin === 0 && end === leaves.length);
  if (!whole) return undefined;
  return {
    message: "The whole sentence is a phrase of every tree; it cannot be forbidden.",
    spans: [whole],
  };
}

/** What to say if the parser finds no tree and no two brackets are to blame. */
export const NO_TREE =
  "No tree is left: with these phrases forbidden, the words cannot be put together. Allow one of them again.";

/** Words in quotation marks, long phrases without their middle. */
export function quote({ begin, end }: Span, leaves: readonly Leaf[]): string {
  return `“${shortened(leaves.slice(begin, end).map(({ word }) => word))}”`;
}

export function shortened(words: readonly string[]): string {
  return (words.length > 8 ? [...words.slice(0, 4), "…", ...words.slice(-3)] : words).join(" ");
}
