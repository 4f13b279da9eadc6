/** Parsers and gold trees, two or three of them: where they agree, where they cross, and the F1. */

import {
  baselineTree,
  choosePunctuation,
  Evaluation,
  PROTOCOLS,
  type ProtocolName,
  TagCounts,
  withPunctuation,
} from "../../src/evaluation/index.js";
import { Scorer } from "../../src/evaluation/scorer.js";
import type { SentenceInput } from "../../src/parser/sentence.js";
import { Random } from "../../src/random.js";
import { leaves, type Tree } from "../../src/trees/index.js";
import { chooseModel, modelList, ProgressLine, segmented, showLoading } from "../controls.js";
import { debounced, h, messageOf } from "../dom.js";
import { Unreachable } from "../engine/service-client.js";
import { readText } from "../read-text.js";
import type { Sentence } from "../sentence.js";
import { isNamed } from "../tree/compare-marks.js";
import { ComparePane, textOf } from "../tree/compare-pane.js";
import { percentage, type ScoredSentenceRow, scoreOf, sentenceList } from "./compare-scores.js";
import { readGold, tagged } from "./gold.js";
import { treesFirst } from "./trees-first.js";
import type { Frame, View } from "./view.js";

const FIRST_GOLD = `(S (NP (NP (DT The) (NNS children)) (SBAR (WHNP (WP who)) (S (VP (VBD fed) (NP (DT the) (NNS ducks)) (PP (IN by) (NP (DT the) (JJ old) (NN bridge))))))) (VP (VBD went) (ADVP (RB home)) (SBAR (IN before) (S (NP (PRP it)) (VP (VBD rained))))) (. .))`;
const FIRST_TEXT =
  "The old man who sat on the bench by the river told us a story about his boat. " +
  "She watched the man with the telescope. The mayor said that the park will open in May.";

const BASELINES = { right: "Right-branching", left: "Left-branching" } as const;
const MODES = {
  gold: "A parser and gold trees",
  two: "Two parsers",
  three: "Two parsers and gold trees",
} as const;
type Mode = keyof typeof MODES;

/** More sentences than this are scored, but not drawn. */
const MOST_DRAWN = 100;

/** A sentence with what is compared over it. */
interface Case {
  /** The trees of one parser or of two. */
  readonly parsed: readonly Tree[];
  /** What they are compared with; with tags, by which protocols tell punctuation. */
  readonly against: Tree;
}

export class CompareView implements View {
  readonly name = "compare";
  readonly title = "Compare";
  readonly element: HTMLElement;
  readonly #frame: Frame;
  readonly #mode = segmented("What to compare", MODES, (mode) => this.#setMode(mode));
  readonly #gold = textArea("Gold trees", "Paste trees in brackets, one or more.");
  readonly #text = textArea("Text to parse", "Type or paste a text.");
  readonly #first: HTMLSelectElement;
  readonly #second: HTMLSelectElement;
  readonly #protocol = h("select", { "aria-label": "Protocol" });
  readonly #progress = new ProgressLine();
  readonly #problem = h("p", { class: "problem", role: "alert", hidden: true });
  readonly #result = h("section", { class: "result", "aria-label": "Scores", hidden: true });
  readonly #renamed = h("li", { class: "renamed" }, "in both, under another label");
  readonly #legend = legend(this.#renamed);
  readonly #list = h("div", { class: "sentences" });
  readonly #observer: IntersectionObserver;
  readonly #panes = new Map<Element, ComparePane>();
  readonly #remember = debounced(200, () => this.#putIntoLink());
  #current: Mode = "gold";
  #work = new AbortController();

