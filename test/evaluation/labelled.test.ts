/** Labelled scores on trees counted by hand, against a slow way, and on real treebanks. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { evaluateStreams } from "../../src/evaluation/evaluate.js";
import {
  LABELLED_PROTOCOLS,
  type LabelledProtocolName,
  PROTOCOLS,
  type ProtocolName,
} from "../../src/evaluation/protocols.js";
import { reportJson, reportText } from "../../src/evaluation/report.js";
import { Scorer } from "../../src/evaluation/scorer.js";
import { compareSystems } from "../../src/evaluation/significance.js";
import { readTreebank } from "../../src/treebanks/read-treebank.js";
import { category } from "../../src/trees/labels.js";
import { collapseUnary, filterLeaves } from "../../src/trees/transform.js";
import { constituents, type Tree } from "../../src/trees/tree.js";
import { dataPath, describeWithData } from "../data.js";
import { shape } from "./shapes.js";
import { evaluateText, readTrees } from "./trees.js";

const NAMES = Object.keys(PROTOCOLS) as ProtocolName[];
const ALL_NAMES = Object.keys(LABELLED_PROTOCOLS) as LabelledProtocolName[];

async function counts(gold: string, predicted: string, name: ProtocolName, oneWord = false) {
  const { labelled } = await evaluateText(gold, predicted, name, { labelled: true, oneWord });
  const { totals } = labelled?.tally ?? expect.unreachable();
  return [totals.gold, totals.predicted, totals.matched];
}

describe("counted by hand", () => {
  // The cat sat on the mat    NP 0-2, VP 2-6, PP 3-6, NP 4-6; the root is dropped
  const CAT =
    "(S (NP-SBJ (DT The) (NN cat)) (VP (VBD sat) (PP-LOC (IN on) (NP (DT the) (NN mat)))) (. .))";
  // He tried to go            NP 0-1, VP 1-4, S 2-4, VP 2-4, VP 3-4; the root is dropped
  const HE =
    "(S (NP-SBJ-1 (PRP He)) (VP (VBD tried) (S (NP-SBJ (-NONE- *-1)) (VP (TO to) (VP (VB go))))) (. .))";

  test.each(NAMES)("%s: a right span with a wrong label is not found", async (name) => {
    const wrong = CAT.replace("PP-LOC", "NP");
    const { totals, labelled } = await evaluateText(CAT, wrong, name);
    expect([totals.sentenceF1, labelled?.tally.totals.sentenceF1]).toEqual([1, 0.75]);
    expect(await counts(CAT, wrong, name)).toEqual([4, 4, 3]);
  });

  test.each(NAMES)("%s: each phrase of a unary chain is to be found", async (name) => {
    const gold = "(S (NP (PRP He)) (VP (VBD tried) (S (VP (TO to) (VP (VB go))))) (. .))";
    const predicted = "(S (NP (PRP He)) (VP (VBD tried) (VP (TO to) (VB go))) (. .))";
    // Of two words and more: VP 1-4, S 2-4, VP 2-4; predicted VP 1-4, VP 2-4.
    expect(await counts(gold, predicted, name)).toEqual([3, 2, 2]);
    // With one-word phrases: NP 0-1 and VP 3-4, too; predicted NP 0-1.
    expect(await counts(gold, predicted, name, true)).toEqual([5, 3, 3]);
    const { totals } = await evaluateText(gold, predicted, name);
    expect([totals.gold, totals.predicted, totals.matched]).toEqual([2, 2, 2]);
  });

  test.each(NAMES)("%s: the same phrase twice can be found twice", async (name) => {
    const gold = "(S (NP (NP (NN a) (NN b))) (VP (VB c)))";
    expect(await counts(gold, "(S (NP (NN a) (NN b)) (VP (VB c)))", name)).toEqual([2, 1, 1]);
    expect(await counts(gold, gold, name)).toEqual([2, 2, 2]);
    const thrice = "(S (NP (NP (NP (NN a) (NN b)))) (VP (VB c)))";
    expect(await counts(gold, thrice, name)).toEqual([2, 3, 2]);
  });

  test.each(NAMES)("%s: a wrapper around the root is none of the phrases", async (name) => {
    for (const wrapper of ["TOP", "ROOT", ""]) {
      expect(await counts(CAT, `(${wrapper} ${CAT})`, name)).toEqual([4, 4, 4]);
      expect(await counts(`(${wrapper} ${CAT})`, CAT, name)).toEqual([4, 4, 4]);
    }
  });

  test("PRT is ADVP under evalb alone", async () => {
    const gold = "(S (VP (VB give) (PRT (RP up) (RB now))) (NP (NN it)))";
    const predicted = gold.replace("PRT", "ADVP");
    for (const name of NAMES) expect(await counts(gold, predicted, name)).toEqual([2, 2, 1]);
    const { totals } = await evaluateText(gold, predicted, "evalb");
    expect([totals.gold, totals.matched]).toEqual([4, 4]);
  });

  test("punctuation at the edges makes no other phrase, and no one-word phrase is a mark", async () => {
    const gold =
      "(S (NP (`` ``) (NN a) ('' '')) (VP (VB b) (NP (NN c) (NN d)) (PRN (: --))) (. .))";
    const predicted = "(S (`` ``) (NP (NN a)) ('' '') (VP (VB b) (NP (NN c) (NN d))) (: --) (. .))";
    // a b c d                 NP 0-1, VP 1-4, NP 2-4
    for (const name of NAMES) {
      expect(await counts(gold, predicted, name)).toEqual([2, 2, 2]);
      expect(await counts(gold, predicted, name, true)).toEqual([3, 3, 3]);
    }
  });

  test("the unary root: kim drops the root alone, the others all that covers the sentence", async () => {
    const gold = "(S (VP (VB go) (RB home)))";
    expect(await counts(gold, gold, "kim")).toEqual([1, 1, 1]);
    expect(await counts(gold, "(VP (VB go) (RB home))", "kim")).toEqual([1, 0, 0]);
    for (const name of ["kim-nofull", "nob"] as const) {
      expect(await counts(gold, gold, name)).toEqual([0, 0, 0]);
    }
  });

  test("by label: phrases of two words and more, and those of one, apart", async () => {
    const gold = filteredText(HE);
    const predicted = "(S (NP (PRP He)) (VP (VBD tried) (SBAR (VP (TO to) (NP (VB go))))) (. .))";
    const evaluation = await evaluateText(gold, predicted, "nob", {
      labelled: true,
      oneWord: true,
    });
    const row = (label: string, goldCount: number, predictedCount: number, matched: number) =>
      expect.objectContaining({ label, gold: goldCount, predicted: predictedCount, matched });
    expect(evaluation.labelled?.labels).toEqual([
      row("SBAR", 0, 1, 0),
      row("VP", 2, 2, 2),
      row("S", 1, 0, 0),
    ]);
    expect(evaluation.labelled?.oneWordLabels).toEqual([row("NP", 1, 2, 1), row("VP", 1, 0, 0)]);
    const json = reportJson(evaluation, { labels: true });
    expect(json.labelled?.labels).toEqual([
      { label: "SBAR", precision: 0, f1: 0, gold: 0, predicted: 1, matched: 0 },
      { label: "VP", recall: 100, precision: 100, f1: 100, gold: 2, predicted: 2, matched: 2 },
      { label: "S", recall: 0, f1: 0, gold: 1, predicted: 0, matched: 0 },
    ]);
    expect(json.labelled?.oneWordLabels?.[0]).toMatchObject({
      label: "NP",
      precision: 50,
      recall: 100,
    });
    const text = reportText(evaluation, { labels: true });
    expect(text).toContain("labelled     nob, phrases of one word and more\nsentence F1  60.00\n");
    expect(text).toMatch(
      /^label +recall +precision .*\(nob, labelled, two words and more\)\nSBAR +- +0\.00 /m,
    );
    expect(text).toMatch(/^NP +100\.00 +50\.00 +66\.67 +1 +1 +2$/m);
  });

  test("the labels of spans that both have: of a chain those of its top", async () => {
    const gold = "(S (NP (DT a) (NN b)) (VP (VB c) (S (VP (TO d) (VB e)))))";
    const predicted = "(S (NP (DT a) (NN b)) (NP (VB c) (VP (TO d) (VB e))))";
    const evaluation = await evaluateText(gold, predicted, "nob");
    const { confusion } = evaluation.labelled ?? expect.unreachable();
    expect([confusion.total, confusion.accuracy]).toEqual([3, 1 / 3]);
    expect([confusion.count("S", "VP"), confusion.count("VP", "NP")]).toEqual([1, 1]);
    const text = reportText(evaluation, { confusion: true });
    expect(text).toContain("label accuracy  33.33  (3 spans, nob, spans found)\n");
    expect(text).toMatch(/^VP +0\.00 +0\.00 +0\.00 +0 +1 +1$/m);
    expect(text).toContain("gold  NP  VP\nNP    1   0\nVP    1   0\nS     0   1");
    expect(reportJson(evaluation, { confusion: true }).labelled?.foundSpans).toMatchObject({
      spans: 3,
      confusion: [{ gold: "NP", predicted: { NP: 1 } }, {}, { gold: "S", predicted: { VP: 1 } }],
    });
  });
});

/** Trees from a string lose their traces when a treebank is read; here by hand. */
function filteredText(text: string): string {
  return text.replace("(NP-SBJ (-NONE- *-1)) ", "");
}

