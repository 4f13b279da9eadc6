/** On a phone the trees come first, and what they are made from below them; in the page's order, so for everybody. */

import { PHONE } from "../screen.js";

/** Keeps a part of a view before the trees on wide screens, and behind the rest of the view on narrow ones. */
export function treesFirst(view: HTMLElement, controls: readonly HTMLElement[]): void {
  const next = controls.at(-1)?.nextSibling ?? null;
  const arrange = () => {
    for (const part of controls) {
      if (PHONE.matches) view.append(part);
      else view.insertBefore(part, next);
    }
  };
  PHONE.addEventListener("change", arrange);
  arrange();
}
