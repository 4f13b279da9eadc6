/**
 * A window onto a drawing that may be larger: it scrolls as everything scrolls, is dragged with the
 * mouse, and zooms by buttons, by the wheel with Ctrl, and by two fingers.
 */

import { h } from "../dom.js";

const LEAST_ZOOM = 0.02;
const MOST_ZOOM = 4;
/** How small a drawing is made by itself to fit; beyond that it scrolls. */
const LEAST_FIT = 0.75;
/** The share of the screen's height that a drawing may take, as the style has it. */
const SHARE = 0.78;
const STEP = 1.25;

export class Viewport {
  readonly element = h("div", { class: "viewport" });
  #svg: SVGSVGElement | undefined;
  #size = { width: 0, height: 0 };
  #zoom = 1;
  /** By itself as large as it can be read, all of it, or as someone chose. */
  #mode: "readable" | "whole" | "chosen" = "readable";
  #fingers = new Map<number, PointerEvent>();

  constructor() {
    this.element.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    this.element.addEventListener("pointerdown", (event) => this.#press(event));
    this.element.addEventListener("pointermove", (event) => this.#move(event));
    for (const end of ["pointerup", "pointercancel", "pointerleave"] as const) {
      this.element.addEventListener(end, (event) => this.#fingers.delete(event.pointerId));
    }
    // Two fingers zoom the drawing, and neither the page nor its scrolling.
    for (const touch of ["touchstart", "touchmove"] as const) {
      this.element.addEventListener(
        touch,
        (event) => event.touches.length > 1 && this.#svg && event.preventDefault(),
        { passive: false },
      );
    }
  }

  /** Whether a drawing of that width can be shown in full without letters too small to read. */
  hasRoomFor(width: number): boolean {
    const room = this.#room();
    return room <= 0 || room >= Math.floor(width * LEAST_FIT);
  }

  /** How wide a drawing may be so that its letters stay large enough to read. */
  roomWithoutLoss(): number {
    return this.#room() / LEAST_FIT;
  }

  show(content: Element, size: { width: number; height: number }): void {
    this.#svg = content instanceof SVGSVGElement ? content : undefined;
    this.#size = size;
    this.element.replaceChildren(content);
    if (this.#mode === "readable") this.#zoom = Math.max(LEAST_FIT, this.#fittingWidth());
    if (this.#mode === "whole") this.#zoom = this.#fitting();
    this.#apply();
  }

  zoomBy(direction: 1 | -1): void {
    this.#zoomAt(this.#zoom * STEP ** direction, this.element.clientWidth / 2, 0);
  }

  /** As large as the window shows at once. */
  fit(): void {
    this.#mode = "whole";
    this.#zoom = this.#fitting();
    this.#apply();
  }

  #fitting(): number {
    const high = (innerHeight * SHARE - this.#padding("Top", "Bottom")) / this.#size.height;
    return Math.max(LEAST_ZOOM, Math.min(this.#fittingWidth(), high));
  }

  /** The zoom at which the drawing is as wide as the window, at most its own size. */
  #fittingWidth(): number {
    const room = this.#room();
    return room <= 0 || this.#size.width === 0 ? 1 : Math.min(1, room / this.#size.width);
  }

  #room(): number {
    return this.element.clientWidth - this.#padding("Left", "Right");
  }

  #padding(...sides: readonly ("Left" | "Right" | "Top" | "Bottom")[]): number {
    const style = getComputedStyle(this.element);
    return sides.reduce((sum, side) => sum + Number.parseFloat(style[`padding${side}`]), 0);
  }

  #apply(): void {
    this.#svg?.setAttribute("width", String(Math.round(this.#size.width * this.#zoom)));
    this.#svg?.setAttribute("height", String(Math.round(this.#size.height * this.#zoom)));
  }

  /** Zooms so that what is at a place of the window stays there. */
  #zoomAt(zoom: number, x: number, y: number): void {
    const before = this.#zoom;
    this.#zoom = Math.min(MOST_ZOOM, Math.max(LEAST_ZOOM, zoom));
    this.#mode = "chosen";
    this.#apply();
    const factor = this.#zoom / before;
    this.element.scrollLeft = (this.element.scrollLeft + x) * factor - x;
    this.element.scrollTop = (this.element.scrollTop + y) * factor - y;
  }

  #wheel(event: WheelEvent): void {
    if (!event.ctrlKey || !this.#svg) return;
    event.preventDefault();
    const { left, top } = this.element.getBoundingClientRect();
    const factor = Math.exp(-event.deltaY / 300);
    this.#zoomAt(this.#zoom * factor, event.clientX - left, event.clientY - top);
  }

  #press(event: PointerEvent): void {
    this.#fingers.set(event.pointerId, event);
    const isFree = !(event.target as Element).closest(".node");
    if (event.pointerType === "mouse" && event.button === 0 && isFree && this.#svg) {
      this.element.setPointerCapture(event.pointerId);
      this.element.classList.add("dragged");
      this.element.addEventListener("pointerup", () => this.element.classList.remove("dragged"), {
        once: true,
      });
    }
  }

  #move(event: PointerEvent): void {
    const before = this.#fingers.get(event.pointerId);
    if (!before) return;
    if (this.#fingers.size === 2 && this.#svg) this.#pinch(event, before);
    else if (this.element.classList.contains("dragged")) {
      this.element.scrollLeft -= event.clientX - before.clientX;
      this.element.scrollTop -= event.clientY - before.clientY;
    }
    this.#fingers.set(event.pointerId, event);
  }

  #pinch(event: PointerEvent, before: PointerEvent): void {
    const [other] = [...this.#fingers.values()].filter(
      ({ pointerId }) => pointerId !== event.pointerId,
    );
    if (!other) return;
    const apart = (a: PointerEvent) =>
      Math.hypot(a.clientX - other.clientX, a.clientY - other.clientY);
    const { left, top } = this.element.getBoundingClientRect();
    const [x, y] = [(event.clientX + other.clientX) / 2, (event.clientY + other.clientY) / 2];
    const ratio = apart(event) / Math.max(1, apart(before));
    this.#zoomAt(this.#zoom * ratio, x - left, y - top);
  }
}
