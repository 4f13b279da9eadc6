/** Trees that leave the page: as a picture, for LaTeX, in Penn's brackets, as JSON; phrases as a table. */

import { type ParseRecord, toParseRecord } from "../src/parser/parse-record.js";
import type { DocumentPhrase } from "../src/parser/phrases.js";
import type { Parse } from "../src/parser/sentence.js";
import { type Tree, toForest, toPenn } from "../src/trees/index.js";
import { h } from "./dom.js";
import { toTsv } from "./phrases.js";
import { drawingStyle, type Palette } from "./tree/drawing.js";

export interface Exportable {
  /** The drawing as it is seen; a tree where it is not a picture. */
  picture(): SVGSVGElement;
  readonly tree: Tree;
  readonly parse: Parse;
  /** The phrases by name, if they have names. */
  phrases(): readonly DocumentPhrase[];
}

interface Format {
  readonly name: string;
  readonly ending: string;
  readonly needsNames?: boolean;
  make(from: Exportable): Promise<Blob>;
}

export const FORMATS: readonly Format[] = [
  { name: "SVG", ending: "svg", make: async (from) => svgBlob(from) },
  { name: "PNG", ending: "png", make: toPng },
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
  {
    name: "Phrases",
    ending: "tsv",
    needsNames: true,
    make: async ({ phrases }) => textBlob(toTsv(phrases()), "tab-separated-values"),
  },
];

export function textBlob(content: string, kind = "plain"): Blob {
  return new Blob([content], { type: kind === "json" ? "application/json" : `text/${kind}` });
}

function recordOf({ tree, parse }: Exportable): ParseRecord {
  return toParseRecord({ ...parse, tree }, { scores: !parse.fallback, marginals: true });
}

/** A picture that stands alone: its look inside, what only serves the page left out. */
export function svgText(from: Exportable): string {
  const copy = from.picture().cloneNode(true) as SVGSVGElement;
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
  style.textContent = drawingStyle(currentPalette());
  copy.prepend(style);
  return new XMLSerializer().serializeToString(copy);
}

function svgBlob(from: Exportable): Blob {
  return new Blob([svgText(from)], { type: "image/svg+xml" });
}

function currentPalette(): Palette {
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

async function toPng(from: Exportable): Promise<Blob> {
  const url = URL.createObjectURL(svgBlob(from));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = h("canvas", { width: image.width * PIXELS, height: image.height * PIXELS });
    const context = canvas.getContext("2d");
    if (!context) throw new Error("this browser cannot draw");
    context.fillStyle = currentPalette().ground;
    context.fillRect(0, 0, canvas.width, canvas.height);
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
