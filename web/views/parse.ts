/** Text in, trees out: the view that the page opens with. */

import { commonLanguage, sentencesFromText } from "../../src/parser/from-text.js";
import { modelList, ProgressLine, segmented, showLoading } from "../controls.js";
import { debounced, h, messageOf } from "../dom.js";
import { spansFromField, spansToField } from "../link.js";
import type { Sentence } from "../sentence.js";
import { onThemeChange } from "../theme.js";
import { confidenceColour } from "../tree/colour.js";
import {
  type DrawingName,
  emptyState,
  type PaneSettings,
  type PaneState,
  SentencePane,
} from "../tree/pane.js";
import type { Frame, View } from "./view.js";

const EXAMPLES: Readonly<Record<string, string>> = {
  Ducks: "The children who fed the ducks by the old bridge went home before it rained.",
  Telescope: "She watched the man on the hill with the telescope that her brother had bought.",
  News:
    "The city council approved a plan to plant ten thousand trees along the river. " +
    "Critics say that the money would be better spent on buses. Work begins in spring.",
};
const FIRST_TEXT = EXAMPLES.Ducks as string;

const DRAWING_NAMES: Readonly<Record<DrawingName, string>> = {
  tree: "Tree",
  boxes: "Boxes",
  brackets: "Brackets",
};

const HINT =
  "Drag across words to force or forbid a bracket; click a phrase to fold it; arrow keys go " +
  "through the tree, Shift chooses words.";

/** Further sentences are shown on request. */
const PAGE = 100;

