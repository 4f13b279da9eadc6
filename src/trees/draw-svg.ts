/**
 * Trees as SVG: a picture that stands alone, follows the viewer's light or dark scheme, and holds
 * the sentence as its title for those who listen. Text is not measured by a browser here, so widths
 * are estimated from classes of characters, on the generous side.
 */

import { layoutTree, type PlacedNode } from "./layout.js";
import { type Tree, words } from "./tree.js";

const FONT_SIZE = 15;
const ROW_HEIGHT = 46;
const MARGIN = 12;
const GAP = 14;
/** How far below its label a phrase's branches part. */
const BAR = 15;

/**
 * Draws a tree as an SVG picture, which follows the viewer's light or dark theme.
 *
 * @example
 * ```ts
 * import { drawSvg, parsePenn } from "bracken/trees";
 *
 * for (const tree of parsePenn("(S (NP (DT the) (NN cat)) (VP (VBD sat)))")) console.log(drawSvg(tree));
 * ```
 */
export function drawSvg(tree: Tree): string {
  const layout = layoutTree(tree, { measure: estimateWidth, gap: GAP });
  const x = (node: PlacedNode) => MARGIN + node.centre;
  const y = (node: PlacedNode) => MARGIN + FONT_SIZE + (layout.rows - 1 - node.row) * ROW_HEIGHT;
  const width = Math.ceil(layout.width + 2 * MARGIN);
  const height = Math.ceil((layout.rows - 1) * ROW_HEIGHT + FONT_SIZE * 1.5 + 2 * MARGIN);
  // Square branches: a child far below its parent is reached without crossing a sibling's subtree.
  const branches = layout.nodes.flatMap((parent) =>
    parent.children.map((child) => {
      const top = y(parent) + (parent.text === "" ? -5 : 6);
      const bar = y(parent) + BAR;
      const path = `M${number(x(parent))} ${number(top)}V${number(bar)}H${number(x(child))}V${number(y(child) - 15)}`;
      return `<path class="${child.kind}" d="${path}"/>`;
    }),
  );
  const labels = layout.nodes.map((node) =>
    node.text === ""
      ? `<circle cx="${number(x(node))}" cy="${number(y(node) - 5)}" r="2.5"/>`
      : `<text class="${node.kind}" x="${number(x(node))}" y="${number(y(node))}">${escapeXml(node.text)}</text>`,
  );
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img">`,
    `<title>${escapeXml(words(tree).join(" "))}</title>`,
    `<style>${STYLE}</style>`,
    ...branches,
    ...labels,
    "</svg>",
  ].join("\n");
}

const STYLE = [
  `text{font:${FONT_SIZE}px system-ui,Helvetica,Arial,sans-serif;text-anchor:middle;fill:#1b1f24}`,
  "text.phrase{font-weight:600}text.tag{fill:#59636e}text.word{font-style:italic}",
  "path{fill:none;stroke:#8c959f;stroke-width:1.2;stroke-linejoin:round}path.word{stroke-dasharray:2 3}",
  "circle{fill:#59636e}",
  "@media(prefers-color-scheme:dark){text{fill:#e6edf3}text.tag{fill:#9198a1}",
  "path{stroke:#656c76}circle{fill:#9198a1}}",
].join("");

function estimateWidth(text: string, kind: PlacedNode["kind"]): number {
  let units = 0;
  for (const character of text) units += characterWidth(character);
  return Math.max(10, units * FONT_SIZE * (kind === "phrase" ? 1.06 : 1));
}

function characterWidth(character: string): number {
  if (/[\p{M}\u200b-\u200f]/u.test(character)) return 0;
  if (/[ijlftrI.,:;'`|!()[\]]/.test(character)) return 0.36;
  if (/[mwMW@%—]/.test(character)) return 0.92;
  if (/[A-Z]/.test(character)) return 0.72;
  if ((character.codePointAt(0) ?? 0) >= 0x1100) return 1.05;
  return 0.6;
}

/** Escapes text for XML. Characters that XML 1.0 does not allow become the replacement character. */
export function escapeXml(text: string): string {
  return (
    text
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML forbids
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd")
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;")
      .replaceAll('"', "&quot;")
  );
}

function number(value: number): string {
  return String(Math.round(value * 10) / 10);
}
