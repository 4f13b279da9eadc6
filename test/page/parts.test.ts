/** Parts of the page that need no browser. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toPenn, treeFromSpans } from "../../src/trees/index.js";
import { placeBrackets } from "../../web/data/bracketing.js";
import { linesOf, NO_FILTER, Scan } from "../../web/data/scan.js";
import { placeFragment, readPlace, spansFromField, spansToField } from "../../web/link.js";
import { toTsv } from "../../web/phrases.js";
import { shownSpans, shownTree } from "../../web/sentence.js";
import { neighbour } from "../../web/tree/keyboard.js";
import {
  buildNodes,
  describeNode,
  shownNodes,
  signed,
  spanKey,
  type TreeNode,
} from "../../web/tree/nodes.js";
import { tree as anyTree } from "../arbitraries.js";

function streamOf(chunks: readonly Uint8Array<ArrayBuffer>[]) {
  return new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
}

describe("lines of a stream", () => {
  test("are the same however it is cut, with the places of their bytes", async () => {
    const line = fc.string({ unit: "grapheme" }).map((text) => text.replace(/\n/g, " "));
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 8 }),
        fc.integer({ min: 1, max: 9 }),
        async (lines, size) => {
          const bytes = new TextEncoder().encode(lines.join("\n"));
          const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
            bytes.slice(at * size, (at + 1) * size),
          );
          const found: string[] = [];
          for await (const { text, begin, end } of linesOf(streamOf(chunks))) {
            expect(new TextDecoder().decode(bytes.subarray(begin, end))).toBe(text);
            found.push(text);
          }
          // What ends with a newline, or is nothing, has no last line.
          const whole = lines.at(-1) === "" || lines.length === 0 ? lines.slice(0, -1) : lines;
          expect(found).toEqual(
            whole.map((text) => new TextDecoder().decode(new TextEncoder().encode(text))),
          );
        },
      ),
    );
  });
});

test("brackets at one level never meet, and all are placed", () => {
  const bracket = fc
    .tuple(fc.nat(9), fc.nat(9))
    .map(([a, b]): [number, number] => [Math.min(a, b), Math.max(a, b) + 1]);
  fc.assert(
    fc.property(fc.array(bracket, { maxLength: 12 }), (brackets) => {
      const tokens = Array.from({ length: 10 }, (_, index) => `w${index}`);
      const placed = placeBrackets({ tokens, brackets, source: "", id: "" });
      expect(placed.map(({ bracket: each }) => each.join()).sort()).toEqual(
        brackets.map((each) => each.join()).sort(),
      );
      for (const [index, a] of placed.entries()) {
        for (const b of placed.slice(index + 1)) {
          const apart = a.bracket[1] <= b.bracket[0] || b.bracket[1] <= a.bracket[0];
          expect(a.level !== b.level || apart).toBe(true);
        }
      }
    }),
  );
});

test("a scan counts what it is asked for, and remembers what is wrong", () => {
  const scan = new Scan({ ...NO_FILTER, kind: "link" });
  const record = (kinds: string[]) =>
    JSON.stringify({
      tokens: ["a", "b", "c"],
      brackets: [
        [0, 2],
        [1, 3],
      ],
      kinds,
      source: "s",
      id: "",
    });
  expect(scan.add(record(["link", "answer"]))).toBe(true);
  expect(scan.add(record(["answer", "answer"]))).toBe(false);
  expect(scan.add("")).toBe(false);
  for (let bad = 0; bad < 5; bad++) expect(scan.add("{")).toBe(false);
  const { sentences, brackets, problems, badLines } = scan.findings;
  expect({ sentences, brackets, badLines }).toEqual({ sentences: 1, brackets: 1, badLines: 5 });
  expect(problems).toHaveLength(3);
  expect(problems[0]).toBe("line 4: not valid JSON");
  expect(() => new Scan({ ...NO_FILTER, text: "/(/" })).toThrow(SyntaxError);
});

describe("links", () => {
  test("carry any text and any spans there and back", () => {
    const span = fc.tuple(fc.nat(99), fc.integer({ min: 1, max: 9 }));
    const lists = fc.dictionary(
      fc.nat(20).map(String),
      fc.array(span, { minLength: 1, maxLength: 4 }),
    );
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1 }), lists, (text, spans) => {
        const given = new Map(
          Object.entries(spans).map(([sentence, list]) => [
            Number(sentence),
            list.map(([begin, length]) => ({ begin, end: begin + length })),
          ]),
        );
        const { view, fields } = readPlace(
          placeFragment("parse", { text, must: spansToField(given) }),
        );
        expect(view).toBe("parse");
        expect(fields.get("text")).toBe(text.toWellFormed());
        expect(spansFromField(fields.get("must") ?? "")).toEqual(given);
      }),
    );
  });
});

describe("nodes", () => {
  test("every node is reached by arrow keys, and what is folded is not", () => {
    fc.assert(
      fc.property(anyTree, (tree) => {
        const root = buildNodes(tree);
        const seen = new Set([root]);
        for (const node of seen) {
          for (const key of ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"]) {
            const next = neighbour(node, key);
            if (next) seen.add(next);
          }
        }
        expect(seen).toEqual(new Set(shownNodes(root)));
        const folded = buildNodes(tree, { folded: new Set([spanKey(root)]) });
        expect(shownNodes(folded)).toEqual([folded]);
      }),
    );
  });

  test("carry score and probability of their phrases", () => {
    const tree = treeFromSpans(
      [{ word: "a" }, { word: "b" }, { word: "c" }],
      [
        { begin: 0, end: 3, label: "X" },
        { begin: 1, end: 3, label: "X" },
      ],
    );
    const spans = [{ begin: 1, end: 3, label: "X", score: 2, marginal: 0.5 }];
    const [root, first, phrase] = shownNodes(buildNodes(tree, { spans }));
    expect(root).toMatchObject({ begin: 0, end: 3, score: undefined });
    expect(first).toMatchObject({ leaf: { word: "a" }, level: 2 });
    expect(phrase).toMatchObject({ begin: 1, end: 3, score: 2, marginal: 0.5, label: "" });
  });

  test("numbers have a proper minus", () => {
    expect([signed(-1.234), signed(-0.001), signed(2)]).toEqual(["−1.23", "0.00", "2.00"]);
  });

  test("of a chain have their own labels, and one word is one word", () => {
    const leaves = [{ word: "go" }, { word: "home" }];
    const spans = [
      { begin: 0, end: 2, label: "S", labelProbability: 0.5, marginal: 0.8, score: 1, head: 0 },
      { begin: 0, end: 2, label: "VP", labelProbability: 0.4, marginal: 0.8, score: 1, head: 0 },
      { begin: 1, end: 2, label: "ADVP", labelProbability: 0.9, head: 1 },
    ];
    const shown = shownNodes(buildNodes(treeFromSpans(leaves, spans), { spans }));
    const [outer, inner, , single] = shown as [TreeNode, TreeNode, TreeNode, TreeNode];
    expect([outer, inner].map(({ label, labelProbability }) => [label, labelProbability])).toEqual([
      ["S", 0.5],
      ["VP", 0.4],
    ]);
    expect(outer.probability).toBeCloseTo(0.4);
    expect(single).toMatchObject({ certainty: 0.9, probability: 0.9, marginal: undefined });
    expect(describeNode(outer)).toBe(
      "S of 2 words: go home, head go, probability 80 %, label 50 %, score 1.00",
    );
    expect(describeNode(single)).toBe("ADVP of 1 word: home, label 90 %");
  });
});

describe("what is shown of a parse", () => {
  const leaves = ["He", "left", "town"].map((word) => ({ word }));
  const spans = [
    { begin: 0, end: 3, label: "S", marginal: 0.1 },
    { begin: 0, end: 1, label: "NP", labelProbability: 0.2 },
    { begin: 1, end: 3, label: "VP", marginal: 0.6 },
    { begin: 2, end: 3, label: "NP", labelProbability: 0.9 },
  ];
  const parse = { leaves, spans, tree: treeFromSpans(leaves, spans) };
  const all = { threshold: 0, only: [], oneWord: true };
  test.each([
    [all, "(S (NP (X He)) (VP left (NP (X town))))"],
    [{ ...all, threshold: 0.7 }, "(S (NP (X He)) left (NP (X town)))"],
    [{ ...all, oneWord: false }, "(S He (VP left town))"],
    [{ ...all, only: ["NP"] }, "( (NP (X He)) left (NP (X town)))"],
    [
      { ...all, only: ["VP", "S"] },
      "(S He (VP left (NP (X town))))".replace("(NP (X town))", "town"),
    ],
    [{ ...all, only: ["NP"], oneWord: false }, "( He left town)"],
  ])("%j", (shown, tree) => {
    expect(toPenn(shownTree(parse, shown))).toBe(tree);
  });

  test("a sentence that was not parsed is left as it is", () => {
    const flat = { ...parse, fallback: "too long" };
    expect(shownTree(flat, { ...all, only: ["NP"] })).toBe(flat.tree);
    expect(shownSpans(parse, { ...all, only: ["PP"] })).toEqual([]);
  });

  test("a table has a line for each phrase, whatever its words", () => {
    const phrase = {
      text: "a\tb\nc",
      head: "c",
      label: "NP",
      begin: 3,
      end: 8,
      words: [0, 3],
    } as const;
    expect(toTsv([{ ...phrase, sentence: 1, probability: 0.123456 }])).toBe(
      "label\tphrase\thead\tprobability\tsentence\tbegin\tend\nNP\ta b c\tc\t0.1235\t2\t3\t8\n",
    );
  });
});
