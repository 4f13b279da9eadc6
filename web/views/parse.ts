/** Text in, trees out: the view that the page opens with. */

import { chooseModel, modelList, ProgressLine, showLoading } from "../controls.js";
import { debounced, h, messageOf } from "../dom.js";
import type { ModelChoice } from "../engine/engine.js";
import { Unreachable } from "../engine/service-client.js";
import { copy, textBlob } from "../exports.js";
import { shownPhrases, toTsv } from "../phrases.js";
import { readText, readWords } from "../read-text.js";
import { PHONE } from "../screen.js";
import type { Sentence } from "../sentence.js";
import { onThemeChange } from "../theme.js";
import { SentencePane } from "../tree/pane.js";
import { emptyState, type PaneState } from "../tree/pane-state.js";
import { EXAMPLES, FIRST_TEXT } from "./examples.js";
import { Intro } from "./intro.js";
import { LanguageLine } from "./language-line.js";
import { readStates, stateFields } from "./parse-link.js";
import { ParseTools } from "./parse-tools.js";
import { Tour } from "./tour.js";
import { treesFirst } from "./trees-first.js";
import type { Frame, View } from "./view.js";

const HINT =
  "Drag across words to force or forbid a bracket; click a phrase to fold it; arrow keys go " +
  "through the tree, Shift chooses words.";

/** Said where nothing is fetched before someone asks for it. */
const ASK =
  "Press Parse: the parser is fetched once, and runs in this browser. Nothing that you type is sent anywhere.";

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
  /** Says that the server is away and who parsed instead. */
  readonly #away = h("p", { class: "away", role: "status", hidden: true });
  readonly #language: LanguageLine;
  readonly #intro: Intro;
  readonly #tour: Tour;
  readonly #list = h("div", { class: "sentences" });
  readonly #more = h("button", { type: "button", class: "more", hidden: true });
  readonly #tools: ParseTools;
  readonly #remember = debounced(200, () => this.#putIntoLink());
  readonly #observer: IntersectionObserver;
  #panes = new Map<Element, SentencePane>();
  #states = new Map<number, PaneState>();
  #waiting: Sentence[] = [];
  #parsed: string | undefined;
  /** Whether the text is one sentence with blanks between its words, as data sets have them. */
  #isSplit = false;
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
    this.#language = new LanguageLine(frame.engine, (model) => {
      chooseModel(this.#model, model);
      this.#start();
    });
    this.#tour = new Tour(
      () => this.element,
      () => this.#tools.open(),
    );
    this.#intro = new Intro(this.#tour.button);
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
    addEventListener("beforeprint", () => {
      for (const pane of this.#panes.values()) void pane.look(true);
    });
  }

  restore(fields: URLSearchParams): void {
    this.#tools.restore(fields);
    this.#text.value = fields.get("text") ?? FIRST_TEXT;
    this.#isSplit = fields.get("split") === "blanks";
    const model = this.#frame.engine.find(fields.get("model") ?? "");
    chooseModel(this.#model, model);
    this.#intro.show(model);
    this.#states = readStates(fields);
    if (this.#frame.engine.mayAutoParse(model.id)) void this.#parse();
    else this.#status.textContent = ASK;
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
    const composer = h(
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
    );
    const view = h(
      "div",
      { class: "view" },
      this.#intro.element,
      composer,
      this.#progress.element,
      this.#problem,
      this.#away,
      this.#tour.element,
      this.#tools.element,
      this.#language.element,
      this.#list,
      this.#more,
      this.#status,
    );
    treesFirst(view, [composer]);
    return view;
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
    if (this.#text.value !== this.#parsed) {
      this.#states.clear();
      this.#isSplit = false;
    }
    if (PHONE.matches) this.element.scrollIntoView({ block: "start" });
    void this.#parse();
  }

  async #parse(): Promise<void> {
    this.#work.abort();
    this.#work = new AbortController();
    const { signal } = this.#work;
    const { engine } = this.#frame;
    const model = engine.find(this.#model.value);
    const told = this.#status.textContent;
    this.#parsed = this.#text.value;
    this.#intro.show(model);
    this.#remember();
    this.#wait();
    try {
      await this.#parseWith(model, signal).catch(async (error: unknown) => {
        const other = error instanceof Unreachable ? engine.standIn(model) : undefined;
        if (!other || signal.aborted) throw error;
        await this.#parseWith(other, signal).catch(() => {
          throw error;
        });
        this.#tellAway(other);
      });
    } catch (error) {
      if (!signal.aborted) this.#fail(error, told);
    }
  }

  async #parseWith(model: ModelChoice, signal: AbortSignal): Promise<void> {
    const showProgress = showLoading(this.#progress, model.name);
    const onProgress = (loaded: number, total: number) => {
      if (!signal.aborted) showProgress(loaded, total);
    };
    if (this.#text.value.trim() !== "") this.#frame.engine.prepare(model, onProgress);
    const read = this.#isSplit ? readWords : readText;
    const { inputs, language } = await read(this.#text.value, model);
    if (signal.aborted) return;
    let isFirst = true;
    // What was there stays until there is something new.
    const clear = () => {
      if (isFirst) this.#clear();
      isFirst = false;
    };
    if (inputs.length === 0) {
      clear();
      return;
    }
    this.#progress.show("Parsing …");
    const where = await this.#frame.engine.parse(model, inputs, {
      signal,
      onProgress,
      onSentences: (sentences) => {
        clear();
        this.#language.show(language, model);
        this.#add(sentences);
      },
    });
    this.#finish(model.name, where);
  }

  /** Says that work is being done; the trees of the text before are faint meanwhile. */
  #wait(): void {
    this.#progress.hide();
    this.#problem.hidden = true;
    this.#away.hidden = true;
    this.#status.textContent = "";
    this.#list.classList.add("before");
  }

  #clear(): void {
    this.#observer.disconnect();
    this.#panes.clear();
    this.#waiting = [];
    this.#list.replaceChildren();
    this.#list.classList.remove("before");
    this.#more.hidden = true;
    this.#language.hide();
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

  /** @param told what was said of the trees that are still there */
  #fail(error: unknown, told: string | null): void {
    this.#progress.hide();
    this.#list.classList.remove("before");
    this.#status.textContent = told;
    const stays = this.#panes.size > 0 ? " What is shown stays." : "";
    this.#problem.replaceChildren(
      `${messageOf(error).replace(/\.$/, "")}.${stays} `,
      this.#tryAgain(),
    );
    this.#problem.hidden = false;
  }

  #tellAway({ name }: ModelChoice): void {
    this.#away.replaceChildren(
      `The server does not answer. ${name} parsed this in your browser. `,
      this.#tryAgain(),
    );
    this.#away.hidden = false;
  }

  #tryAgain(): HTMLElement {
    return h("button", { type: "button", click: () => void this.#parse() }, "Try again");
  }

  #putIntoLink(): void {
    const [first] = this.#frame.engine.models;
    this.#frame.remember(this.name, {
      text: this.#text.value === FIRST_TEXT ? "" : this.#text.value,
      split: this.#isSplit ? "blanks" : "",
      model: this.#model.value === first?.id ? "" : this.#model.value,
      ...this.#tools.fields(),
      ...stateFields(this.#states),
    });
  }
}