  constructor(frame: Frame) {
    this.#frame = frame;
    this.#first = this.#parserList("First parser");
    this.#second = this.#parserList("Second parser");
    for (const { name, summary } of Object.values(PROTOCOLS)) {
      this.#protocol.append(h("option", { value: name, title: summary }, name));
    }
    this.#protocol.addEventListener("change", () => void this.#compare());
    this.#observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          if (isIntersecting) this.#panes.get(target)?.reveal();
        }
      },
      { rootMargin: "400px" },
    );
    this.element = this.#build();
  }

  restore(fields: URLSearchParams): void {
    const { engine } = this.#frame;
    const choose = (list: HTMLSelectElement, id: string | null, otherwise: string) => {
      list.value = id ?? otherwise;
      if (list.selectedIndex < 0) list.value = otherwise;
    };
    chooseModel(this.#first, engine.find(fields.get("first") ?? ""));
    chooseModel(this.#second, engine.find(fields.get("second") ?? ""));
    const [first, second] = engine.listed;
    choose(this.#first, fields.get("first"), first?.id ?? "");
    // What there is to see is how models differ.
    choose(this.#second, fields.get("second"), second?.id ?? "baseline:right");
    choose(this.#protocol, fields.get("protocol"), "nob");
    this.#gold.value = fields.get("gold") ?? FIRST_GOLD;
    this.#text.value = fields.get("text") ?? FIRST_TEXT;
    const mode = fields.get("mode") ?? "";
    this.#setMode(mode in MODES ? (mode as Mode) : "gold");
  }

  #parserList(label: string): HTMLSelectElement {
    const list = modelList(label, this.#frame.engine, () => void this.#compare());
    const baselines = Object.entries(BASELINES).map(([name, title]) =>
      h("option", { value: `baseline:${name}` }, title),
    );
    list.append(h("optgroup", { label: "Without a model" }, ...baselines));
    return list;
  }

  #build(): HTMLElement {
    const composer = h(
      "form",
      {
        class: "composer",
        submit: (event: Event) => {
          event.preventDefault();
          void this.#compare();
        },
      },
      this.#mode.element,
      this.#gold,
      this.#text,
      h(
        "div",
        { class: "row" },
        h("button", { type: "submit", class: "primary" }, "Compare"),
        this.#first,
        this.#second,
        h("label", { class: "check" }, "Protocol", this.#protocol),
      ),
    );
    const view = h(
      "div",
      { class: "view" },
      composer,
      this.#progress.element,
      this.#problem,
      this.#result,
      this.#legend,
      this.#list,
    );
    treesFirst(view, [composer]);
    return view;
  }

  #setMode(mode: Mode): void {
    this.#current = mode;
    this.#mode.set(mode);
    this.#gold.hidden = mode === "two";
    this.#text.hidden = mode !== "two";
    this.#second.hidden = mode === "gold";
    this.#work.abort();
    this.#progress.hide();
    this.#clear();
    this.#remember();
    const { engine } = this.#frame;
    const wanted = mode === "gold" ? [this.#first] : [this.#first, this.#second];
    if (wanted.every(({ value }) => engine.mayAutoParse(value))) void this.#compare();
  }

  #clear(): void {
    this.#observer.disconnect();
    this.#panes.clear();
    this.#list.replaceChildren();
    this.#list.classList.remove("before");
    this.#result.hidden = true;
    this.#legend.hidden = true;
    this.#problem.hidden = true;
  }

  async #compare(): Promise<void> {
    this.#work.abort();
    this.#work = new AbortController();
    const { signal } = this.#work;
    this.#remember();
    this.#problem.hidden = true;
    // What was there stays until there is something new.
    this.#list.classList.add("before");
    this.#progress.show("Parsing …");
    try {
      this.#show(
        this.#current === "two" ? await this.#twoParsers(signal) : await this.#withGold(signal),
      );
    } catch (error) {
      if (signal.aborted) return;
      this.#list.classList.remove("before");
      this.#problem.replaceChildren(
        ...(error instanceof Unreachable
          ? [`${messageOf(error)}. `, this.#tryAgain()]
          : [messageOf(error)]),
      );
      this.#problem.hidden = false;
    }
    this.#progress.hide();
  }

  #tryAgain(): HTMLElement {
    return h("button", { type: "button", click: () => void this.#compare() }, "Try again");
  }

  async #withGold(signal: AbortSignal): Promise<Case[]> {
    const gold = readGold(this.#gold.value);
    const inputs = gold.map((tree) => ({ leaves: leaves(tree) }));
    const parsed: Tree[][] = [];
    for (const list of this.#parsers()) parsed.push(await this.#parse(list.value, inputs, signal));
    return gold.map((against, index) => ({
      parsed: parsed.map((trees) => trees[index] as Tree),
      against,
    }));
  }

  async #twoParsers(signal: AbortSignal): Promise<Case[]> {
    const model = this.#frame.engine.find(this.#first.value);
    const { inputs } = await readText(this.#text.value, model);
    const first = await this.#parse(this.#first.value, inputs, signal);
    const second = await this.#parse(this.#second.value, inputs, signal);
    return first.map((tree, index) => ({
      parsed: [tree],
      against: tagged(second[index] as Tree),
    }));
  }

  /** The parsers that are compared with what is below. */
  #parsers(): HTMLSelectElement[] {
    return this.#current === "three" ? [this.#first, this.#second] : [this.#first];
  }

  async #parse(id: string, inputs: readonly SentenceInput[], signal: AbortSignal): Promise<Tree[]> {
    const [, baseline] = /^baseline:(.*)$/.exec(id) ?? [];
    if (baseline === "left" || baseline === "right") {
      return inputs.map((input) => baselineTree(baseline, input.leaves, new Random(1)));
    }
    const model = this.#frame.engine.find(id);
    const found: Sentence[] = [];
    await this.#frame.engine.parse(model, inputs, {
      signal,
      onProgress: showLoading(this.#progress, model.name),
      onSentences: (sentences) => found.push(...sentences),
    });
    const trees = await Promise.all(found.map(async (each) => (await each.parse({})).tree));
    signal.throwIfAborted();
    return trees;
  }

  #show(cases: readonly Case[]): void {
    this.#clear();
    const protocol = this.#protocol.value as ProtocolName;
    const counts = new TagCounts();
    for (const { against } of cases) counts.add(against);
    const punctuation = choosePunctuation("auto", counts);
    const labelled = cases.some(({ parsed, against }) => [...parsed, against].every(isNamed));
    const names = this.#parsers().map(nameOf);
    const below = this.#current === "two" ? nameOf(this.#second) : "gold";
    const evaluations = names.map(() => new Evaluation(protocol, { labelled }, punctuation));
    const scorer = new Scorer(protocol, { labelled }, punctuation);
    const rows: ScoredSentenceRow[] = [];
    for (const [index, { parsed, against }] of cases.entries()) {
      const place = { file: below, line: index + 1 };
      const contenders = parsed.map((tree) => ({ tree, ...place }));
      const scores = scorer.score({ tree: against, ...place }, contenders);
      for (const [at, evaluation] of evaluations.entries()) evaluation.add(scores?.[at]);
      if (index >= MOST_DRAWN) continue;
      const pane = new ComparePane(
        index + 1,
        [...parsed, against].map((tree, at) => ({ name: names[at] ?? below, tree })),
        {
          facts: scores ? scores.map(describeScore).join("; ") : "too short to score",
          tokens: leaves(against),
          protocol: withPunctuation(PROTOCOLS[protocol], punctuation),
        },
      );
      this.#panes.set(pane.element, pane);
      this.#list.append(pane.element);
      this.#observer.observe(pane.element);
      const f1 = parsed.map((_, at) => scores?.[at]?.f1);
      rows.push({ number: index + 1, text: textOf(against), f1, show: () => pane.show() });
    }
    this.#legend.hidden = cases.length === 0;
    this.#renamed.hidden = !labelled;
    this.#result.hidden = evaluations.every(({ totals }) => totals.sentences === 0);
    this.#result.replaceChildren(
      ...evaluations.map((each, at) => scoreOf(each, { above: names[at] ?? "", below })),
      ...(rows.length > 1 ? [sentenceList(rows, names)] : []),
    );
  }

  #putIntoLink(): void {
    const unless = (usual: string, value: string) => (value === usual ? "" : value);
    const isText = this.#current === "two";
    this.#frame.remember(this.name, {
      mode: unless("gold", this.#current),
      first: this.#first.value,
      second: this.#current === "gold" ? "" : this.#second.value,
      protocol: unless("nob", this.#protocol.value),
      gold: isText ? "" : unless(FIRST_GOLD, this.#gold.value),
      text: isText ? unless(FIRST_TEXT, this.#text.value) : "",
    });
  }
}

/** The parser that is chosen in a list; where it runs is left out. */
function nameOf(list: HTMLSelectElement): string {
  const option = list.selectedOptions[0];
  return option?.dataset.name ?? option?.textContent ?? "";
}

function describeScore({ f1, matched }: { f1: number; matched: number }): string {
  return `F1 ${percentage(f1)} · ${matched} shared`;
}

function textArea(label: string, placeholder: string): HTMLTextAreaElement {
  return h("textarea", { "aria-label": label, placeholder, rows: 4, spellcheck: "false" });
}

function legend(renamed: HTMLElement): HTMLElement {
  return h(
    "ul",
    { class: "legend", hidden: true },
    h("li", { class: "shared" }, "in both"),
    renamed,
    h("li", { class: "other" }, "in one alone"),
    h("li", { class: "crossing" }, "crosses the other tree"),
  );
}
