import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { InputError } from "../../src/errors.js";
import {
  isMissing,
  type PennOptions,
  PennReader,
  parsePenn,
  type TreebankEntry,
} from "../../src/trees/penn-reader.js";
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

describe("comments", () => {
  test("after %, #, ; and // between trees, to the end of the line", () => {
    const text = "% (a\n# b (NN x)\n(NN a) ; c ) d\n// e\n  #f\n(NN b)% (g";
    expect(parsePenn(text).map(words)).toEqual([["a"], ["b"]]);
  });

  test("not within a tree", () => {
    const text = "(S (NN %) (# #) (CD 5) (: ;)\n (SYM //))";
    expect(parsePenn(text).map(words)).toEqual([["%", "#", "5", ";", "//"]]);
  });

  test("cut anywhere", () => {
    const text = "// a (\n(NN a) # b\n(NN b)\n";
    for (let cut = 0; cut <= text.length; cut++) {
      const reader = new PennReader();
      const trees = [...reader.push(text.slice(0, cut)), ...reader.push(text.slice(cut))];
      expect([...trees, ...reader.end()].map(({ line }) => line)).toEqual([2, 3]);
    }
  });
});

describe("places without a tree", () => {
  const summary = (entry: TreebankEntry) => [
    entry.line,
    isMissing(entry) ? entry.reason : toPenn(entry.tree),
  ];
  const entries = (text: string, options: PennOptions = {}) => {
    const reader = new PennReader({ file: "x.mrg", ...options });
    return [...reader.read(text), ...reader.readEnd()].map(summary);
  };

  test.each(["(())", "( ( ) )", "()", "(ROOT)", "(TOP (()))", "((\n))"])(
    "%j is a parser's failure, and the next tree is read",
    (text) => {
      expect(entries(`${text}\n(NN a)`)[0]).toEqual([1, "failed"]);
      expect(entries(`${text}\n(NN a)`).slice(1)).toEqual([
        [text.split("\n").length + 1, "(NN a)"],
      ]);
      expect(() => parsePenn(text)).toThrow("hold nothing");
    },
  );

  test("the first malformed tree ends the reading", () => {
    expect(entries("(NN a)\n(S ())\n(NN b)")).toEqual([
      [1, "(NN a)"],
      [2, "malformed"],
    ]);
  });

  test("with skipBad, reading goes on at the next line that begins with a bracket", () => {
    const text = [
      "(S (NN a)",
      "   (NN b)",
      "(NN c)",
      "(S (NN d) ()) (NN lost)",
      " (NN lost)",
      "(NN e)) (NN lost)",
      "lost (NN lost)",
      "(())",
      "(NN f)",
      "(S (NN g)",
    ].join("\n");
    expect(entries(text, { skipBad: true })).toEqual([
      [1, "malformed"],
      [3, "(NN c)"],
      [4, "malformed"],
      [6, "(NN e)"],
      [6, "stray"],
      [8, "failed"],
      [9, "(NN f)"],
      [10, "malformed"],
    ]);
  });

  test("a tree that is given up is malformed, and the next line that begins with a bracket counts", () => {
    const reader = new PennReader({ skipBad: true });
    expect(reader.read("(NN a)\n(S (NN b) endle")).toHaveLength(1);
    expect(reader.giveUp("too long", "look").map(summary)).toEqual([[2, "malformed"]]);
    expect(reader.isIdle).toBe(true);
    expect(reader.read("(ss (NN c)\n(NN d)\n").map(summary)).toEqual([[3, "(NN d)"]]);
  });

  test("trees among bad lines are all read, however the text is cut", () => {
    const bad = fc.constantFrom(
      ["(S (NN a)", "malformed"],
      ["(S (NP ) (NN a))", "malformed"],
      ["(S (NN a) (()))", "malformed"],
      ["(())", "failed"],
      ["foo (NN a)", "stray"],
      [")", "stray"],
    );
    const good = tree.map((each) => [toPenn(each), toPenn(each)]);
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.option(bad), good), { maxLength: 4 }),
        fc.array(fc.nat(), { maxLength: 8 }),
        (pairs, cuts) => {
          // A line that begins with a bracket ends what is bad.
          const lines = pairs.flat().filter((each) => each !== null);
          const text = lines.map(([line]) => `${line}\n`).join("");
          const reader = new PennReader({ skipBad: true });
          const found = chunksOf(text, cuts).flatMap((chunk) => reader.read(chunk));
          expect([...found, ...reader.readEnd()].map(summary)).toEqual(
            lines.map(([, expected], index) => [index + 1, expected]),
          );
        },
      ),
    );
  });
});

function chunksOf(text: string, cuts: readonly number[]): string[] {
  const places = cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b);
  return [...places, text.length].map((end, index) => text.slice(places[index - 1] ?? 0, end));
}

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
          const reader = new PennReader();
          const pieces = chunksOf(text, cuts).flatMap((chunk) => reader.push(chunk));
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