export class ParseView implements View {
  readonly name = "parse";
  readonly title = "Parse";
  readonly element: HTMLElement;
  readonly #frame: Frame;
  readonly #text: HTMLTextAreaElement;
  readonly #model: HTMLSelectElement;
  readonly #progress = new ProgressLine();
  readonly #status = h("p", { class: "status", role: "status" });
  readonly #problem = h("p", { class: "problem", role: "alert", hidden: true });
  readonly #list = h("div", { class: "sentences" });
  readonly #more = h("button", { type: "button", class: "more", hidden: true });
  readonly #drawing = segmented("Drawing", DRAWING_NAMES, (drawing) => this.#set({ drawing }));
  readonly #flatness = h("input", {
    type: "range",
    min: 0,
    max: 100,
    step: 1,
    "aria-label": "From flat to all phrases",
  });
  readonly #flatnessText = h("output", {});
  readonly #colour = h("input", { type: "checkbox" });
  readonly #legend = h("span", { class: "scale", "aria-hidden": "true" });
  readonly #tools: HTMLElement;
  readonly #remember = debounced(200, () => this.#putIntoLink());
  readonly #observer: IntersectionObserver;
  #settings: PaneSettings = { drawing: "tree", threshold: 0, colour: true };
  #panes = new Map<Element, SentencePane>();
  #states = new Map<number, PaneState>();
  #waiting: Sentence[] = [];
  #parsed: string | undefined;
  #work = new AbortController();

  constructor(frame: Frame) {
    this.#frame = frame;
    this.#text = h("textarea", {
      "aria-label": "Text to parse",
      rows: 3,
      spellcheck: "false",
      placeholder: "Type or paste a text.",
      keydown: (event: KeyboardEvent) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.#start();
      },
    });
    this.#model = modelList("Model", frame.engine, () => this.#start());
    this.#tools = this.#buildTools();
    this.element = this.#build();
    this.#observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          void this.#panes.get(target)?.look(isIntersecting);
        }
      },
      { rootMargin: "400px" },
    );
    onThemeChange(() => this.#redraw());
  }

  restore(fields: URLSearchParams): void {
    const drawing = fields.get("drawing") as DrawingName | null;
    const threshold = Number(fields.get("flat") ?? 0);
    this.#settings = {
      drawing: drawing && drawing in DRAWING_NAMES ? drawing : "tree",
      threshold: threshold >= 0 && threshold <= 1 ? threshold : 0,
      colour: fields.get("colour") !== "no",
    };
    this.#text.value = fields.get("text") ?? FIRST_TEXT;
    this.#model.value = this.#frame.engine.find(fields.get("model") ?? "").id;
    this.#states = readStates(fields);
    this.#showSettings();
    if (this.#frame.engine.mayAutoParse(this.#model.value)) void this.#parse();
  }

  #build(): HTMLElement {
    const examples = Object.entries(EXAMPLES).map(([name, text]) =>
      h(
        "button",
        {
          type: "button",
          class: "plain example",
          click: () => {
            this.#text.value = text;
            this.#start();
          },
        },
        name,
      ),
    );
    return h(
      "div",
      { class: "view" },
      h(
        "form",
        {
          class: "composer",
          submit: (event: Event) => {
            event.preventDefault();
            this.#start();
          },
        },
        this.#text,
        h(
          "div",
          { class: "row" },
          h("button", { type: "submit", class: "primary" }, "Parse"),
          this.#model,
          h("p", { class: "examples" }, h("span", {}, "Try "), ...examples),
        ),
      ),
      this.#progress.element,
      this.#problem,
      this.#tools,
      this.#list,
      this.#more,
      this.#status,
    );
  }

  #buildTools(): HTMLElement {
    this.#flatness.addEventListener("input", () =>
      this.#set({ threshold: 1 - Number(this.#flatness.value) / 100 }),
    );
    this.#colour.addEventListener("change", () => this.#set({ colour: this.#colour.checked }));
    this.#more.addEventListener("click", () => this.#showMore());
    return h(
      "div",
      { class: "toolbar", hidden: true },
      this.#drawing.element,
      h(
        "div",
        { class: "flatness" },
        h("span", { "aria-hidden": "true" }, "flat"),
        this.#flatness,
        h("span", { "aria-hidden": "true" }, "full"),
        this.#flatnessText,
      ),
      h("label", { class: "check" }, this.#colour, "Confidence", this.#legend),
      this.#linkButton(),
    );
  }

  #linkButton(): HTMLElement {
    const button = h("button", { type: "button", class: "plain link" }, "Copy link");
    button.addEventListener("click", async () => {
      this.#putIntoLink();
      const copied = await navigator.clipboard.writeText(location.href).then(
        () => true,
        () => false,
      );
      button.textContent = copied ? "Link copied" : "The link is in the address bar";
      setTimeout(() => {
        button.textContent = "Copy link";
      }, 2000);
    });
    return button;
  }

  #set(change: Partial<PaneSettings>): void {
    this.#settings = { ...this.#settings, ...change };
    this.#showSettings();
    this.#redraw();
    this.#remember();
  }

  #showSettings(): void {
    const { drawing, threshold, colour } = this.#settings;
    this.#drawing.set(drawing);
    this.#flatness.value = String(Math.round((1 - threshold) * 100));
    const told =
      threshold === 0 ? "all phrases" : `phrases of ${Math.round(threshold * 100)} % and more`;
    this.#flatnessText.textContent = told;
    this.#flatness.setAttribute("aria-valuetext", told);
    this.#colour.checked = colour;
    const stops = [0, 0.5, 1].map((share) => confidenceColour(share));
    this.#legend.style.background = `linear-gradient(90deg, ${stops.join()})`;
  }

  #redraw(): void {
    this.#showSettings();
    for (const pane of this.#panes.values()) pane.update(this.#settings);
  }

  /** Parses anew what someone typed: folds and forced brackets of another text are forgotten. */
  #start(): void {
    if (this.#text.value !== this.#parsed) this.#states.clear();
    void this.#parse();
  }

  async #parse(): Promise<void> {
    this.#work.abort();
    this.#work = new AbortController();
    const { signal } = this.#work;
    const text = this.#text.value;
    const model = this.#frame.engine.find(this.#model.value);
    this.#parsed = text;
    this.#remember();
    this.#clear();
    try {
      const inputs = sentencesFromText(text, { language: await commonLanguage([model]) });
      if (inputs.length === 0 || signal.aborted) return;
      this.#progress.show("Parsing …");
      const showProgress = showLoading(this.#progress, model.name);
      const where = await this.#frame.engine.parse(model, inputs, {
        signal,
        onProgress: (loaded, total) => {
          if (!signal.aborted) showProgress(loaded, total);
        },
        onSentences: (sentences) => this.#add(sentences),
      });
      this.#finish(model.name, where);
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
    }
  }

  #clear(): void {
    this.#progress.hide();
    this.#observer.disconnect();
    this.#panes.clear();
    this.#waiting = [];
    this.#list.replaceChildren();
    this.#more.hidden = true;
    this.#problem.hidden = true;
    this.#status.textContent = "";
  }

  #add(sentences: readonly Sentence[]): void {
    this.#tools.hidden = false;
    this.#waiting.push(...sentences);
    const room = PAGE - this.#panes.size;
    if (room > 0) this.#show(this.#waiting.splice(0, room));
    this.#more.hidden = this.#waiting.length === 0;
    this.#more.textContent = `Show ${Math.min(PAGE, this.#waiting.length)} more of ${this.#waiting.length} sentences`;
  }

  #showMore(): void {
    this.#show(this.#waiting.splice(0, PAGE));
    this.#add([]);
  }

  #show(sentences: readonly Sentence[]): void {
    for (const sentence of sentences) {
      const index = this.#panes.size;
      const state = this.#states.get(index) ?? emptyState();
      this.#states.set(index, state);
      const pane = new SentencePane(sentence, index + 1, {
        settings: this.#settings,
        state,
        onChange: this.#remember,
      });
      this.#panes.set(pane.element, pane);
      this.#list.append(pane.element);
      this.#observer.observe(pane.element);
    }
  }

  #finish(model: string, where: string): void {
    this.#progress.hide();
    const count = this.#panes.size + this.#waiting.length;
    const sentences = count === 1 ? "1 sentence" : `${count} sentences`;
    this.#status.textContent = `${sentences}, parsed by ${model} ${where}. ${HINT}`;
  }

  #fail(error: unknown): void {
    this.#progress.hide();
    this.#problem.textContent = messageOf(error);
    this.#problem.hidden = false;
  }

  #putIntoLink(): void {
    const { drawing, threshold, colour } = this.#settings;
    const [first] = this.#frame.engine.models;
    const spans = (pick: (state: PaneState) => readonly { begin: number; end: number }[]) =>
      spansToField(new Map([...this.#states].map(([at, state]) => [at, pick(state)])));
    this.#frame.remember(this.name, {
      text: this.#text.value === FIRST_TEXT ? "" : this.#text.value,
      model: this.#model.value === first?.id ? "" : this.#model.value,
      drawing: drawing === "tree" ? "" : drawing,
      flat: threshold === 0 ? "" : String(Math.round(threshold * 100) / 100),
      colour: colour ? "" : "no",
      must: spans(({ required }) => required),
      not: spans(({ forbidden }) => forbidden),
      fold: spans(({ folded }) => foldedSpans(folded)),
    });
  }
}

function foldedSpans(folded: ReadonlySet<string>): { begin: number; end: number }[] {
  return [...folded].map((key) => {
    const [begin, end] = key.split("-").map(Number) as [number, number];
    return { begin, end };
  });
}

function readStates(fields: URLSearchParams): Map<number, PaneState> {
  const states = new Map<number, PaneState>();
  const read = (
    field: string,
    add: (state: PaneState, span: { begin: number; end: number }) => void,
  ) => {
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
