import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toForest, toTikzQtree } from "../../src/trees/draw-latex.js";
import { drawSvg } from "../../src/trees/draw-svg.js";
import { drawOutline, drawText } from "../../src/trees/draw-text.js";
import { toSpanList } from "../../src/trees/formats.js";
import { layoutTree } from "../../src/trees/layout.js";
import { parsePenn } from "../../src/trees/penn-reader.js";
import { leaves, type Tree } from "../../src/trees/tree.js";
import { deepTree, tree } from "../arbitraries.js";

const read = (text: string) => parsePenn(text)[0] as Tree;
const cat = read("(S (NP (DT The) (NN cat)) (VP (VBD slept)))");

describe("text", () => {
  test("an upright tree", () => {
    expect(drawText(cat)).toBe(
      [
        "      S",
        "   ┌──┴───┐",
        "   NP     VP",
        " ┌─┴─┐    │",
        " DT  NN  VBD",
        " │   │    │",
        "The cat slept",
      ].join("\n"),
    );
  });

  test("too wide for the terminal: an outline", () => {
    expect(drawText(cat, 12)).toBe(drawOutline(cat));
    expect(drawOutline(cat)).toBe("S\n├─ NP\n│  ├─ DT The\n│  └─ NN cat\n└─ VP\n   └─ VBD slept");
  });

  test("wide characters and nameless phrases", () => {
    expect(drawText(read("( ( 黒い 猫 ) 寝た )"))).toContain("黒い 猫 寝た");
    expect(drawText(read("( ( a b ) c )"))).toMatch(/^ *•/);
  });

  test("the last line holds all words in order", () => {
    fc.assert(
      fc.property(tree, (drawn) => {
        const last = drawText(drawn).split("\n").at(-1) as string;
        let from = 0;
        for (const { word } of leaves(drawn)) {
          const at = last.indexOf(word, from);
          expect(at).toBeGreaterThanOrEqual(from);
          from = at + word.length;
        }
      }),
    );
  });
});

describe("layout", () => {
  test("labels in one row never overlap", () => {
    const measure = (text: string) => Math.max(1, text.length);
    fc.assert(
      fc.property(tree, fc.boolean(), (drawn, whole) => {
        const { nodes, width } = layoutTree(drawn, { measure, gap: 1, whole });
        for (const row of new Set(nodes.map((node) => node.row))) {
          let right = Number.NEGATIVE_INFINITY;
          for (const { centre, text } of nodes.filter((node) => node.row === row)) {
            const half = (measure(text) - 1) / 2;
            const left = whole ? centre - Math.floor(half) : centre - half;
            expect(left).toBeGreaterThan(right);
            right = left + measure(text) - 1;
            expect(left).toBeGreaterThan(-0.01);
            expect(right).toBeLessThan(width);
          }
        }
      }),
    );
  });

  test("a single child stands right under its parent", () => {
    const { nodes } = layoutTree(read("(S (NP (PRP he)))"), {
      measure: (text) => text.length,
      gap: 1,
      whole: true,
    });
    expect(new Set(nodes.map((node) => node.centre)).size).toBe(1);
  });
});

describe("SVG", () => {
  const texts = (svg: string) =>
    [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text as string);

  test("holds every word and label, escaped", () => {
    const svg = drawSvg(read('(NP (NN a<b) (CC &) (NN "c"))'));
    expect(texts(svg)).toEqual(
      expect.arrayContaining(["a&lt;b", "&amp;", "&quot;c&quot;", "NP", "CC"]),
    );
    expect(svg).toContain("<title>a&lt;b &amp; &quot;c&quot;</title>");
  });

  test("is well-formed for any tree: every tag closed, no bare special characters", () => {
    fc.assert(
      fc.property(tree, (drawn) => {
        const svg = drawSvg(drawn);
        const open: string[] = [];
        for (const [, slash, name, self] of svg.matchAll(
          /<(\/?)([a-z]+)(?:\s[a-zA-Z:]+="[^"<]*")*\s*(\/?)>/g,
        )) {
          if (slash) expect(open.pop()).toBe(name);
          else if (!self) open.push(name as string);
        }
        expect(open).toEqual([]);
        expect(svg.replace(/<[^<>]*>/g, "")).not.toMatch(/[<>]|&(?!(amp|lt|gt|quot);)/);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML forbids
        expect(svg).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/);
        expect(texts(svg).length).toBeGreaterThanOrEqual(leaves(drawn).length);
      }),
    );
  });

  test("draws a deep tree", () => {
    expect(texts(drawSvg(deepTree(3000))).length).toBe(3000 * 2 + 2999);
  });
});

describe("LaTeX", () => {
  test("forest", () => {
    expect(toForest(cat)).toBe(
      "\\begin{forest}\n  [{S} [{NP} [{DT} [{The}]] [{NN} [{cat}]]] [{VP} [{VBD} [{slept}]]]]\n\\end{forest}",
    );
  });

  test("tikz-qtree", () => {
    expect(toTikzQtree(cat)).toContain(
      "\\Tree [.{S} [.{NP} [.{DT} {The} ] [.{NN} {cat} ] ] [.{VP} [.{VBD} {slept} ] ] ]",
    );
  });

  test("special characters are escaped", () => {
    expect(toForest(read("(NP ($ $) (CD 5_%) (NN a\\b))"))).toContain(
      "[{\\$} [{\\$}]] [{CD} [{5\\_\\%}]] [{NN} [{a\\textbackslash{}b}]]",
    );
  });

  test("structural brackets balance for any tree", () => {
    fc.assert(
      fc.property(tree, (drawn) => {
        for (const latex of [toForest(drawn), toTikzQtree(drawn)]) {
          const structure = latex.replace(/\\[{}]/g, "").replace(/\{[^{}]*(\{\}[^{}]*)*\}/g, "");
          expect(structure.split("[").length).toBe(structure.split("]").length);
        }
      }),
    );
  });
});

test("span lists", () => {
  expect(toSpanList(cat)).toBe("0-2:NP 2-3:VP 0-3:S");
  expect(toSpanList(read("( ( a b ) c )"))).toBe("0-2 0-3");
});
