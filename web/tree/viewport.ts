/**
 * A window onto a drawing that may be larger: it scrolls as everything scrolls, is dragged with the
 * mouse, and zooms by buttons, by the wheel with Ctrl, and by two fingers.
 */

import { h } from "../dom.js";

const LEAST_ZOOM = 0.25;
const MOST_ZOOM = 4;
/** How small a drawing is made by itself to fit; beyond that it scrolls. */
const LEAST_FIT = 0.8;
const STEP = 1.25;

export class Viewport {
  readonly element = h("div", { class: "viewport" });
  #svg: SVGSVGElement | undefined;
  #size = { width: 0, height: 0 };
  #zoom = 1;
  /** Whether someone chose the zoom; a chosen one is kept when the drawing changes. */
  #isChosen = false;
  #fingers = new Map<number, PointerEvent>();

  constructor() {
    this.element.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    this.element.addEventListener("pointerdown", (event) => this.#press(event));
    this.element.addEventListener("pointermove", (event) => this.#move(event));
    for (const end of ["pointerup", "pointercancel", "pointerleave"] as const) {
      this.element.addEventListener(end, (event) => this.#fingers.delete(event.pointerId));
    }
  }

  show(content: Element, size: { width: number; height: number }): void {
    this.#svg = content instanceof SVGSVGElement ? content : undefined;
    this.#size = size;
    this.element.replaceChildren(content);
    if (!this.#isChosen) this.#zoom = this.#fitting(LEAST_FIT);
    this.#apply();
  }

  zoomBy(direction: 1 | -1): void {
    this.#zoomAt(this.#zoom * STEP ** direction, this.element.clientWidth / 2, 0);
  }

  /** As large as the window shows at once. */
  fit(): void {
    this.#isChosen = false;
    this.#zoom = this.#fitting(LEAST_ZOOM);
    this.#apply();
  }

  #fitting(least: number): number {
    const { paddingLeft, paddingRight } = getComputedStyle(this.element);
    const padding = Number.parseFloat(paddingLeft) + Number.parseFloat(paddingRight);
    const room = this.element.clientWidth - padding;
    if (room <= 0 || this.#size.width === 0) return 1;
    return Math.min(1, Math.max(least, room / this.#size.width));
  }

  #apply(): void {
    this.#svg?.setAttribute("width", String(Math.round(this.#size.width * this.#zoom)));
    this.#svg?.setAttribute("height", String(Math.round(this.#size.height * this.#zoom)));
  }

  /** Zooms so that what is at a place of the window stays there. */
  #zoomAt(zoom: number, x: number, y: number): void {
    const before = this.#zoom;
    this.#zoom = Math.min(MOST_ZOOM, Math.max(LEAST_ZOOM, zoom));
    this.#isChosen = true;
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
