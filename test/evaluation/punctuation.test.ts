import { describe, expect, test } from "vitest";
import { evaluateStreams } from "../../src/evaluation/evaluate.js";
import { PROTOCOLS, withPunctuation } from "../../src/evaluation/protocols.js";
import { choosePunctuation, isMark, TagCounts } from "../../src/evaluation/punctuation.js";
import { reportJson, reportText } from "../../src/evaluation/report.js";
import { scoreBaselines } from "../../src/evaluation/score-baselines.js";
import { readTreebank } from "../../src/treebanks/read-treebank.js";
import { parsePenn } from "../../src/trees/penn-reader.js";
import { dataPath, describeWithData } from "../data.js";
import { readTrees } from "./trees.js";

const TREES = {
  penn: "(S (NP (DT the) (NN dog)) (VP (VBZ barks)) (. .))",
  universal: "(S (NP (DET the) (NOUN dog)) (VP (VERB barks)) (PUNCT .))",
  ctb: "(IP (NP (NN 狗)) (VP (VV 叫) (AS 了)) (PU 。))",
  icon: "(S (NP (NNO anjing)) (VP (VBI tidur) (PP (PPO di) (NNO rumah))) (PUN .))",
  keyaki: "(IP-MAT (PP (NP (N 犬)) (P が)) (-LRB- 「) (VB 走っ) (AXD た) (PU 。))",
  greynir: "(S0 (IP (NP (no_et_nf hundurinn)) (VP (so_0_fh geltir) (ADVP (ao hátt)))) (grm .))",
} as const;

function tagsOf(text: string): TagCounts {
  const counts = new TagCounts();
  for (const tree of parsePenn(text)) counts.add(tree);
  return counts;
}

const choose = (request: string, text: string) => choosePunctuation(request, tagsOf(text));

describe("auto", () => {
  test.each(Object.entries(TREES))("recognises the tag set %s", (name, text) => {
    const found = choose("auto", text);
    expect(found.name).toBe(name);
    expect(found.caution).toBeUndefined();
  });

  test("tells punctuation by characters where the tags are not known, and says so", () => {
    const found = choose("auto", "(S (Nc gato) (Vb duerme) (Fc ,) (Fx %) (Fp .))");
    expect(found).toMatchObject({ name: "characters", tags: ["Fc", "Fp"] });
    expect(found.caution).toContain("not known");
  });

  test("a tag is punctuation if most of its tokens are", () => {
    const found = choose("auto", "(S (Z a) (Z .) (Y .) (Y ,) (Y etc))");
    expect(found.tags).toEqual(["Y"]);
    const [isWord] = found.wordRules;
    expect(isWord?.({ word: ".", tag: "Z" })).toBe(true);
    expect(isWord?.({ word: "etc", tag: "Y" })).toBe(false);
    expect(isWord?.({ word: "!", tag: "unseen" })).toBe(false);
  });
});

test("characters that are punctuation, and those that are not", () => {
  for (const mark of ["。", "、", "」", "――", "…", "-LRB-", "``", "''", "«", "¿", "--", '."']) {
    expect([mark, isMark(mark)]).toEqual([mark, true]);
  }
  for (const word of ["%", "$", "€", "&", "a.", "3", "々", "ー", "+", ""]) {
    expect([word, isMark(word)]).toEqual([word, false]);
  }
});

describe("what the user says", () => {
  test.each([
    ["PU SYM", ["PU", "SYM"]],
    ["PU,SYM", ["PU", "SYM"]],
    [", . :", [",", ".", ":"]],
    [",", [","]],
  ])("%j is a list of tags", (request, tags) => {
    expect(choose(request, TREES.penn)).toMatchObject({ name: "list", tags });
  });

  test("a star stands for all tags that begin so", () => {
    const [isWord] = choose("F*", "(S (Nc gato) (Fc ,))").wordRules;
    expect(isWord?.({ word: ",", tag: "Fc" })).toBe(false);
    expect(isWord?.({ word: "gato", tag: "Nc" })).toBe(true);
  });

  test("an empty list is refused", () => {
    expect(() => choose(" , , ".replaceAll(" ", ""), TREES.penn)).toThrow("empty");
    expect(() => choose("", TREES.penn)).toThrow("empty");
  });

  test("tags that do not occur and a set that does not fit are warned of", () => {
    expect(choose("PU", TREES.icon).caution).toContain("no token has one of the punctuation tags");
    expect(choose("penn", TREES.icon).caution).toMatch(/\d % of the tokens have tags/);
    expect(choose("icon", TREES.icon).caution).toBeUndefined();
  });
});

