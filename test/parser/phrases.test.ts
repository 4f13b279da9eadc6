/** Phrases by name: their places in the text, nesting, heads, and what is refused. */

import { describe, expect, test } from "vitest";
import { newModelConfig } from "../../src/model/config.js";
import type { Decoder } from "../../src/parser/decoder.js";
import { Parser } from "../../src/parser/parser.js";
import { labelsOf } from "../../src/parser/phrases.js";
import { parsePenn } from "../../src/trees/penn-reader.js";
import { constituents, type Tree } from "../../src/trees/tree.js";
import { TINY_CONFIG } from "../training/tiny-encoder.js";

const CLASSES = ["-", "NP", "VP", "PP", "S", "SBAR", "ADJP", "QP", "S+VP"];

/** A parser whose decoder answers with the given trees, one for each sentence. */
function parserOf(...trees: string[]): Parser {
  let next = 0;
  const decoder: Decoder = {
    width: 1,
    configs: [newModelConfig(TINY_CONFIG, { labels: { classes: CLASSES } })],
    decode: async (tasks) =>
      tasks.map(() => {
        const [tree] = parsePenn(trees[next++] as string) as [Tree];
        const spans = constituents(tree).map((span) => ({ ...span, labelProbability: 0.5 }));
        return { spans: spans.sort((a, b) => a.begin - b.begin || b.end - a.end), score: 0 };
      }),
    close: async () => {},
  };
  return new Parser(decoder);
}

const BRIDGE =
  "(S (NP (X She)) (VP (X crossed) (NP (NP (X the) (X old) (X bridge)) (PP (X by) (NP (X the) (X river))))) (X .))";

describe("phrases", () => {
  test("have their text, place, head and probability", async () => {
    const document = await parserOf(BRIDGE).parseText(
      "  She crossed the old  bridge by the river.",
    );
    const [, first] = document.phrases("NP");
    expect(first).toEqual({
      text: "the old  bridge by the river",
      begin: 14,
      end: 42,
      label: "NP",
      head: "bridge",
      probability: 0.5,
      sentence: 0,
      words: [2, 8],
    });
    for (const { text, begin, end } of document.phrases()) {
      expect(document.text.slice(begin, end)).toBe(text);
    }
  });

  test("of models with different labels there are none: their trees have no names", () => {
    const config = (...classes: string[]) => newModelConfig(TINY_CONFIG, { labels: { classes } });
    const same = config("-", "NP", "S+VP");
    expect(labelsOf([same, config("-", "NP", "S+VP")])).toEqual(["NP", "S", "VP"]);
    expect(labelsOf([same, config("-", "NP")])).toEqual([]);
    expect(labelsOf([same, newModelConfig(TINY_CONFIG)])).toEqual([]);
  });

  test("of one label or several, nested or not", async () => {
    const document = await parserOf(BRIDGE).parseText("She crossed the old bridge by the river.");
    const texts = (...args: Parameters<typeof document.phrases>) =>
      document.phrases(...args).map(({ text }) => text);
    const whole = "the old bridge by the river";
    expect(texts("NP")).toEqual(["She", whole, "the old bridge", "the river"]);
    expect(texts("NP", { nesting: "maximal" })).toEqual(["She", whole]);
    expect(texts("NP", { nesting: "minimal" })).toEqual(["She", "the old bridge", "the river"]);
    expect(texts(["PP", "NP"], { nesting: "minimal" })).not.toContain("by the river");
    expect(texts("PP")).toEqual(["by the river"]);
  });

  test("are counted through the whole text", async () => {
    const trees = ["(S (NP (X He)) (VP (X left)) (X .))", "(S (NP (X She)) (VP (X stayed)) (X .))"];
    const document = await parserOf(...trees).parseText("He left. She stayed.");
    expect(
      document.phrases("NP").map(({ text, begin, sentence }) => [text, begin, sentence]),
    ).toEqual([
      ["He", 0, 0],
      ["She", 9, 1],
    ]);
  });

  test.each([
    ["(NP (NP (X the) (X man) (X 's)) (X old) (X boat))", "NP", "boat"],
    ["(NP (NP (X cats)) (X and) (NP (X dogs)))", "NP", "cats"],
    ["(NP (X the) (X man) (SBAR (X who) (S (VP (X left)))))", "NP", "man"],
    ["(NP (QP (X 10) (X million)) (X dollars))", "NP", "dollars"],
    ["(VP (X has) (VP (X been) (VP (X sold))))", "VP", "sold"],
    ["(S (NP (X He)) (VP (X left) (NP (X town))))", "S", "left"],
    ["(SBAR (X because) (S (NP (X he)) (VP (X left))))", "SBAR", "left"],
    ["(PP (X in) (NP (X the) (X town)))", "PP", "in"],
    ["(ADJP (X very) (X old))", "ADJP", "old"],
  ])("the head of %s", async (tree, label, head) => {
    const words = tree.match(/[^\s()]+(?=\))/g) as string[];
    const document = await parserOf(tree).parseText(words.join(" "));
    expect(document.phrases(label)[0]?.head).toBe(head);
  });

  test("a label or an option that there is not is refused", async () => {
    const document = await parserOf(BRIDGE).parseText("She crossed the old bridge by the river.");
    expect(() => document.phrases("XP")).toThrow('the model has no label "XP"');
    expect(() => document.phrases("NP", { nesting: "some" as "all" })).toThrow(/nesting/);
    const unnamed = new Parser({
      width: 1,
      configs: [newModelConfig(TINY_CONFIG)],
      decode: async (tasks) => tasks.map(() => ({ spans: [], score: 0 })),
      close: async () => {},
    });
    expect(unnamed.labels).toEqual([]);
    const plain = await unnamed.parseText("He left.");
    expect(() => plain.phrases("NP")).toThrow("the model does not name phrases");
  });
});
