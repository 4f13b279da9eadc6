/**
 * One sentence with its tree: drawn as asked, folded and unfolded, gone through by keyboard, its words
 * chosen to force or forbid brackets, its phrases listed beside it, and taken out of the page in several forms.
 */

import { InputError } from "../../src/errors.js";
import type { Parse } from "../../src/parser/sentence.js";
import type { Span } from "../../src/trees/index.js";
import { h, messageOf } from "../dom.js";
import { Unparsed } from "../engine/service-client.js";
import { type Exportable, formatsOf } from "../exports.js";
import { shownPhrases } from "../phrases.js";
import { PHONE, WIDE } from "../screen.js";
import { type Sentence, shownTree } from "../sentence.js";
import { currentTheme, type Theme } from "../theme.js";
import { describeCertainty } from "./certainty.js";
import { findConflict, NO_TREE } from "./conflict.js";
import { drawBoxes } from "./draw-boxes.js";
import { drawBrackets } from "./draw-brackets.js";
import { drawTree, planTree } from "./draw-tree.js";
import type { Drawing } from "./drawing.js";
import { exportMenu } from "./export-menu.js";
import { foldToFit } from "./fold-to-fit.js";
import { type Force, ForceControls, type Forced } from "./force-controls.js";
import { drawForced } from "./forced.js";
import { neighbour, RovingFocus } from "./keyboard.js";
import { labelColours } from "./label-colour.js";
import { buildNodes, phraseKey, spanKey, type TreeNode } from "./nodes.js";
import { paintFor } from "./paint.js";
import { type DrawingName, emptyState, type PaneSettings, type PaneState } from "./pane-state.js";
import { PhraseList } from "./phrase-list.js";
import { hideTooltip, showTooltip } from "./tooltip.js";
import { Viewport } from "./viewport.js";
import { WordChoice } from "./word-choice.js";
import { zoomTools } from "./zoom-tools.js";

const DRAWINGS = { tree: drawTree, boxes: drawBoxes, brackets: drawBrackets } as const;

/** Sentences with more words are folded at first if they do not fit; on a phone all that do not fit. */
const LONG = 40;

export class SentencePane {
  readonly element: HTMLElement;
  readonly #sentence: Sentence;
  readonly #state: PaneState;
  readonly #onChange: () => void;
  readonly #viewport = new Viewport();
  readonly #focus = new RovingFocus();
  readonly #words: WordChoice<TreeNode>;
  readonly #facts = h("p", { class: "facts" });
  readonly #unfold = h("button", { type: "button", class: "unfold", hidden: true }, "Unfold all");
  readonly #controls: ForceControls;
  /** Only if phrases have names. */
  readonly #list: PhraseList | undefined;
  readonly #problem = h("p", { class: "problem", role: "alert", hidden: true });
  #settings: PaneSettings;
  #parse: Parse | undefined;
  #drawing: Drawing | undefined;
  /** Brackets that no tree can have together, as long as the person is told. */
  #clash: readonly Span[] = [];
  #isInView = false;
  /** Whether the drawing is not what it should be: nobody was looking. */
  #isStale = true;

