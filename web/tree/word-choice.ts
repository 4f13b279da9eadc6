/**
 * Choosing words: drag across them, tap the first and the last, or hold Shift with the arrow keys.
 * What is chosen can then be made a bracket of the tree, or be kept from being one.
 */

import type { Span } from "../../src/trees/index.js";

/** `Word` is whatever stands for a word, with its place in the sentence. */
export class WordChoice<Word extends Span> {
  #words: readonly { node: Word; element: Element }[] = [];
  #anchor: number | undefined;
  #head = 0;
  #dragging = false;
  readonly #onChange: (span: Span | undefined) => void;

  constructor(area: HTMLElement, onChange: (span: Span | undefined) => void) {
    this.#onChange = onChange;
    area.addEventListener("pointerdown", (event) => this.#press(event));
    area.addEventListener("pointermove", (event) => this.#move(event));
    for (const end of ["pointerup", "pointercancel"] as const) {
      area.addEventListener(end, () => {
        this.#dragging = false;
      });
    }
  }

  adopt(words: readonly (readonly [Word, Element])[]): void {
    this.#words = words
      .map(([node, element]) => ({ node, element }))
      .sort((a, b) => a.node.begin - b.node.begin);
    this.#show();
  }

  /** The chosen words, as a span. */
  get span(): Span | undefined {
    if (this.#anchor === undefined) return undefined;
    return {
      begin: Math.min(this.#anchor, this.#head),
      end: Math.max(this.#anchor, this.#head) + 1,
    };
  }

  /** Chooses words from elsewhere than the pointer. */
  choose({ begin, end }: Span): void {
    [this.#anchor, this.#head] = [begin, end - 1];
    this.#changed();
  }

  clear(): void {
    this.#anchor = undefined;
    this.#changed();
  }

  /** Extends the choice from a word by one to a side; gives the word that it now reaches. */
  extend(from: Word, step: -1 | 1): Word | undefined {
    if (this.#anchor === undefined) [this.#anchor, this.#head] = [from.begin, from.begin];
    const next = this.#words.find(({ node }) => node.begin === this.#head + step)?.node;
    if (next) this.#head = next.begin;
    this.#changed();
    return next;
  }

  #press(event: PointerEvent): void {
    const word = this.#words.find(({ element }) => element.contains(event.target as Node));
    if (!word || event.button !== 0) return;
    const extends_ = event.shiftKey || event.pointerType === "touch";
    this.#head = word.node.begin;
    if (this.#anchor === undefined || !extends_) this.#anchor = this.#head;
    this.#dragging = true;
    // A mouse that leaves the words still belongs to them; a finger may want to scroll.
    if (event.pointerType === "mouse") event.preventDefault();
    (word.element as HTMLElement).focus();
    this.#changed();
  }

  #move(event: PointerEvent): void {
    if (!this.#dragging || event.buttons === 0) return;
    const nearest = this.#nearest(event);
    if (!nearest || nearest.begin === this.#head) return;
    this.#head = nearest.begin;
    this.#changed();
  }

  #nearest({ clientX, clientY }: PointerEvent): Word | undefined {
    let [best, least]: [Word | undefined, number] = [undefined, Number.POSITIVE_INFINITY];
    for (const { node, element } of this.#words) {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      const distance =
        Math.max(0, left - clientX, clientX - right) +
        4 * Math.max(0, top - clientY, clientY - bottom);
      if (distance < least) [best, least] = [node, distance];
    }
    return best;
  }

  #changed(): void {
    this.#show();
    this.#onChange(this.span);
  }

  #show(): void {
    const span = this.span;
    for (const { node, element } of this.#words) {
      const isChosen = span !== undefined && node.begin >= span.begin && node.end <= span.end;
      element.classList.toggle("chosen", isChosen);
    }
  }
}
