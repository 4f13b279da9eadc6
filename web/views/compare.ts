/** Two parsers, or a parser and gold trees: where they agree, where they cross, and the F1. */

import {
  baselineTree,
  choosePunctuation,
  describePunctuation,
  Evaluation,
  PROTOCOLS,
  type ProtocolName,
  TagCounts,
  withPunctuation,
} from "../../src/evaluation/index.js";
import { Scorer } from "../../src/evaluation/scorer.js";
import type { SentenceInput } from "../../src/parser/sentence.js";
import { Random } from "../../src/random.js";
import {
  constituents,
  leaves,
  mapLeaves,
  parsePenn,
  type Tree,
  unwrapRoot,
} from "../../src/trees/index.js";
import { modelList, ProgressLine, segmented, showLoading } from "../controls.js";
import { debounced, h, messageOf } from "../dom.js";
import { readText } from "../read-text.js";
import type { Sentence } from "../sentence.js";
import { ComparePane, isNamed } from "../tree/compare-pane.js";
import type { Frame, View } from "./view.js";

const FIRST_GOLD = `(S (NP (NP (DT The) (NNS children)) (SBAR (WHNP (WP who)) (S (VP (VBD fed) (NP (DT the) (NNS ducks)) (PP (IN by) (NP (DT the) (JJ old) (NN bridge))))))) (VP (VBD went) (ADVP (RB home)) (SBAR (IN before) (S (NP (PRP it)) (VP (VBD rained))))) (. .))`;
const FIRST_TEXT = "The old man who sat on the bench by the river told us a story about his boat.";

const BASELINES = { right: "Right-branching", left: "Left-branching" } as const;
const MODES = { gold: "A parser and gold trees", two: "Two parsers" } as const;
type Mode = keyof typeof MODES;

/** More sentences than this are scored, but not drawn. */
const MOST_DRAWN = 100;

interface Pair {
  readonly above: Tree;
  /** With tags, guessed where there are none: the protocols tell punctuation by them. */
  readonly below: Tree;
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
    choose(this.#first, fields.get("first"), engine.find("").id);
    choose(this.#second, fields.get("second"), "baseline:right");
    choose(this.#protocol, fields.get("protocol"), "nob");
    this.#gold.value = fields.get("gold") ?? FIRST_GOLD;
    this.#text.value = fields.get("text") ?? FIRST_TEXT;
    this.#setMode(fields.get("mode") === "two" ? "two" : "gold");
    if (engine.mayAutoParse(this.#first.value) && engine.mayAutoParse(this.#second.value)) {
      void this.#compare();
    }
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
    return h(
      "div",
      { class: "view" },
      h(
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
      ),
      this.#progress.element,
      this.#problem,
      this.#result,
      this.#legend,
      this.#list,
    );
  }

  #setMode(mode: Mode): void {
    this.#current = mode;
    this.#mode.set(mode);
    this.#gold.hidden = mode !== "gold";
    this.#text.hidden = mode !== "two";
    this.#second.hidden = mode !== "two";
    this.#clear();
    this.#remember();
  }

  #clear(): void {
    this.#observer.disconnect();
    this.#panes.clear();
    this.#list.replaceChildren();
    this.#result.hidden = true;
    this.#legend.hidden = true;
    this.#problem.hidden = true;
  }

  async #compare(): Promise<void> {
    this.#work.abort();
    this.#work = new AbortController();
    const { signal } = this.#work;
    this.#remember();
    this.#clear();
    this.#progress.show("Parsing …");
    try {
      const isGold = this.#current === "gold";
      this.#show(isGold ? await this.#withGold(signal) : await this.#twoParsers(signal));
    } catch (error) {
      if (signal.aborted) return;
      this.#problem.textContent = messageOf(error);
      this.#problem.hidden = false;
    }
    this.#progress.hide();
  }