  constructor(
    sentence: Sentence,
    number: number,
    options: { settings: PaneSettings; state: PaneState; onChange: () => void },
  ) {
    this.#sentence = sentence;
    this.#settings = options.settings;
    this.#state = options.state;
    this.#onChange = options.onChange;
    this.#words = new WordChoice(this.#viewport.element, (span) => this.#showChoice(span));
    this.#controls = new ForceControls(sentence.input.leaves, {
      force: (span, kind) => void this.#force(span, kind),
      cancel: () => this.#words.clear(),
    });
    if (sentence.labels.length > 0) {
      this.#list = new PhraseList(`Phrases of sentence ${number}`, WIDE.matches, {
        onPoint: (key) => this.#light(this.#nodeFor(key ?? this.#list?.kept)),
        onKeep: (key) => this.#reveal(this.#nodeFor(key)),
      });
    }
    this.element = this.#build(number);
    this.#listen();
  }

  /** The parse with its forced brackets, also before the pane is drawn. */
  async parse(): Promise<Parse> {
    const { required, forbidden } = this.#state;
    return this.#parse ?? this.#sentence.parse({ required, forbidden });
  }

  /** Draws when the pane comes into view, and not before. */
  async look(isInView: boolean): Promise<void> {
    this.#isInView = isInView;
    if (!isInView || !this.#isStale) return;
    this.#isStale = false;
    if (this.#parse) this.#draw();
    else await this.#parseFirst();
  }

  async #parseFirst(): Promise<void> {
    if (await this.#reparse()) {
      this.#foldLong();
      return;
    }
    // A link may ask for brackets that no tree has: the tree without them, and what is wrong.
    const problem = this.#problem.textContent;
    const clash = this.#clash;
    Object.assign(this.#state, emptyState());
    if (await this.#reparse()) this.#tell(problem, clash);
  }

  /** A long tree is folded at first, so that all of it can be seen and read. */
  #foldLong(): void {
    const { leaves: words, fallback } = this.#parse as Parse;
    const isLong = words.length > LONG || PHONE.matches;
    if (!isLong || fallback !== undefined || this.#state.folded.size > 0) return;
    const folded = foldToFit(this.#nodes(), (tried) =>
      this.#viewport.hasRoomFor(planTree(this.#nodes(tried), "on").width),
    );
    if (folded.size === 0) return;
    Object.assign(this.#state, { folded, isFitted: true });
    this.#draw();
  }

  update(settings: PaneSettings): void {
    this.#settings = settings;
    if (this.#isInView) this.#draw();
    else this.#isStale = true;
  }

  #build(number: number): HTMLElement {
    const tools = h(
      "div",
      { class: "tools" },
      ...zoomTools(this.#viewport),
      exportMenu(`sentence-${number}`, formatsOf(this.#sentence.labels.length > 0), () =>
        this.#exportable(number - 1),
      ),
    );
    const text = this.#sentence.input.leaves.map(({ word }) => word).join(" ");
    return h(
      "article",
      { class: "sentence", "aria-label": `Sentence ${number}: ${text}` },
      h(
        "header",
        {},
        h("span", { class: "number", "aria-hidden": "true" }, String(number)),
        this.#facts,
        this.#unfold,
        tools,
      ),
      this.#controls.list,
      h("div", { class: "drawn" }, this.#viewport.element, this.#list?.element),
      this.#controls.bar,
      this.#problem,
    );
  }

  #exportable(index: number): Exportable {
    const parse = this.#parse as Parse;
    const settings = this.#settings;
    const { drawing } = settings;
    return {
      parse,
      tree: shownTree(parse, settings),
      phrases: () => shownPhrases(parse, settings, index),
      picture: (theme) =>
        this.#drawn(drawing === "brackets" ? "tree" : drawing, theme).element as SVGSVGElement,
    };
  }

  async #reparse(): Promise<boolean> {
    const { required, forbidden } = this.#state;
    const conflict = findConflict(this.#state, this.#sentence.input.leaves);
    if (conflict) {
      this.#tell(conflict.message, conflict.spans);
      return false;
    }
    try {
      this.#parse = await this.#sentence.parse({ required, forbidden });
      this.#quieten();
    } catch (error) {
      const isTreeless = error instanceof InputError || error instanceof Unparsed;
      const isForced = required.length + forbidden.length > 0;
      this.#tell(isTreeless && isForced ? NO_TREE : messageOf(error));
      return false;
    }
    this.#draw();
    return true;
  }

  /** Tells a problem, with the brackets that clash. */
  #tell(problem: string | null, clash: readonly Span[] = []): void {
    this.#problem.textContent = problem;
    this.#problem.hidden = false;
    this.#clash = clash;
    if (clash.length > 0) this.#draw();
  }

  #quieten(): void {
    this.#problem.hidden = true;
    const hadClash = this.#clash.length > 0;
    this.#clash = [];
    if (hadClash) this.#draw();
  }

  #nodes(folded: ReadonlySet<string> = this.#state.folded): TreeNode {
    const parse = this.#parse as Parse;
    return buildNodes(shownTree(parse, this.#settings), { spans: parse.spans, folded });
  }

  #drawn(name: DrawingName, theme?: Theme): Drawing {
    const paint = paintFor(this.#settings.colouring, this.#sentence.labels, theme);
    // What was not parsed is text, and is shown as text.
    const isText = (this.#parse as Parse).fallback !== undefined;
    const drawing = DRAWINGS[isText ? "brackets" : name](this.#nodes(), paint);
    drawForced(drawing, this.#state as Forced, this.#clash);
    return drawing;
  }

  #draw(): void {
    if (!this.#parse) return;
    const hadFocus = this.#viewport.element.contains(document.activeElement);
    const drawing = this.#drawn(this.#settings.drawing);
    this.#drawing = drawing;
    this.#viewport.show(drawing.element, drawing);
    this.#focus.adopt(drawing.elements, hadFocus);
    this.#words.adopt([...drawing.elements].filter(([{ leaf }]) => leaf));
    this.#showFacts();
    this.#controls.showForced(this.#state);
    this.#showPhrases();
  }

  #showPhrases(): void {
    if (!this.#list || !this.#parse) return;
    const { labels } = this.#sentence;
    const isByLabel = this.#settings.colouring === "labels";
    const colours = isByLabel ? labelColours(labels, currentTheme()) : undefined;
    const phrases = shownPhrases(this.#parse, this.#settings);
    this.#list.show(phrases, ({ label }) => colours?.(label));
    this.#light(this.#nodeFor(this.#list.kept));
  }

  #showFacts(): void {
    const parse = this.#parse as Parse;
    const count = parse.leaves.length;
    const { isFitted, folded } = this.#state;
    this.#facts.textContent = [
      count === 1 ? "1 word" : `${count} words`,
      parse.fallback === undefined
        ? describeCertainty(parse)
        : `${parse.fallback}; no phrases are shown`,
      isFitted && folded.size > 0 ? "folded to fit" : "",
    ]
      .filter(Boolean)
      .join(" · ");
    this.#unfold.hidden = folded.size === 0;
  }

  #listen(): void {
    const area = this.#viewport.element;
    this.#unfold.addEventListener("click", () => this.#foldOnly(new Set()));
    area.addEventListener("click", (event) => this.#click(event));
    area.addEventListener("keydown", (event) => this.#key(event));
    area.addEventListener("focusin", ({ target }) => {
      const node = this.#focus.nodeOf(target as Element);
      if (node) this.#focus.follow(node);
    });
    for (const come of ["pointerover", "focusin"] as const) {
      area.addEventListener(come, (event) => this.#attend(event.target as Element));
    }
    for (const go of ["pointerleave", "focusout"] as const) {
      area.addEventListener(go, () => this.#attend(null));
    }
  }

  /** Shows what a phrase is, lights up its words, and marks it in the list. */
  #attend(target: Element | null): void {
    const node = target && this.#focus.nodeOf(target);
    const phrase = node && !node.leaf ? node : undefined;
    if (phrase) showTooltip(phrase, target?.closest(".node") as Element);
    else hideTooltip();
    this.#list?.mark(phrase && phraseKey(phrase));
    this.#light(phrase ?? this.#nodeFor(this.#list?.kept));
  }

  /** Lights up a phrase, its words and its head; or nothing. */
  #light(node: TreeNode | undefined): void {
    for (const [each, element] of this.#drawing?.elements ?? []) {
      element.classList.toggle("lit", each === node);
      if (!each.leaf) continue;
      const isCovered = node !== undefined && each.begin >= node.begin && each.end <= node.end;
      element.classList.toggle("covered", isCovered);
      element.classList.toggle("head", isCovered && each.begin === node.head);
    }
  }

  /** The drawn phrase with a key, or the folded one that it is in. */
  #nodeFor(key: string | undefined): TreeNode | undefined {
    if (key === undefined) return undefined;
    const drawn = [...(this.#drawing?.elements.keys() ?? [])];
    const found = drawn.find((node) => !node.leaf && phraseKey(node) === key);
    if (found) return found;
    const [begin = 0, end = 0] = key.split(/[-:]/).map(Number);
    return drawn.find((node) => node.isFolded && node.begin <= begin && end <= node.end);
  }

  /** Lights up a phrase and brings it into view. */
  #reveal(node: TreeNode | undefined): void {
    this.#light(node);
    const element = node && this.#drawing?.elements.get(node);
    element?.scrollIntoView({ block: "nearest", inline: "center" });
  }

  #click(event: MouseEvent): void {
    const node = this.#focus.nodeOf(event.target as Element);
    if (!node || node.leaf) return;
    this.#focus.focus(node);
    this.#fold(node);
  }

  #fold(node: TreeNode): void {
    const folded = new Set(this.#state.folded);
    const key = spanKey(node);
    if (!folded.delete(key)) folded.add(key);
    this.#foldOnly(folded);
  }

  #foldOnly(folded: Set<string>): void {
    Object.assign(this.#state, { folded, isFitted: false });
    hideTooltip();
    this.#draw();
    this.#onChange();
  }

  #key(event: KeyboardEvent): void {
    const node = this.#focus.nodeOf(event.target as Element);
    if (!node || event.ctrlKey || event.metaKey || event.altKey) return;
    if (this.#act(node, event)) event.preventDefault();
  }

  /** Does what a key asks for; false if it asks for nothing. */
  #act(node: TreeNode, { key, shiftKey }: KeyboardEvent): boolean {
    const span = this.#words.span ?? node;
    if (shiftKey && (key === "ArrowLeft" || key === "ArrowRight") && node.leaf) {
      const next = this.#words.extend(node, key === "ArrowLeft" ? -1 : 1);
      if (next) this.#focus.focus(next);
      return true;
    }
    if ((key === "Enter" || key === " ") && !node.leaf) this.#fold(node);
    else if (key === "Escape") this.#words.clear();
    else if (key === "r") this.#force(span, "required");
    else if (key === "f") this.#force(span, "forbidden");
    else if (key === "Delete" || key === "Backspace") this.#force(span, undefined);
    else {
      const next = neighbour(node, key);
      if (next) this.#focus.focus(next);
      return next !== undefined;
    }
    return true;
  }

  /** Makes a bracket required or forbidden, or neither; one that no tree can obey is taken back. */
  async #force(span: Span, kind: Force): Promise<void> {
    const { required, forbidden } = this.#state;
    const others = (list: readonly Span[]) =>
      list.filter((each) => spanKey(each) !== spanKey(span));
    const wanted = { begin: span.begin, end: span.end };
    this.#state.required = [...others(required), ...(kind === "required" ? [wanted] : [])];
    this.#state.forbidden = [...others(forbidden), ...(kind === "forbidden" ? [wanted] : [])];
    if (await this.#reparse()) {
      this.#words.clear();
      this.#onChange();
    } else {
      Object.assign(this.#state, { required, forbidden });
      this.#controls.showForced(this.#state);
    }
  }

  #showChoice(span: Span | undefined): void {
    this.#quieten();
    const isPhrase = span && span.end - span.begin > 1;
    const known = isPhrase ? this.#sentence.judge(span) : undefined;
    this.#controls.showChoice(span, known, this.#state);
  }
}
