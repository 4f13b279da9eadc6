import { describe, expect, test } from "vitest";
import { InputError } from "../../src/errors.js";
import { evaluateStreams } from "../../src/evaluation/evaluate.js";
import { reportJson, reportText } from "../../src/evaluation/report.js";
import { parseRecord } from "../../src/trees/json.js";
import { PennReader } from "../../src/trees/penn-reader.js";

async function* trees(text: string, file: string, unlabelled = false) {
  const reader = new PennReader({ file, unlabelled });
  yield* reader.push(text);
  yield* reader.end();
}

async function evaluate(gold: string, predicted: string, unlabelled = false) {
  const [found] = await evaluateStreams(
    trees(gold, "gold"),
    [trees(predicted, "pred", unlabelled)],
    "kim",
  );
  if (!found) throw new Error("no evaluation");
  return found;
}

async function failure(gold: string, predicted: string): Promise<InputError> {
  const error = await evaluate(gold, predicted).catch((reason: unknown) => reason);
  if (error instanceof InputError) return error;
  throw new Error("no input error");
}

const GOLD =
  "(S (NP (DT a) (NN b)) (VP (VB c) (NP (NN d))) (. .))\n(S (NN x) (-LRB- -LRB-) (NN y) (NN z))";

describe("tokens must agree", () => {
  test("a changed word is shown with both places", async () => {
    const error = await failure(GOLD, "(X (A a) (B b) (C c) (D D))");
    expect(error.message).toBe(
      'pred:1: token 4 differs: "D" in the prediction, in the gold tree "d" (gold:1)',
    );
  });

  test("a missing and an additional word", async () => {
    expect((await failure(GOLD, "(X (A a) (B b) (C c))")).message).toContain(
      "token 4 differs: no more tokens",
    );
    expect((await failure(GOLD, "(X (A a) (B b) (C c) (D d) (E e))")).message).toContain(
      'token 5 differs: "e" in the prediction, in the gold tree no more tokens',
    );
  });

  test("trees read with words for labels get a hint", async () => {
    expect((await failure("(S (DT the) (NN cat))", "(the cat)")).remedy).toContain(
      "same sentences",
    );
    expect((await failure("(S (DT the) (NN cat) (VB sat))", "((the cat) sat)")).remedy).toContain(
      "--unlabelled",
    );
    const found = await evaluate("(S (NP (DT the) (NN cat)) (VB sat))", "((the cat) sat)", true);
    expect(found.totals.sentenceF1).toBe(1);
  });

  test("too few and too many trees", async () => {
    const first = "(X (A a) (X (B b) (X (C c) (D d))))";
    expect((await failure(GOLD, first)).message).toContain(
      "ends after 1 trees; the gold tree at gold:2",
    );
    const error = await failure(GOLD, `${first} (X (A x) (B y) (C z))\n(X (A more) (B trees))`);
    expect(error.message).toContain(
      "pred:2: more predictions than gold trees: this is tree 3, gold has 2",
    );
  });

  test("escapes do not matter, nor which punctuation is there", async () => {
    const first = "(X (A a) (X (B b) (X (C c) (D d))))";
    const second = '{"tokens":["x","(","y","z"],"spans":[]}';
    const found = await evaluateStreams(
      trees(GOLD, "gold"),
      [
        (async function* () {
          yield* trees(first, "pred");
          yield { tree: parseRecord(second), file: "pred", line: 2 };
        })(),
      ],
      "kim",
    );
    expect(found[0]?.totals.sentences).toBe(2);
  });

  test("some punctuation kept, some not", async () => {
    const gold = "(S (`` ``) (NN a) (, ,) (NN b) (. .) ('' ''))";
    for (const kept of [
      "(X (N a) (N b))",
      "(X (N a) (X (P ,) (N b)))",
      "(X (P ``) (X (N a) (X (N b) (P .))))",
    ]) {
      expect((await evaluate(gold, kept)).totals.sentences).toBe(1);
    }
  });

  test("gold words need tags", async () => {
    expect((await failure("(S the cat)", "(S the cat)")).message).toContain(
      'gold:1: the gold word "the" has no part-of-speech tag',
    );
  });

  test("nothing to score is an error", async () => {
    expect((await failure("(S (NN a))", "(NN a)")).message).toContain("none of the 1 gold trees");
  });
});

describe("reports", () => {
  test("text names the protocol with each table", async () => {
    const found = await evaluate(
      GOLD,
      "(X (X (A a) (B b)) (X (C c) (D d)))(X (A x) (X (B y) (C z)))",
    );
    const text = reportText(found, { labels: true, byLength: true });
    expect(text).toContain("protocol     kim\npunctuation  penn\nsentence F1  50.00");
    expect(text.match(/kim/g)?.length).toBe(3);
    expect(reportJson(found, { labels: true, byLength: true })).toMatchObject({
      protocol: "kim",
      sentenceF1: 50,
      precision: expect.closeTo(200 / 3, 9),
      recall: 100,
      labels: [{ label: "NP", recall: 100 }, { label: "VP" }],
      byLength: [{ from: 2, to: 10, sentences: 2 }],
    });
  });
});
