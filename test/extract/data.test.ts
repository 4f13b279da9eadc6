/** The published data sets, as they are. */

import { describe, expect, test } from "vitest";
import { BracketStatistics } from "../../src/brackets/statistics.js";
import { extract } from "../../src/extract/extract.js";
import type { ExtractOptions } from "../../src/extract/options.js";
import { SOURCES } from "../../src/extract/sources/index.js";
import { expandInputs } from "../../src/files/expand-inputs.js";
import { dataPath, describeWithData } from "../data.js";

async function statisticsOf(
  folders: string[],
  { only, ...options }: ExtractOptions & { only?: RegExp } = {},
) {
  const extensions = [...new Set(SOURCES.flatMap((source) => source.extensions))];
  const files = await expandInputs(folders.map(dataPath), extensions);
  const chosen = files.filter((file) => only?.test(file) ?? true);
  const statistics = new BracketStatistics();
  for await (const record of extract(chosen, options)) statistics.add(record);
  return statistics;
}

const perSentence = ({ brackets, sentences }: BracketStatistics) =>
  (brackets / sentences).toFixed(2);
const single = ({ single: count, brackets }: BracketStatistics) =>
  ((100 * count) / brackets).toFixed(1);

describe("published data", () => {
  describeWithData("answers/qasrl-gs", "QA-SRL Gold Standard", () => {
    test.each([
      [false, "6.92", "24.4"],
      [true, "7.02", "25.1"],
    ])("by text match: %s", async (matchText, brackets, share) => {
      const found = await statisticsOf(["answers/qasrl-gs"], { matchText });
      expect([found.sentences, perSentence(found), single(found)]).toEqual([1999, brackets, share]);
    });
  });

  describeWithData("answers/qamr", "QAMR", () => {
    test("all three answers", async () => {
      const found = await statisticsOf(["answers/qamr"], {
        merge: "id",
        only: /filtered|sentences/,
      });
      expect([found.sentences, perSentence(found), single(found)]).toEqual([979, "22.62", "41.8"]);
    });
  });

  describeWithData("answers/qasrl1-oie", "QA-SRL 1.0 as Open-IE columns", () => {
    test("newswire", async () => {
      expect((await statisticsOf(["answers/qasrl1-oie"], { only: /newswire/ })).sentences).toBe(
        1176,
      );
    });
  });

  describeWithData("answers/qasrl-bank-2.1", "the union of answers", () => {
    test("over 24,000 sentences and 130,000 multi-token brackets", async () => {
      const folders = ["qasrl-bank-2.1", "qanom", "qasrl-gs", "qamr"].map(
        (name) => `answers/${name}`,
      );
      const found = await statisticsOf(folders);
      expect(found.sentences).toBeGreaterThan(24_000);
      expect(found.multiToken).toBeGreaterThan(130_000);
    });
  });

  describeWithData("answers/squad2-dev-half", "SQuAD and QADiscourse", () => {
    test("give multi-token brackets", async () => {
      const squad = await statisticsOf(["answers/squad2-dev-half"], { requireMulti: true });
      expect(squad.sentences).toBeGreaterThan(1700);
      const discourse = await statisticsOf(["answers/qadiscourse"], { requireMulti: true });
      expect(discourse.sentences).toBeGreaterThan(2900);
    });
  });
});
