/**
 * What all drawings of a tree have in common: the elements of its nodes, reachable by keyboard and
 * named for screen readers, and the look, which pictures that leave the page take along.
 */

import { type Child, s } from "../dom.js";
import { describeNode, spanKey, type TreeNode } from "./nodes.js";

export interface Drawing {
  /** An SVG picture, or for brackets a paragraph. */
  readonly element: SVGSVGElement | HTMLElement;
  readonly elements: ReadonlyMap<TreeNode, Element>;
  /** In pixels; 0 for what flows with the page. */
  readonly width: number;
  readonly height: number;
  /** Where the brackets that words are given stand: each word's left, right and foot. */
  readonly words: readonly { left: number; right: number; bottom: number }[];
}

export const WORD_SIZE = 16;
export const LABEL_SIZE = 12;
/** Of labels in the corners of boxes. */
export const CORNER_SIZE = 10.5;
const WORD_FONT =
  'ui-serif,"Iowan Old Style","Palatino Linotype",Palatino,"TeX Gyre Pagella",Georgia,serif';
const LABEL_FONT = "system-ui,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif";

/** The parts of the page's palette that drawings use. */
export interface Palette {
  readonly ink: string;
  readonly soft: string;
  readonly edge: string;
  readonly accent: string;
  readonly danger: string;
  readonly ground: string;
  readonly wash: string;
}

export const PAGE_PALETTE: Palette = {
  ink: "var(--ink)",
  soft: "var(--soft)",
  edge: "var(--edge)",
  accent: "var(--accent)",
  danger: "var(--danger)",
  ground: "var(--ground)",
  wash: "var(--wash)",
};

/** The rules that every drawing needs, on the page and as a picture of its own. */
export function drawingStyle({ ink, soft, edge, accent, danger, ground, wash }: Palette): string {
  return `
.drawing{color:${edge}}
.drawing text{font:${WORD_SIZE}px ${WORD_FONT};text-anchor:middle;fill:${ink}}
.drawing .label{font:600 ${LABEL_SIZE}px ${LABEL_FONT};fill:${ink};stroke:${ground};stroke-width:4px;paint-order:stroke;stroke-linejoin:round}
.drawing .folded text:not(.name,.corner){fill:${soft};font-style:italic}
.drawing .pill{fill:${ground};stroke:currentColor;stroke-width:1.5}
.drawing .tint{fill:currentColor;fill-opacity:.15}
.drawing .name{font:600 ${LABEL_SIZE}px ${LABEL_FONT};fill:${ink}}
.drawing .corner{font:600 ${CORNER_SIZE}px ${LABEL_FONT};fill:${ink};text-anchor:start}
.drawing .edge{fill:none;stroke:currentColor;stroke-linecap:round}
.drawing .edge.stem{stroke:${edge};stroke-width:1.2}
.drawing .dot{fill:currentColor;stroke:${ground};stroke-width:2}
.drawing .triangle{fill:currentColor;fill-opacity:.12;stroke:currentColor;stroke-width:1.4;stroke-linejoin:round}
.drawing .box{fill:currentColor;fill-opacity:.025;stroke:currentColor;stroke-width:1.4}
.drawing .named>.box{fill:${ground};fill-opacity:1}
.drawing .box+.tint{fill-opacity:.08}
.drawing .hit{fill:transparent;shape-rendering:crispEdges}
.drawing .crossing{color:${danger}}
.drawing .crossing.edge{stroke-dasharray:5 3.5;stroke-width:2}
.drawing :is(.shared,.renamed){color:${accent}}
.drawing :is(.shared,.renamed).edge{stroke-width:2}
.drawing .renamed .label{fill:${danger};text-decoration:underline}
.drawing .other{color:${soft}}
.drawing .required{fill:none;stroke:${accent};stroke-width:2.4;stroke-linecap:round;stroke-linejoin:round}
.drawing .clash{fill:none;stroke:${danger};stroke-width:2.4}
.drawing .forbidden{fill:none;stroke:${danger};stroke-width:2.4;stroke-dasharray:4 3.5}
.drawing .chosen .hit{fill:${wash}}
`;
}

let pen: CanvasRenderingContext2D | null | undefined;

/** How wide a word is, as the browser will write it. */
export function measureWord(text: string): number {
  return Math.max(8, measure(text, WORD_SIZE, `${WORD_SIZE}px ${WORD_FONT}`));
}

export function measureLabel(text: string, size = LABEL_SIZE): number {
  return measure(text, size, `600 ${size}px ${LABEL_FONT}`);
}

function measure(text: string, size: number, font: string): number {
  pen ??= document.createElement("canvas").getContext("2d");
  if (!pen) return text.length * size * 0.6;
  pen.font = font;
  return pen.measureText(text).width;
}

/** The attributes by which a node is found, focused and spoken. */
export function nodeAttributes(node: TreeNode): Record<string, string | number> {
  const { leaf, label, isFolded, mark, level, parent } = node;
  const siblings = parent?.children ?? [node];
  const kinds = [leaf ? "word" : "phrase", label && "named", isFolded && "folded", mark];
  return {
    class: ["node", ...kinds].filter(Boolean).join(" "),
    role: "treeitem",
    tabindex: -1,
    "aria-level": level,
    "aria-posinset": siblings.indexOf(node) + 1,
    "aria-setsize": siblings.length,
    "aria-label": describeNode(node),
    ...(leaf ? {} : { "aria-expanded": String(!isFolded) }),
    "data-span": spanKey(node),
    ...(label ? { "data-label": label } : {}),
  };
}

export function picture(
  width: number,
  height: number,
  title: string,
  ...children: Child[]
): SVGSVGElement {
  const [w, ht] = [Math.ceil(width), Math.ceil(height)];
  return s(
    "svg",
    {
      class: "drawing",
      width: w,
      height: ht,
      viewBox: `0 0 ${w} ${ht}`,
      role: "tree",
      "aria-label": title,
    },
    ...children,
  );
}

export function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** The style of drawings on the page, once. */
export function installDrawingStyle(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(drawingStyle(PAGE_PALETTE));
  document.adoptedStyleSheets.push(sheet);
}
