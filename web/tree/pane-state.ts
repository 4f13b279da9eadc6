/** How sentences are drawn, and what people did to one of them. */

import type { Span } from "../../src/trees/index.js";
import type { Shown } from "../sentence.js";
import type { Colouring } from "./paint.js";

export type DrawingName = "tree" | "boxes" | "brackets";

export interface PaneSettings extends Shown {
  readonly drawing: DrawingName;
  readonly colouring: Colouring;
}

export interface PaneState {
  folded: Set<string>;
  /** Whether phrases were folded to make the tree fit, and by nobody's wish. */
  isFitted: boolean;
  required: Span[];
  forbidden: Span[];
}

export function emptyState(): PaneState {
  return { folded: new Set(), isFitted: false, required: [], forbidden: [] };
}
