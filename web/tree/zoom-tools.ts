/** The buttons that zoom a drawing. */

import { h } from "../dom.js";
import type { Viewport } from "./viewport.js";

export function zoomTools(viewport: Viewport): HTMLElement[] {
  const button = (label: string, sign: string, action: () => void) =>
    h(
      "button",
      { type: "button", class: "plain", "aria-label": label, title: label, click: action },
      sign,
    );
  return [
    button("Smaller", "−", () => viewport.zoomBy(-1)),
    button("Larger", "+", () => viewport.zoomBy(1)),
    button("Fit to the page", "⤢", () => viewport.fit()),
  ];
}
