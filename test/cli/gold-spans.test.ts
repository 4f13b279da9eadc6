/** `bracken evaluate --gold-spans` as a process, with a tiny model of random weights that names phrases. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { goldSpans } from "../../src/evaluation/confusion.js";
import { ModelFolder } from "../../src/model/folder.js";
import { SpanModel } from "../../src/model/span-model.js";
import { ScoredLabels } from "../../src/parser/sentence-labels.js";
import { parsePenn } from "../../src/trees/index.js";
import { words } from "../../src/trees/tree.js";
import { writeTinyModel } from "../model/tiny-model.js";
import { temporaryFolder } from "../temporary.js";
import { bracken } from "./run.js";

const folder = temporaryFolder();
const gold = join(folder, "gold.mrg");
const TREES = `
(TOP (S (NP (DT the) (JJ old) (NN man)) (VP (VBD sat) (PP (IN by) (NP (DT the) (NN door)))) (. .)))
(TOP (S (NP (PRP he)) (VP (VBD ran) (S (VP (TO to) (VP (VB sit))))) (. .)))
(TOP (S (NP-SBJ (DT a) (NN dog)) (VP (VBD sat) (ADVP (RB on)))))`;
let model: string;

beforeAll(async () => {
  model = await writeTinyModel(folder, {
    labels: { classes: ["-", "NP", "S+VP", "VP", "PP"] },
    decoding: "phrases",
  });
  writeFileSync(gold, TREES);
});

/** What the label scorer says of each gold span, asked without a tree. */
async function expected(oneWord: boolean): Promise<Record<string, Record<string, number>>> {
  const trees = parsePenn(TREES);
  const spans = await SpanModel.load(await ModelFolder.open(model), { threads: 1 });
  const config = spans.config.labels ?? expect.unreachable();
  const counts: Record<string, Record<string, number>> = {};
  for await (const { index, labels } of spans.scores(trees.map((tree) => words(tree)))) {
    const factors = [labels ?? expect.unreachable()];
    for (const { label, ...span } of goldSpans(trees[index] ?? expect.unreachable(), { oneWord })) {
      const [name = "-"] = new ScoredLabels(config, factors).labelOf(span).labels;
      counts[label] ??= {};
      counts[label][name] = (counts[label][name] ?? 0) + 1;
    }
  }
  await spans.close();
  return counts;
}

const evaluate = (...args: string[]) => bracken(["evaluate", gold, ...args]);

describe("evaluate --gold-spans", () => {
  test.each([false, true])("names every gold span; one-word phrases: %s", async (oneWord) => {
    const flags = ["--model", model, "--gold-spans", "--json", ...(oneWord ? ["--one-word"] : [])];
    const { code, stdout, stderr } = await evaluate(...flags);
    expect([code, stderr]).toEqual([0, ""]);
    const { goldSpans: report } = JSON.parse(stdout);
    // NP, VP, PP, NP; VP, S over VP; NP, VP; of one word NP, VP, ADVP.
    expect(report.spans).toBe(oneWord ? 11 : 8);
    const found = (report.confusion as { gold: string; predicted: Record<string, number> }[]).map(
      (row) => [row.gold, row.predicted],
    );
    expect(Object.fromEntries(found)).toEqual(await expected(oneWord));
  });

  test("as text: accuracy, measures, confusions, and categories if asked", async () => {
    const { stdout } = await evaluate("--model", model, "--gold-spans", "--induced");
    expect(stdout).toMatch(/^label accuracy +\d+\.\d\d +\(8 spans, gold spans\)$/m);
    expect(stdout).toMatch(/^label +recall +precision +F1 /m);
    expect(stdout).toMatch(/^V-measure +\d/m);
  });

  test("needs a model that names phrases, and no trees", async () => {
    const unnamed = await writeTinyModel(join(folder, "unnamed"));
    const cases = [
      [["--model", unnamed, "--gold-spans"], "the model does not name phrases"],
      [[gold, "--gold-spans"], "--gold-spans needs a model"],
      [["--model", model, "--gold-spans", "--against", gold], "--against is for trees"],
    ] as const;
    for (const [args, message] of cases) {
      const { code, stderr } = await evaluate(...args);
      expect(code).toBe(2);
      expect(stderr).toContain(message);
      expect(stderr).not.toContain("    at ");
    }
  });
});