describe("scores", () => {
  const gold = '(S (A (PUN ") (NNO a) (NNO b)) (PUN ,) (B (NNO c) (NNO d)) (PUN .))';

  test.each(["kim", "kim-nofull", "nob", "evalb"] as const)(
    "%s leaves the treebank's punctuation out, whether the prediction has it or not",
    async (protocol) => {
      for (const predicted of [gold, "(S (A (NNO a) (NNO b)) (B (NNO c) (NNO d)))"]) {
        const streams = [readTrees(predicted, "predicted")];
        const [found] = await evaluateStreams(readTrees(gold, "gold"), streams, protocol);
        expect(found?.totals.sentenceF1).toBe(1);
        expect(found?.totals.gold).toBe(protocol === "evalb" ? 3 : 2);
        expect(found?.punctuation.name).toBe("icon");
      }
    },
  );

  test("a word cannot be left out", async () => {
    const streams = [readTrees("(S (NNO a) (NNO b) (NNO d))", "predicted")];
    await expect(evaluateStreams(readTrees(gold, "gold"), streams, "nob")).rejects.toThrow(
      'token 3 differs: "d" in the prediction',
    );
  });

  test("come with the punctuation's name and its cautions", async () => {
    const evaluate = async (punctuation: string) => {
      const [found] = await evaluateStreams(readTrees(gold, "g"), [readTrees(gold, "p")], "nob", {
        punctuation,
      });
      return found as NonNullable<typeof found>;
    };
    expect(reportText(await evaluate("auto"))).toContain("punctuation  icon (PUN)");
    expect(reportText(await evaluate("penn"))).toContain("caution: 100.00 % of the tokens");
    expect(reportJson(await evaluate("PUN,SYM"))).toMatchObject({
      punctuation: "list",
      punctuationTags: ["PUN", "SYM"],
    });
  });

  test("gold words need no tags if characters decide", async () => {
    const text = "(S (NP the dog) (VP ran fast) .)";
    const [found] = await evaluateStreams(readTrees(text, "g"), [readTrees(text, "p")], "kim", {
      punctuation: "characters",
    });
    expect(found?.totals).toMatchObject({ gold: 2, matched: 2 });
  });

  test("a root that covers the same words as the phrase in it is unary, whatever punctuation follows", async () => {
    const text = "(S0 (S (A (no a) (no b)) (so c)) (grm .))";
    const [found] = await evaluateStreams(readTrees(text, "g"), [readTrees(text, "p")], "kim");
    expect(found?.unaryRoots).toBe(1);
  });

  test("the punctuation baseline splits at commas of any treebank", async () => {
    const text = "(IP (A (NN a) (NN b)) (PU ，) (B (NN c) (NN d)) (PU 。))";
    const { rows, punctuation } = await scoreBaselines(["punctuation"], readTrees(text, "g"), {
      protocol: "nob",
      seeds: 1,
      seed: 1,
    });
    expect(punctuation.name).toBe("ctb");
    expect(rows[0]?.runs[0]?.recall).toBe(1);
  });
});

test("Penn's protocols keep their own lists", () => {
  const penn = choose("auto", TREES.penn);
  const hyphen = { word: "-", tag: "HYPH" };
  expect(withPunctuation(PROTOCOLS.kim, penn).isWord(hyphen)).toBe(false);
  expect(withPunctuation(PROTOCOLS.nob, penn).isWord(hyphen)).toBe(true);
});

// Sentence F1 under kim-nofull, trees over words.
describe.each([
  ["id-icon-dev", "icon", 1000, "9.42", "43.03"],
  ["zh-mctb-dev", "ctb", 1998, "12.51", "20.95"],
  ["ja-keyaki-dev", "keyaki", 1185, "30.17", "2.70"],
  ["is-greynir-dev", "greynir", 4500, "6.34", "44.55"],
] as const)("%s", (folder, name, sentences, left, right) => {
  const path = `treebanks/${folder}`;
  describeWithData(path, `baselines of ${folder}`, () => {
    test("left and right branching", async () => {
      const { rows, punctuation } = await scoreBaselines(
        ["left", "right"],
        readTreebank(dataPath(path)),
        { protocol: "kim-nofull", seeds: 1, seed: 1 },
      );
      expect([punctuation.name, punctuation.caution]).toEqual([name, undefined]);
      const scores = rows.map(({ runs }) => runs[0]);
      expect(scores.map((totals) => totals?.sentences)).toEqual([sentences, sentences]);
      expect(scores.map((totals) => ((totals?.sentenceF1 ?? 0) * 100).toFixed(2))).toEqual([
        left,
        right,
      ]);
    });
  });
});
