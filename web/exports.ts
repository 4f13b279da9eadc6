/** Trees that leave the page: as a picture, for LaTeX, in Penn's brackets, as JSON; phrases as a table. */

import { type ParseRecord, toParseRecord } from "../src/parser/parse-record.js";
import type { DocumentPhrase } from "../src/parser/phrases.js";
import type { Parse } from "../src/parser/sentence.js";
import { type Tree, toForest, toPenn } from "../src/trees/index.js";
import { h } from "./dom.js";
import { toTsv } from "./phrases.js";
import { currentTheme, inTheme, type Theme } from "./theme.js";
import { drawingStyle, type Palette } from "./tree/drawing.js";

/** What can be exported as a picture. */
export interface Pictured {
  /** The drawing as it is seen, in the colours of a theme; a tree where it is not a picture. */
  picture(theme: Theme): SVGSVGElement;
}

export interface Exportable extends Pictured {
  readonly tree: Tree;
  readonly parse: Parse;
  /** The phrases by name, if they have names. */
  phrases(): readonly DocumentPhrase[];
}

export interface Format<From> {
  readonly name: string;
  readonly ending: string;
  make(from: From): Promise<Blob>;
}

export const PICTURES: readonly Format<Pictured>[] = [
  { name: "SVG", ending: "svg", make: async (from) => svgBlob(from, currentTheme()) },
  // White paper wants dark ink, also from a dark page.
  { name: "PNG, white", ending: "png", make: (from) => toPng(from, "light", "#ffffff") },
  { name: "PNG, transparent", ending: "png", make: (from) => toPng(from, currentTheme()) },
];

const FORMATS: readonly Format<Exportable>[] = [
  ...PICTURES,
  {
    name: "LaTeX",
    ending: "tex",
    make: async ({ tree }) => textBlob(`${toForest(tree)}\n`, "x-tex"),
  },
  { name: "Penn", ending: "mrg", make: async ({ tree }) => textBlob(`${toPenn(tree)}\n`) },
  {
    name: "JSON",
    ending: "json",
    make: async (from) => textBlob(`${JSON.stringify(recordOf(from))}\n`, "json"),
  },
];

const PHRASES: Format<Exportable> = {
  name: "Phrases",
  ending: "tsv",
  make: async ({ phrases }) => textBlob(toTsv(phrases()), "tab-separated-values"),
};

/** @param isNamed whether phrases have names, so that there is a table of them */
export function formatsOf(isNamed: boolean): readonly Format<Exportable>[] {
  return isNamed ? [...FORMATS, PHRASES] : FORMATS;
}

export function textBlob(content: string, kind = "plain"): Blob {
  return new Blob([content], { type: kind === "json" ? "application/json" : `text/${kind}` });
}

function recordOf({ tree, parse }: Exportable): ParseRecord {
  return toParseRecord({ ...parse, tree }, { scores: !parse.fallback, marginals: true });
}

/** A picture that stands alone: its look inside, what only serves the page left out. */
export function svgText(from: Pictured, theme: Theme): string {
  const copy = from.picture(theme).cloneNode(true) as SVGSVGElement;
  const [, , width, height] = (copy.getAttribute("viewBox") ?? "").split(" ");
  copy.setAttribute("width", width ?? "");
  copy.setAttribute("height", height ?? "");
  copy.setAttribute("role", "img");
  for (const element of copy.querySelectorAll("*")) {
    for (const name of element.getAttributeNames()) {
      if (/^(aria-|data-|role$|tabindex$)/.test(name)) element.removeAttribute(name);
    }
    element.classList.remove("chosen", "covered", "lit", "head");
  }
  for (const hit of copy.querySelectorAll(".hit")) hit.remove();
  const style = document.createElementNS("http://www.w3.org/2000/svg", "style");
  style.textContent = drawingStyle(paletteOf(theme));
  copy.prepend(style);
  return new XMLSerializer().serializeToString(copy);
}

function svgBlob(from: Pictured, theme: Theme): Blob {
  return new Blob([svgText(from, theme)], { type: "image/svg+xml" });
}

function paletteOf(theme: Theme): Palette {
  return inTheme(theme, readPalette);
}

function readPalette(): Palette {
  const style = getComputedStyle(document.documentElement);
  const probe = h("span", { hidden: true });
  document.body.append(probe);
  const value = (name: string) => {
    probe.style.color = style.getPropertyValue(`--${name}`);
    return getComputedStyle(probe).color;
  };
  const [ink, soft, edge, accent, danger] = ["ink", "soft", "edge", "accent", "danger"].map(value);
  const [ground, wash] = ["ground", "wash"].map(value);
  probe.remove();
  return { ink, soft, edge, accent, danger, ground, wash } as Palette;
}

const PIXELS = 2;

/** @param ground the colour behind the drawing; without one it is transparent */
async function toPng(from: Pictured, theme: Theme, ground?: string): Promise<Blob> {
  const url = URL.createObjectURL(svgBlob(from, theme));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = h("canvas", { width: image.width * PIXELS, height: image.height * PIXELS });
    const context = canvas.getContext("2d");
    if (!context) throw new Error("this browser cannot draw");
    if (ground !== undefined) {
      context.fillStyle = ground;
      context.fillRect(0, 0, canvas.width, canvas.height);
    }
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
    if (!blob) throw new Error("the picture is too large for this browser");
    return blob;
  } finally {
    URL.revokeObjectURL(url);
  }
}

export function download(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Text is copied as text; a picture of dots as a picture. */
export async function copy(blob: Blob): Promise<void> {
  if (blob.type === "image/png") {
    await navigator.clipboard.write([new ClipboardItem({ [blob.type]: blob })]);
  } else {
    await navigator.clipboard.writeText(await blob.text());
  }
}
