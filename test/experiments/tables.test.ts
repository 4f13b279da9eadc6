/** The paper's tables from results that are given: numbers, rows, and what is missing. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { BaselineResults } from "../../src/experiments/gold.js";
import { renderMarkdown, renderText } from "../../src/experiments/render.js";
import { collectResults, estimateSeconds } from "../../src/experiments/reproduce.js";
import type { RunStatus } from "../../src/experiments/runs.js";
import {
  planRuns,
  SETTINGS,
  type Setting,
  scheduleFolder,
  trainSettings,
} from "../../src/experiments/schedules.js";
import {
  type SettingResult,
  spread,
  table1,
  table1Rows,
  table2,
  table2Rows,
  table3,
  table3Columns,
} from "../../src/experiments/tables.js";
import { PRESETS } from "../../src/training/settings.js";

const BASELINES: BaselineResults = {
  sentences: 3,
  scores: { random: [10, 30, 20], left: [5], right: [40], "upper-bound": [90] },
};

function scores(sentenceF1: number, recalls: Record<string, number>) {
  const labels = Object.entries(recalls).map(([label, recall]) => ({
    label,
    recall,
    gold: 100,
    found: recall,
  }));
  return { sentences: 3, sentenceF1, corpusF1: sentenceF1 - 1, labels };
}

const RESULTS: SettingResult[] = SETTINGS.map(({ name, data, cost }) => ({
  setting: name,
  data,
  cost,
  encoder: "tiny",
  sentences: name === "qasrl-strict" ? 1234 : undefined,
  runs:
    name === "qasrl-strict"
      ? [
          { seed: 1, scores: scores(60, { NP: 80, VP: 10 }) },
          { seed: 3, scores: scores(63, { NP: 90, VP: 20 }) },
        ]
      : [],
}));

describe("mean and maximum", () => {
  test("of nothing there is none", () => expect(spread([])).toBeUndefined());

  test("lie among the values", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 100, noNaN: true }), { minLength: 1 }),
        (all) => {
          const { mean, max, seeds } = spread(all) as NonNullable<ReturnType<typeof spread>>;
          expect(seeds).toBe(all.length);
          expect(all).toContain(max);
          expect(all.every((value) => value <= max)).toBe(true);
          expect(mean * all.length).toBeCloseTo(
            all.reduce((sum, value) => sum + value, 0),
            6,
          );
        },
      ),
    );
  });
});

describe("Table 2", () => {
  const rows = table2Rows(BASELINES, RESULTS);
  const cells = new Map(table2(rows).rows.map(([name = "", ...rest]) => [name, rest]));

  test("has the paper's rows in its order", () => {
    expect(rows.map(({ name }) => name.trim().split(" ")[0])).toEqual(
      "Random Left Right Upper URNNG PRPN ON DIORA CPCFG S-DIORA Constituency + NOB NOB NOB NOB".split(
        " ",
      ),
    );
  });

  test("the paper's numbers beside ours", () => {
    expect(cells.get("Random trees")).toEqual(["", "19.2", "19.5", "20.0", "30.0", "3", "", ""]);
    expect(cells.get("Left branching")).toEqual(["", "8.7", "", "5.0", "", "", "", ""]);
    expect(cells.get("URNNG (Kim et al. 2019b)")).toEqual(["", "-", "45.4", "-", "", "", "", ""]);
    expect(cells.get("NOB QA-SRL, strict")).toEqual([
      "*",
      "68.9",
      "70.0",
      "61.5",
      "63.0",
      "2",
      "tiny",
      "QA-SRL, 1,234 sentences",
    ]);
  });

  test("what is not finished has no number", () => {
    expect(cells.get("NOB Wikipedia, loose")).toEqual([
      "*",
      "58.2",
      "63.0",
      "-",
      "-",
      "0",
      "tiny",
      "Wikipedia",
    ]);
    expect(table2(table2Rows(undefined, [])).rows[0]).toContain("-");
  });

  test("as text and Markdown", () => {
    const table = table2(rows, ["a note"]);
    const text = renderText(table).split("\n");
    expect(text[0]).toBe(table.title);
    expect(text.at(-1)).toBe("a note");
    const lines = renderMarkdown(table).split("\n");
    const columns = lines.filter((line) => line.startsWith("|"));
    expect(columns).toHaveLength(rows.length + 2);
    for (const line of columns) expect(line.match(/(?<!\\)\|/g)).toHaveLength(10);
    expect(lines).toContain(
      "| NOB QA-SRL, strict | \\* | 68.9 | 70.0 | 61.5 | 63.0 | 2 | tiny | QA-SRL, 1,234 sentences |",
    );
  });
});

describe("Table 3", () => {
  test("is the mean recall over the seeds", () => {
    const { head, rows } = table3(table3Columns(RESULTS));
    const at = head.indexOf("NOB QA-SRL, strict: paper");
    const cells = Object.fromEntries(rows.map((row) => [row[0], row.slice(at, at + 2)]));
    expect(cells).toEqual({
      SBAR: ["87.7", "-"],
      NP: ["85.2", "85.0"],
      VP: ["70.9", "15.0"],
      PP: ["86.5", "-"],
      ADJP: ["57.3", "-"],
      ADVP: ["75.3", "-"],
      seeds: ["5", "2"],
      encoder: ["BERT-base", "tiny"],
      "learnt from": ["1,241", "1,234"],
    });
    expect(new Set(rows.map(({ length }) => length))).toEqual(new Set([head.length]));
  });
});

describe("Table 1", () => {
  test("has the paper's numbers as printed, ours with as many digits", () => {
    const statistics = {
      sentences: 12_345,
      bracketsPerSentence: 1.239,
      singleWord: 25.678,
      gold: {
        sentences: 7,
        constituent: 50,
        conflicting: null,
        labels: [{ label: "NP", gold: 9, found: 3, share: 100 / 3 }],
      },
    } as unknown as NonNullable<Parameters<typeof table1Rows>[0][0]["statistics"]>;
    const { rows } = table1(
      table1Rows([{ data: "qasrl" }, { data: "wikipedia", statistics, trainingSentences: 99 }]),
    );
    expect(rows.map((row) => row.join("|"))).toEqual([
      "Number of sentences|1,241|-|926,077|12,345",
      "Brackets/sentence|6.26|-|0.89|1.24",
      "Single word|22.4 %|-|35.8 %|25.7 %",
      "Constituent in reference|55.2 %|-|31.1 %|50.0 %",
      "Conflicting with reference|11.8 %|-|5.3 %|-",
      "SBAR|2.8 %|-|0.07 %|-",
      "NP|36.8 %|-|4.42 %|33.33 %",
      "VP|6.3 %|-|0.07 %|-",
      "PP|13.3 %|-|0.04 %|-",
      "ADJP|8.6 %|-|1.48 %|-",
      "ADVP|30.5 %|-|0.39 %|-",
      "Total|21.8 %|-|1.91 %|-",
      "Sentences with a reference tree|1,241|-|926,077|7",
      "Sentences to learn from|1,241|-|332,079|99",
    ]);
  });
});

describe("runs", () => {
  test("the first seed of all settings comes first", () => {
    const order = planRuns(SETTINGS, 2).map(({ setting, seed }) => `${setting.name} ${seed}`);
    expect(order.slice(0, 5)).toEqual([
      "qasrl-loose 1",
      "qasrl-strict 1",
      "wikipedia-loose 1",
      "wikipedia-strict 1",
      "qasrl-loose 2",
    ]);
  });

  test("the paper's schedule is the preset; the short one differs in length and rate alone", () => {
    const strict = SETTINGS[1] as Setting;
    const paper = trainSettings({ name: "paper", encoder: "minilm" }, strict, 4);
    expect(paper).toEqual({ ...PRESETS.paper, seed: 4 });
    const short = trainSettings({ name: "short", encoder: "minilm" }, strict, 4);
    const changed = Object.keys(paper).filter(
      (key) => paper[key as keyof typeof paper] !== short[key as keyof typeof short],
    );
    expect(changed.sort()).toEqual(["decay", "headRate", "rate", "steps", "warmup"]);
    const changedSteps = { name: "short", encoder: "minilm", steps: 4000, rate: 5e-5 } as const;
    expect(trainSettings(changedSteps, strict, 1)).toMatchObject({
      steps: 4000,
      warmup: 400,
      rate: 5e-5,
      headRate: 5e-5,
    });
  });

  test("what belongs into different tables has different folders", () => {
    const names = [
      scheduleFolder({ name: "short", encoder: "minilm" }),
      scheduleFolder({ name: "paper", encoder: "minilm" }),
      scheduleFolder({ name: "short", encoder: "models/bert-base/" }),
      scheduleFolder({ name: "short", encoder: "minilm", steps: 500 }),
      scheduleFolder({ name: "short", encoder: "minilm", steps: 500, rate: 1e-5 }),
    ];
    expect(names).toEqual([
      "minilm-short",
      "minilm-paper",
      "bert-base-short",
      "minilm-short-500-steps",
      "minilm-short-500-steps-rate-0.00001",
    ]);
  });

  test("time left is by what it took so far", () => {
    const finished = { model: "m", step: 0, spent: { seconds: 100, steps: 50 } };
    const begun = { model: undefined, step: 20, spent: { seconds: 60, steps: 30 } };
    const fresh = { model: undefined, step: 0, spent: undefined };
    expect(estimateSeconds([finished, begun, fresh], 50)).toBe(2 * (30 + 50));
    expect(estimateSeconds([fresh], 50)).toBeUndefined();
  });

  test("results are those of measured runs only", () => {
    const strict = SETTINGS[1] as Setting;
    const state = (seed: number, measured: boolean): RunStatus => ({
      setting: strict,
      seed,
      folder: `${seed}`,
      description: undefined,
      model: "m",
      step: 0,
      spent: undefined,
      scores: measured ? scores(seed, {}) : undefined,
    });
    const [result] = collectResults(
      { settings: [strict], schedule: { name: "short", encoder: "tiny" } },
      [state(1, true), state(2, false), state(3, true)],
    );
    expect(result?.runs.map(({ seed }) => seed)).toEqual([1, 3]);
  });
});
