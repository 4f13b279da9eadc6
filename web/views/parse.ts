/** Text in, trees out: the view that the page opens with. */

import { describeUnknown, knowsLanguage } from "../../src/parser/from-text.js";
import { modelList, ProgressLine, showLoading } from "../controls.js";
import { debounced, h, messageOf } from "../dom.js";
import type { ModelChoice } from "../engine/engine.js";
import { copy, textBlob } from "../exports.js";
import { spansFromField, spansToField } from "../link.js";
import { shownPhrases, toTsv } from "../phrases.js";
import { readText } from "../read-text.js";
import type { Sentence } from "../sentence.js";
import { onThemeChange } from "../theme.js";
import { emptyState, type PaneState, SentencePane } from "../tree/pane.js";
import { ParseTools } from "./parse-tools.js";
import type { Frame, View } from "./view.js";

const EXAMPLES: Readonly<Record<string, string>> = {
  Ducks: "The children who fed the ducks by the old bridge went home before it rained.",
  Telescope: "She watched the man on the hill with the telescope that her brother had bought.",
  News:
    "The city council approved a plan to plant ten thousand trees along the river. " +
    "Critics say that the money would be better spent on buses. Work begins in spring.",
};
const FIRST_TEXT = EXAMPLES.Ducks as string;

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
  readonly #language = h("p", { class: "language", role: "status", hidden: true });
  readonly #list = h("div", { class: "sentences" });
  readonly #more = h("button", { type: "button", class: "more", hidden: true });
  readonly #tools: ParseTools;
  readonly #remember = debounced(200, () => this.#putIntoLink());
  readonly #observer: IntersectionObserver;
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
    this.#tools = new ParseTools(
      {
        onChange: () => {
          this.#redraw();
          this.#remember();
        },
        onCopyPhrases: () => this.#copyPhrases(),
      },
      this.#linkButton(),
    );
    this.#more.addEventListener("click", () => this.#showMore());
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
    this.#tools.restore(fields);
    this.#text.value = fields.get("text") ?? FIRST_TEXT;
    this.#model.value = this.#frame.engine.find(fields.get("model") ?? "").id;
    this.#states = readStates(fields);
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
      this.#tools.element,
      this.#language,
      this.#list,
      this.#more,
      this.#status,
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

  #redraw(): void {
    this.#tools.refresh();
    for (const pane of this.#panes.values()) pane.update(this.#tools.settings);
  }

  /** Copies the phrases of all sentences, drawn or not. */
  async #copyPhrases(): Promise<string> {
    const { settings } = this.#tools;
    const parses = [
      ...[...this.#panes.values()].map((pane) => pane.parse()),
      ...this.#waiting.map((sentence) => sentence.parse({})),
    ];
    try {
      const phrases = (await Promise.all(parses)).flatMap((parse, index) =>
        shownPhrases(parse, settings, index),
      );
      await copy(textBlob(toTsv(phrases)));
      return phrases.length === 1 ? "1 phrase copied" : `${phrases.length} phrases copied`;
    } catch (error) {
      return messageOf(error);
    }
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
      const { inputs, language } = await readText(text, model);
      if (inputs.length === 0 || signal.aborted) return;
      this.#showLanguage(language, model);
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
    this.#language.hidden = true;
    this.#status.textContent = "";
  }

  /** A line above the trees if the model does not know the language of the text. */
  #showLanguage(language: string | undefined, model: ModelChoice): void {
    if (language === undefined || knowsLanguage(language, [model])) return;
    this.#language.textContent = describeUnknown(language, model.languages);
    this.#language.hidden = false;
  }

  #add(sentences: readonly Sentence[]): void {
    if (sentences[0]) this.#tools.showLabels(sentences[0].labels);
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
        settings: this.#tools.settings,
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
    const [first] = this.#frame.engine.models;
    const spans = (pick: (state: PaneState) => readonly { begin: number; end: number }[]) =>
      spansToField(new Map([...this.#states].map(([at, state]) => [at, pick(state)])));
    this.#frame.remember(this.name, {
      text: this.#text.value === FIRST_TEXT ? "" : this.#text.value,
      model: this.#model.value === first?.id ? "" : this.#model.value,
      ...this.#tools.fields(),
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
