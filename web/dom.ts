/** Elements in one expression: `h` makes HTML, `s` makes SVG. Strings become text, never markup. */

export type Child = Node | string | undefined | false;

type Value = string | number | boolean | undefined | ((event: never) => void);
export type Attributes = Readonly<Record<string, Value>>;

const SVG = "http://www.w3.org/2000/svg";

export function h<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  return fill(document.createElement(name), attributes, children);
}

export function s<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[Name] {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

/** Functions listen to the event they are named after; true is an attribute without a value. */
function fill<Made extends Element>(
  element: Made,
  attributes: Attributes,
  children: readonly Child[],
): Made {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value as EventListener);
    else if (value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  element.append(...children.filter((child) => child !== undefined && child !== false));
  return element;
}

let made = 0;

/** An id that no other element has. */
export function freshId(stem: string): string {
  made += 1;
  return `${stem}-${made}`;
}

/** Calls back when there was no call for some milliseconds. */
export function debounced(wait: number, action: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(action, wait);
  };
}

/** What a person can read of an error. */
export function messageOf(error: unknown): string {
  const { message, remedy } = (error ?? {}) as { message?: string; remedy?: string };
  return [message ?? String(error), remedy].filter(Boolean).join(". ");
}
