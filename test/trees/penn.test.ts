import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { InputError } from "../../src/errors.js";
import { PennReader, parsePenn } from "../../src/trees/penn-reader.js";
import { toPenn, toPrettyPenn } from "../../src/trees/penn-writer.js";
import { words } from "../../src/trees/tree.js";
import { deepTree, tree } from "../arbitraries.js";

function failure(text: string): InputError {
  try {
    parsePenn(text, { file: "x.mrg" });
  } catch (error) {
    if (error instanceof InputError) return error;
  }
  throw new Error(`no input error for ${text}`);
}

describe("reading", () => {
  test("the layout of .mrg files: nameless wrapper, several lines a tree", () => {
    const [first, second] = parsePenn(
      "\n( (S \n    (NP (DT The) (NN cat) )\n    (VP (VBD sat) ))\n)\n( (NP (NN x)))",
    );
    expect(first).toEqual({
      label: "",
      children: [
        {
          label: "S",
          children: [
            {
              label: "NP",
              children: [
                { word: "The", tag: "DT" },
                { word: "cat", tag: "NN" },
              ],
            },
            { label: "VP", children: [{ word: "sat", tag: "VBD" }] },
          ],
        },
      ],
    });
    expect(words(second as never)).toEqual(["x"]);
  });

  test("traces and the phrases they leave empty are dropped unless kept", () => {
    const text = "(S (NP-SBJ (-NONE- *)) (VP (VB go) (SBAR (-NONE- 0) (S (-NONE- *T*)))))";
    expect(parsePenn(text).map(toPenn)).toEqual(["(S (VP (VB go)))"]);
    expect(parsePenn(text, { keepEmpty: true }).map(toPenn)).toEqual([text]);
    expect(parsePenn("(S (-NONE- *))")).toEqual([]);
  });

  test("trees without labels, spaced or by option", () => {
    const expected = {
      label: "",
      children: [{ label: "", children: [{ word: "the" }, { word: "cat" }] }, { word: "sat" }],
    };
    expect(parsePenn("( ( the cat ) sat )")).toEqual([expected]);
    expect(parsePenn("((the cat) sat)", { unlabelled: true })).toEqual([expected]);
  });

  test("labels over untagged words", () => {
    expect(parsePenn("(S (NP the cat) (VP sat down))").map(words)).toEqual([
      ["the", "cat", "sat", "down"],
    ]);
  });

  test("only ASCII blanks part tokens", () => {
    const [found] = parsePenn("(NP (CD 5\u2009mm) (NN a\u00a0b)\t(NN c))");
    expect(words(found as never)).toEqual(["5\u2009mm", "a\u00a0b", "c"]);
  });

  test("bracket escapes are kept or undone", () => {
    const text = "(PRN (-LRB- -LRB-) (CD 1\\/2) (-RRB- -RCB-))";
    expect(parsePenn(text).map(words)).toEqual([["-LRB-", "1\\/2", "-RCB-"]]);
    expect(parsePenn(text, { unescape: true }).map(words)).toEqual([["(", "1/2", "}"]]);
  });

  test("copyright headers of old treebank files are passed over", () => {
    expect(parsePenn("*x*x*x*\n*x* (C) 1995 *x*\n").length).toBe(0);
    expect(parsePenn("*x*x* all rights reserved\n(NN a)").length).toBe(1);
  });

  test("each tree comes with the line it begins on", () => {
    const reader = new PennReader({ file: "a" });
    expect(reader.push("(NN a)\n\n(S\n(NN b))(NN c)").map(({ line }) => line)).toEqual([1, 3, 4]);
  });
});

describe("malformed trees name file, line and column", () => {
  test.each([
    ["(S (NP (NN a))\n  (VP (VB b)", 2, 3, "never closed"],
    ["(S (NN a))\n )", 2, 2, "closes nothing"],
    ["(S (NN a))\nfoo (NN b)", 2, 1, "expected '(' but found 'foo'"],
    ["(S\n (NP )\n (NN b))", 2, 2, "'NP' holds no word"],
    ["(S (NN a) ())", 1, 11, "hold nothing"],
  ])("%j", (text, line, column, problem) => {
    const error = failure(text);
    expect(error.place).toEqual({ file: "x.mrg", line, column });
    expect(error.message).toContain(`x.mrg:${line}:${column}: `);
    expect(error.message).toContain(problem);
    expect(error.remedy).toBeTruthy();
  });
});

describe("round trips", () => {
  test("one line and pretty", () => {
    fc.assert(
      fc.property(tree, (original) => {
        const wrapped =
          "word" in original && original.tag === undefined
            ? { label: "", children: [original] }
            : original;
        expect(parsePenn(toPenn(original))).toEqual([wrapped]);
        expect(parsePenn(toPrettyPenn(original))).toEqual([wrapped]);
      }),
    );
  });

  test("chunks may be cut anywhere", () => {
    fc.assert(
      fc.property(
        fc.array(tree, { minLength: 1, maxLength: 3 }),
        fc.array(fc.nat(), { maxLength: 8 }),
        (trees, cuts) => {
          const text = trees.map(toPrettyPenn).join("\n");
          const places = [
            0,
            ...cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b),
            text.length,
          ];
          const reader = new PennReader();
          const pieces = places
            .slice(1)
            .flatMap((end, index) => reader.push(text.slice(places[index], end)));
          expect([...pieces, ...reader.end()].map((found) => found.tree)).toEqual(parsePenn(text));
        },
      ),
    );
  });

  test("a tree as deep as a 5,000-token sentence", () => {
    const deep = deepTree(5000);
    expect(toPenn(parsePenn(toPenn(deep))[0] as never)).toBe(toPenn(deep));
  });

  test("words that Penn cannot hold are escaped, or refused where they are empty", () => {
    expect(
      toPenn({
        label: "NP",
        children: [
          { word: "f(x y)", tag: "NN" },
          { word: "b", tag: "(" },
        ],
      }),
    ).toBe("(NP (NN f-LRB-x\u00a0y-RRB-) (-LRB- b))");
    expect(() => toPenn({ word: "", tag: "NN" })).toThrow(RangeError);
  });
});