  async #withGold(signal: AbortSignal): Promise<Pair[]> {
    const gold = readGold(this.#gold.value);
    const parsed = await this.#parse(
      this.#first.value,
      gold.map((tree) => ({ leaves: leaves(tree) })),
      signal,
    );
    return gold.map((below, index) => ({ above: parsed[index] as Tree, below }));
  }

  async #twoParsers(signal: AbortSignal): Promise<Pair[]> {
    const model = this.#frame.engine.find(this.#first.value);
    const { inputs } = await readText(this.#text.value, model);
    const above = await this.#parse(this.#first.value, inputs, signal);
    const below = await this.#parse(this.#second.value, inputs, signal);
    return above.map((tree, index) => ({ above: tree, below: tagged(below[index] as Tree) }));
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

  #names(): { above: string; below: string } {
    const title = (list: HTMLSelectElement) => list.selectedOptions[0]?.textContent ?? "";
    const below = this.#current === "gold" ? "gold" : title(this.#second);
    return { above: title(this.#first), below };
  }

  #show(pairs: readonly Pair[]): void {
    const name = this.#protocol.value as ProtocolName;
    const counts = new TagCounts();
    for (const { below } of pairs) counts.add(below);
    const punctuation = choosePunctuation("auto", counts);
    const protocol = withPunctuation(PROTOCOLS[name], punctuation);
    const labelled = pairs.some((pair) => isNamed(pair.above) && isNamed(pair.below));
    const evaluation = new Evaluation(name, { labelled }, punctuation);
    const scorer = new Scorer(name, { labelled }, punctuation);
    const names = this.#names();
    for (const [index, { above, below }] of pairs.entries()) {
      const located = { file: names.below, line: index + 1 };
      const scores = scorer.score({ tree: below, ...located }, [{ tree: above, ...located }]);
      const score = scores?.[0];
      evaluation.add(score);
      if (index >= MOST_DRAWN) continue;
      const pane = new ComparePane(
        index + 1,
        { above: { name: names.above, tree: above }, below: { name: names.below, tree: below } },
        {
          facts: score
            ? `F1 ${percentage(score.f1)} · ${score.matched} shared`
            : "too short to score",
          tokens: leaves(below),
          protocol,
        },
      );
      this.#panes.set(pane.element, pane);
      this.#list.append(pane.element);
      this.#observer.observe(pane.element);
    }
    this.#legend.hidden = pairs.length === 0;
    this.#renamed.hidden = !labelled;
    this.#showScores(evaluation, names);
  }

  #showScores(
    { totals, protocol, labelled, punctuation }: Evaluation,
    names: { above: string; below: string },
  ): void {
    this.#result.hidden = totals.sentences === 0;
    if (totals.sentences === 0) return;
    const fact = (name: string, value: string) =>
      h("div", {}, h("dt", {}, name), h("dd", {}, value));
    this.#result.replaceChildren(
      h(
        "p",
        { class: "score" },
        h("strong", {}, percentage(totals.sentenceF1)),
        h(
          "span",
          {},
          `F1 of ${names.above} against ${names.below}, protocol ${protocol}, punctuation ${describePunctuation(punctuation)}`,
        ),
      ),
      h(
        "dl",
        {},
        ...(labelled ? [fact("Labelled F1", percentage(labelled.tally.totals.sentenceF1))] : []),
        fact("Precision", percentage(totals.precision)),
        fact("Recall", percentage(totals.recall)),
        fact("Corpus F1", percentage(totals.corpusF1)),
        fact("Brackets shared", `${totals.matched} of ${totals.predicted} and ${totals.gold}`),
        fact("Sentences", String(totals.sentences)),
      ),
    );
  }

  #putIntoLink(): void {
    const isGold = this.#current === "gold";
    const unless = (usual: string, value: string) => (value === usual ? "" : value);
    this.#frame.remember(this.name, {
      mode: unless("gold", this.#current),
      first: this.#first.value,
      second: isGold ? "" : this.#second.value,
      protocol: unless("nob", this.#protocol.value),
      gold: isGold ? unless(FIRST_GOLD, this.#gold.value) : "",
      text: isGold ? "" : unless(FIRST_TEXT, this.#text.value),
    });
  }
}

function textArea(label: string, placeholder: string): HTMLTextAreaElement {
  return h("textarea", { "aria-label": label, placeholder, rows: 4, spellcheck: "false" });
}

function percentage(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
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

/** Gold trees as they are pasted: with labels and tags, with labels alone, or bare brackets. */
function readGold(text: string): Tree[] {
  const labelled = parsePenn(text, { file: "gold trees" });
  const isWord = (label = "") => label === "" || /^\p{Ll}/u.test(label);
  const isBare = labelled.every(
    (tree) =>
      leaves(tree).every(({ tag }) => isWord(tag)) &&
      constituents(tree).every(({ label }) => isWord(label)),
  );
  const trees = isBare ? parsePenn(text, { file: "gold trees", unlabelled: true }) : labelled;
  return trees.map((tree) => tagged(unwrapRoot(tree)));
}

/** Words without a tag get one that tells punctuation from words, which is all that scoring asks. */
function tagged(tree: Tree): Tree {
  return mapLeaves(tree, (leaf) =>
    leaf.tag === undefined ? { ...leaf, tag: /[\p{L}\p{N}]/u.test(leaf.word) ? "NN" : "." } : leaf,
  );
}