describe("trees without labels", () => {
  const gold = "(S (NP (DT a) (NN b)) (VP (VB c)))";

  test.each(NAMES)("%s: an error says so, and which trees", async (name) => {
    const predicted = "(X (X (DT a) (NN b)) (VB c))";
    await expect(evaluateText(gold, predicted, name)).rejects.toThrow(
      "the predicted trees have no labels to compare",
    );
    const streams = [readTrees(gold, "a"), readTrees(predicted, "b")];
    await expect(
      evaluateStreams(readTrees(gold, "gold"), streams, name, { labelled: true }),
    ).rejects.toThrow("the second predicted trees have no labels");
    const plain = await evaluateText(gold, predicted, name, {});
    expect([plain.totals.sentenceF1, plain.labelled]).toEqual([1, undefined]);
  });

  test("an X among names is compared as any label", async () => {
    const first = "(S (X (DT a) (NN b)) (VP (VB c) (NP (DT d) (NN e))))";
    expect(await counts(first, first, "nob")).toEqual([3, 3, 3]);
    expect(await counts(first.replace("X", "NP"), first, "nob")).toEqual([3, 3, 2]);
  });
});

describe("any trees", () => {
  const tags = fc.array(fc.constantFrom("NN", "VB", "DT", ",", "."), {
    minLength: 2,
    maxLength: 9,
  });
  const cases = fc.tuple(tags, fc.nat(), fc.nat());
  const located = (tree: Tree) => ({ tree, file: undefined, line: 1 });
  const score = (gold: Tree, predicted: Tree, name: LabelledProtocolName, oneWord = false) =>
    new Scorer(name, { labelled: true, oneWord }).score(located(gold), [located(predicted)])?.[0];

  test("a tree against itself is perfect under every protocol", () => {
    fc.assert(
      fc.property(cases, fc.boolean(), ([all, seed], oneWord) => {
        const tree = shape(all, seed);
        for (const name of ALL_NAMES) {
          const found = score(tree, tree, name, oneWord)?.labelled;
          if (found) expect([found.f1, found.crossing]).toEqual([1, 0]);
        }
      }),
    );
  });

  test("without unary chains, punctuation and differing labels, labels change nothing", () => {
    const rename = (tree: Tree): Tree =>
      "word" in tree
        ? { word: tree.word, tag: "NN" }
        : { label: "NP", children: tree.children.map(rename) };
    fc.assert(
      fc.property(cases, ([all, first, second]) => {
        const [gold, predicted] = [first, second].map((seed) =>
          rename(collapseUnary(shape(all, seed))),
        ) as [Tree, Tree];
        for (const name of NAMES) {
          const found = score(gold, predicted, name);
          const { gold: wanted, predicted: given, matched, f1 } = found ?? expect.unreachable();
          expect(found?.labelled).toMatchObject({ gold: wanted, predicted: given, matched, f1 });
        }
      }),
    );
  });

  test("kim: the slow way, on trees without punctuation, gives the same counts", () => {
    const slowly = (tree: Tree, least: number) => {
      const kept = filterLeaves(tree, ({ tag }) => /^\w/.test(tag ?? "")) as Tree;
      const inner = ("children" in kept ? kept.children[0] : kept) as Tree;
      return constituents(inner)
        .slice(0, -1)
        .filter(({ begin, end }) => end - begin >= least)
        .map(({ begin, end, label }) => `${begin} ${end} ${category(label)}`);
    };
    fc.assert(
      fc.property(cases, fc.boolean(), ([all, first, second], oneWord) => {
        const [gold, predicted] = [shape(all, first), shape(all, second)];
        const found = score(gold, predicted, "kim", oneWord);
        if (!found) return;
        const [wanted, given] = [gold, predicted].map((tree) => slowly(tree, oneWord ? 1 : 2));
        const left = [...(given ?? [])];
        const matched = wanted?.filter((phrase) => {
          const at = left.indexOf(phrase);
          if (at >= 0) left.splice(at, 1);
          return at >= 0;
        });
        expect(found.labelled).toMatchObject({
          gold: wanted?.length,
          predicted: given?.length,
          matched: matched?.length,
        });
      }),
    );
  });

  test("what is counted by label adds up", () => {
    fc.assert(
      fc.property(cases, fc.boolean(), ([all, first, second], oneWord) => {
        for (const name of ALL_NAMES) {
          const found = score(shape(all, first), shape(all, second), name, oneWord)?.labelled;
          if (!found) continue;
          for (const part of ["gold", "predicted", "matched"] as const) {
            expect(found.labels.reduce((sum, row) => sum + row[part], 0)).toBe(found[part]);
          }
          expect(found.matched).toBeLessThanOrEqual(Math.min(found.gold, found.predicted));
        }
      }),
    );
  });
});

