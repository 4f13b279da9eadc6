/** What the page's frame knows of a view, and what a view can ask of the frame. */

import type { Engine } from "../engine/engine.js";

export interface View {
  /** The view's name in links. */
  readonly name: string;
  readonly title: string;
  readonly element: HTMLElement;
  /** Makes the view what a link says, before it is shown for the first time and when the link changes. */
  restore(fields: URLSearchParams): void;
}

export interface Frame {
  readonly engine: Engine;
  /** Puts the state of a view into the page's address. Fields left empty are the usual. */
  remember(view: string, fields: Readonly<Record<string, string>>): void;
}
