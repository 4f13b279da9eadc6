/** Extraction with `labels`: questions are kept, and votes for the names of phrases are made of them. */

import { describe, expect, test } from "vitest";
import { parseBracketing, toLine } from "../../src/brackets/record.js";
import { extractTexts } from "../brackets/helpers.js";
import { temporaryFolder } from "../temporary.js";

const folder = temporaryFolder();

function question(wh: string, subj: string, spans: number[][]) {
  const questionSlots = { wh, aux: "_", subj, verb: "past", obj: "_", prep: "_", obj2: "_" };
  return { answerJudgments: [{ sourceId: "a", isValid: true, spans }], questionSlots };
}

const sentence = {
  sentenceId: "1",
  sentenceTokens: ["He", "quickly", "used", "cash", "in", "the", "old", "town", "."],
  verbEntries: {
    2: {
      verbIndex: 2,
      questionLabels: {
        a: question("who", "_", [[0, 1]]),
        b: question("what", "someone", [[3, 4]]),
        c: question("where", "someone", [[4, 8]]),
        d: question("how", "someone", [[1, 2]]),
      },
    },
  },
};

/** The label with the most votes for each span, by its words. */
function names({ tokens, brackets, labels = [] }: ReturnType<typeof parseBracketing>) {
  const best = (votes: Readonly<Record<string, number>>) =>
    Object.entries(votes).sort(([, a], [, b]) => b - a)[0]?.[0];
  return new Map(
    brackets.map(([begin, end], at) => [
      tokens.slice(begin, end).join(" "),
      labels[at] && best(labels[at]),
    ]),
  );
}

describe("labels", () => {
  const files = { "a.jsonl": `${JSON.stringify(sentence)}\n` };

  test("are voted on, single words too, though these are no brackets of the record", async () => {
    const options = { clean: true, english: true, labels: true };
    const { records } = await extractTexts(folder, files, options);
    const found = names(records[0] as (typeof records)[0]);
    expect(found.get("in the old town")).toBe("PP");
    expect(found.get("used cash in the old town")).toBe("VP");
    expect(found.get("He quickly used cash in the old town .")).toBe("S");
    expect(found.get("He")).toBe("NP");
    expect(found.get("cash")).toBe("NP");
    expect(found.get("quickly")).toBe("ADVP");
    expect(found.get("town")).toBe("-");
    const singles = records[0]?.brackets.flatMap(([begin, end], at) =>
      end - begin === 1 ? [records[0]?.kinds?.[at]] : [],
    );
    expect(new Set(singles)).toEqual(new Set(["label"]));
  });

  test("questions are fields of the record", async () => {
    const { records } = await extractTexts(folder, files, { labels: true });
    const [record] = records;
    const at = record?.brackets.findIndex(([begin, end]) => begin === 4 && end === 8) as number;
    expect(record?.questions?.[at]).toEqual([{ wh: "where", subj: "someone", verb: "past" }]);
    expect(parseBracketing(toLine(record as (typeof records)[0]))).toEqual(record);
  });

  test("without the option a record is as it was", async () => {
    const { records } = await extractTexts(folder, files, { clean: true, english: true });
    expect(records[0]).not.toHaveProperty("labels");
    expect(records[0]).not.toHaveProperty("questions");
  });

  test("a language without rules for them is refused", async () => {
    const options = { labels: true, language: "de" };
    await expect(extractTexts(folder, files, options)).rejects.toThrow(
      /names of phrases in German/,
    );
  });

  test.each([
    ['"labels":[{"NP":2}]', /"labels" must hold one object of labels/],
    ['"labels":[{"NP":0.6,"VP":0.6}]', /"labels" must hold one object of labels/],
    ['"questions":[[{"who":"me"}]]', /"questions" must hold one list of questions/],
  ])("%s is refused", (field, problem) => {
    const line = `{"tokens":["a","b","c"],"brackets":[[0,2]],${field}}`;
    expect(() => parseBracketing(line)).toThrow(problem);
  });
});