test("paired tests take labelled counts", async () => {
  const gold = "(S (NP (DT a) (NN b)) (VP (VB c) (NP (NN d) (NN e))))\n".repeat(20);
  const wrong = gold.replaceAll("VP", "NP");
  const right = await evaluateText(gold, gold, "nob");
  const worse = await evaluateText(gold, wrong, "nob");
  const sentences = (from: typeof right) => from.labelled?.tally.sentences ?? expect.unreachable();
  const spans = compareSystems(right.sentences, worse.sentences, { trials: 200 });
  const labelled = compareSystems(sentences(right), sentences(worse), { trials: 200 });
  expect(spans.sentenceF1.difference).toBe(0);
  expect(labelled.sentenceF1.difference).toBeCloseTo(1 / 3, 9);
  expect(labelled.sentenceF1.p).toBeLessThan(0.01);
});

describe.each([
  ["wsj-sample-0001-0099", { kim: 34_544, "kim-nofull": 34_536, nob: 34_536, evalb: 36_465 }],
  ["craft-a", { nob: 280_432, evalb: 301_960 }],
] as const)("%s", (name, sizes) => {
  const treebank = `treebanks/${name}`;
  describeWithData(treebank, `${name} against itself`, () => {
    test.each(Object.entries(sizes))("is perfect under %s: %d phrases", async (protocol, size) => {
      const trees = () => readTreebank(dataPath(treebank));
      const [found] = await evaluateStreams(trees(), [trees()], protocol as LabelledProtocolName, {
        labelled: true,
        oneWord: true,
      });
      const { totals } = found?.labelled?.tally ?? expect.unreachable();
      expect([totals.sentenceF1, totals.corpusF1, totals.gold]).toEqual([1, 1, size]);
    });
  });
});
