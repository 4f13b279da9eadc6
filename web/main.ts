/** The page's frame: its views as tabs, its address as its state. */

import { h } from "./dom.js";
import { Engine } from "./engine/engine.js";
import { placeFragment, readPlace } from "./link.js";
import { themeSwitch } from "./theme.js";
import { installDrawingStyle } from "./tree/drawing.js";
import { AnnotateView } from "./views/annotate.js";
import { CompareView } from "./views/compare.js";
import { DataSetView } from "./views/data.js";
import { ParseView } from "./views/parse.js";
import { TrainingView } from "./views/training.js";
import type { Frame, View } from "./views/view.js";

class Page {
  readonly #views: readonly View[];
  readonly #tabs = new Map<View, HTMLAnchorElement>();
  readonly #frame: Frame;
  /** What each view last put into the address. */
  readonly #fragments = new Map<string, string>();
  #current: View | undefined;

  constructor(engine: Engine) {
    this.#frame = { engine, remember: (view, fields) => this.#remember(view, fields) };
    this.#views = [
      new ParseView(this.#frame),
      new CompareView(this.#frame),
      new DataSetView(this.#frame),
      new TrainingView(this.#frame),
      ...(engine.asksQuestions ? [new AnnotateView()] : []),
    ];
    this.#build();
    // Not as the address says by then: a view may have put what it remembers there meanwhile.
    addEventListener("hashchange", ({ newURL }) => this.#follow(new URL(newURL).hash));
    this.#follow(location.hash);
  }

  #build(): void {
    const list = document.querySelector("#tabs") as HTMLElement;
    const main = document.querySelector("main") as HTMLElement;
    for (const view of this.#views) {
      const tab = h(
        "a",
        {
          role: "tab",
          id: `tab-${view.name}`,
          href: `#/${view.name}`,
          "aria-controls": `view-${view.name}`,
        },
        view.title,
      );
      this.#tabs.set(view, tab);
      list.append(tab);
      Object.assign(view.element, { id: `view-${view.name}`, hidden: true });
      view.element.setAttribute("role", "tabpanel");
      view.element.setAttribute("aria-labelledby", tab.id);
      main.append(view.element);
    }
    list.addEventListener("keydown", (event) => this.#key(event));
    document.querySelector("#theme")?.replaceWith(themeSwitch());
  }

  /** Left and right go from tab to tab, as in any tab list. */
  #key(event: KeyboardEvent): void {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step || !this.#current) return;
    const count = this.#views.length;
    const next = this.#views[(this.#views.indexOf(this.#current) + step + count) % count] as View;
    event.preventDefault();
    location.hash = this.#fragments.get(next.name) ?? `#/${next.name}`;
    this.#tabs.get(next)?.focus();
  }

  /** Shows what the fragment of an address says. */
  #follow(fragment: string): void {
    const { view: name, fields } = readPlace(fragment);
    const view = this.#views.find((each) => each.name === name) ?? (this.#views[0] as View);
    const isKnown = this.#fragments.has(view.name);
    // A tab leads back to its view as it was left; only a link with fields makes it anew.
    if (!isKnown || (fields.size > 0 && this.#fragments.get(view.name) !== fragment)) {
      this.#fragments.set(view.name, fragment);
      view.restore(fields);
    } else {
      history.replaceState(null, "", this.#fragments.get(view.name) ?? "");
    }
    this.#show(view);
  }

  #show(view: View): void {
    this.#current = view;
    for (const [each, tab] of this.#tabs) {
      const isShown = each === view;
      each.element.hidden = !isShown;
      tab.setAttribute("aria-selected", String(isShown));
      tab.tabIndex = isShown ? 0 : -1;
    }
    document.title = `${view.title} · bracken`;
  }

  #remember(view: string, fields: Readonly<Record<string, string>>): void {
    const fragment = placeFragment(view, fields);
    this.#fragments.set(view, fragment);
    if (this.#current?.name === view) history.replaceState(null, "", fragment);
  }
}

installDrawingStyle();
new Page(await Engine.create());
