/**
 * How phrases are coloured: by their labels, with lines that are the fainter the less probable the phrase is, or
 * by confidence alone, or not at all.
 */

import { currentTheme, type Theme } from "../theme.js";
import { confidenceColour } from "./colour.js";
import { labelColours } from "./label-colour.js";
import type { TreeNode } from "./nodes.js";

/** What colours tell. */
export type Colouring = "labels" | "confidence" | "none";

export interface Paint {
  /** The colour of a phrase and of the line to it; undefined for the drawing's own. */
  colourOf(node: TreeNode): string | undefined;
  /** How strong the line to a phrase is, from 0 to 1; undefined if all are alike. */
  strengthOf(node: TreeNode): number | undefined;
}

export const NO_PAINT: Paint = { colourOf: () => undefined, strengthOf: () => undefined };

/** @param labels those of the model; without any, phrases cannot be coloured by them. */
export function paintFor(
  colouring: Colouring,
  labels: readonly string[],
  theme: Theme = currentTheme(),
): Paint {
  if (colouring === "none") return NO_PAINT;
  if (colouring === "confidence" || labels.length === 0) {
    return {
      colourOf: ({ certainty }) =>
        certainty === undefined ? undefined : confidenceColour(certainty, theme),
      strengthOf: () => undefined,
    };
  }
  const colours = labelColours(labels, theme);
  return {
    colourOf: ({ label }) => colours(label),
    strengthOf: ({ probability }) => probability,
  };
}
