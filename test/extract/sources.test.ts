import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toBracketing } from "../../src/brackets/raw-sentence.js";
import { type Bracketing, toLine } from "../../src/brackets/record.js";
import type { InputError } from "../../src/errors.js";
import { extractTexts, shown } from "../brackets/helpers.js";
import { temporaryFolder } from "../temporary.js";

const folder = temporaryFolder();

type Judgement = [annotator: string, ...spans: [number, number][]] | null;

function verb(index: number, questions: { subj: string; answers: Judgement[] }[]) {
  return {
    verbIndex: index,
    questionLabels: Object.fromEntries(
      questions.map(({ subj, answers }, number) => [
        `question ${number}?`,
        {
          questionSlots: { subj },
          answerJudgments: answers.map((answer) =>
            answer
              ? { sourceId: answer[0], isValid: true, spans: answer.slice(1) }
              : { sourceId: "x", isValid: false },
          ),
        },
      ]),
    ),
  };
}

function qasrlLine(id: string, text: string, ...verbs: ReturnType<typeof verb>[]): string {
  const verbEntries = Object.fromEntries(verbs.map((each) => [each.verbIndex, each]));
  return `${JSON.stringify({ sentenceId: id, sentenceTokens: text.split(" "), verbEntries })}\n`;
}

describe("qasrl", () => {
  const sentence = "They have been recovering in hospital since the attack .";
  const line = qasrlLine(
    "a:1",
    sentence,
    verb(3, [
      {
        subj: "_",
        answers: [
          ["p1", [0, 1]],
          ["p2", [0, 1]],
          ["p3", [0, 1]],
        ],
      },
      { subj: "someone", answers: [["p1", [4, 6]], ["p2", [4, 6]], null] },
      {
        subj: "someone",
        answers: [
          ["p1", [6, 9]],
          ["p2", [6, 9]],
          ["p3", [7, 9], [4, 10]],
        ],
      },
    ]),
  );

  test("valid judgements become brackets, weights are numbers of people", async () => {
    const { records, report } = await extractTexts(folder, { "a.jsonl": line });
    expect(records).toEqual([
      {
        tokens: sentence.split(" "),
        brackets: [
          [0, 1],
          [4, 10],
          [4, 6],
          [6, 9],
          [7, 9],
        ],
        weights: [3, 1, 2, 2, 1],
        kinds: ["answer", "answer", "answer", "answer", "answer"],
        source: "qasrl",
        id: "a:1",
      },
    ]);
    expect(report.dropped.get("judgements that call the question invalid")).toBe(1);
  });

  test("predicates: verb to the furthest agreed answer, and what is said of the subject", async () => {
    const { records } = await extractTexts(folder, { "a.jsonl": line }, { predicates: true });
    expect(shown(records[0] as never).filter((text) => text.startsWith("predic"))).toEqual([
      "predication: have been recovering in hospital since the attack",
      "predicate: recovering in hospital since the attack",
    ]);
  });

  test("clauses: subject and predicate together, and the verb with each of its auxiliaries", async () => {
    const { records } = await extractTexts(folder, { "a.jsonl": line }, { clauses: true });
    expect(shown(records[0] as never).filter((text) => text.includes(": "))).toEqual([
      "clause: They have been recovering in hospital since the attack",
      "predication: have been recovering in hospital since the attack",
      "predication: been recovering in hospital since the attack",
      "predicate: recovering in hospital since the attack",
    ]);
  });

  test("clauses: where the clause goes on it is taken as a whole, or not at all", async () => {
    const agreed = (...span: [number, number]): Judgement[] => [["p", span]];
    const found = async (text: string) => {
      const questions = [
        { subj: "_", answers: agreed(0, 1) },
        { subj: "someone", answers: agreed(2, 4) },
      ];
      const one = qasrlLine("d", text, verb(1, questions));
      const { records } = await extractTexts(folder, { "d.jsonl": one }, { clauses: true });
      return shown(records[0] as never).filter((phrase) => phrase.includes(": "));
    };
    const all = ["clause: He bought a house", "predicate: bought a house"];
    const whole = async (rest: string) => {
      expect(await found(`He bought a house ${rest} .`)).toEqual(
        expect.arrayContaining([
          `clause: He bought a house ${rest}`,
          `predicate: bought a house ${rest}`,
        ]),
      );
    };
    await whole("in May");
    await whole("that is old");
    await whole(", leaving the town");
    for (const rest of ["may fall", "in May and June", ", although she left", ": it is old"]) {
      expect(await found(`He bought a house ${rest} .`)).toEqual(["predicate: bought a house"]);
    }
    expect(await found("He bought a house , she not .")).toEqual(expect.arrayContaining(all));
    expect(await found("He bought a house and left .")).toEqual(expect.arrayContaining(all));
  });

  test("clauses: none of a subject that goes on", async () => {
    const questions = [
      { subj: "_", answers: [["p", [0, 2]]] as Judgement[] },
      { subj: "someone", answers: [["p", [5, 6]]] as Judgement[] },
    ];
    const one = qasrlLine("e", "The men in Rome left town .", verb(4, questions));
    const { records } = await extractTexts(folder, { "e.jsonl": one }, { clauses: true });
    const phrases = shown(records[0] as never).filter((phrase) => phrase.includes(": "));
    expect(phrases).toEqual(["predicate: left town"]);
  });

  test("clauses: an infinitive with its mark; of subjects within each other the longest", async () => {
    const agreed = (...span: [number, number]): Judgement[] => [
      ["p", span],
      ["q", span],
    ];
    const one = qasrlLine(
      "c",
      "Mao 's picture began to appear on coins .",
      verb(3, [
        { subj: "_", answers: [...agreed(0, 1), ...agreed(0, 3)] },
        { subj: "someone", answers: agreed(4, 8) },
      ]),
      verb(5, [{ subj: "someone", answers: agreed(6, 8) }]),
    );
    const { records } = await extractTexts(folder, { "c.jsonl": one }, { clauses: true });
    expect(shown(records[0] as never).filter((text) => text.includes(": "))).toEqual([
      "clause: Mao 's picture began to appear on coins",
      "predicate: began to appear on coins",
      "predication: began to appear on coins",
      "predication: to appear on coins",
      "predicate: appear on coins",
    ]);
  });

  test.each([
    ["punctuation between", "They , too , sold it", 4, [0, 1], [5, 6], ["predicate: sold it"]],
    [
      "more than four tokens between",
      "They a b c d e sold it",
      6,
      [0, 1],
      [7, 8],
      ["predicate: sold it"],
    ],
    [
      "four tokens between",
      "They a b c d sold it",
      5,
      [0, 1],
      [6, 7],
      ["predication: a b c d sold it", "predicate: sold it"],
    ],
    [
      "subject right of the verb",
      "Said they of it",
      0,
      [1, 2],
      [2, 4],
      ["predicate: Said they of it"],
    ],
    ["answer left of the verb", "What it they sold", 3, [2, 3], [0, 1], []],
  ] as const)("predicates: %s", async (_, text, index, subject, object, expected) => {
    const agreed = (span: readonly [number, number]): Judgement[] => [
      ["p", [...span]],
      ["q", [...span]],
    ];
    const one = qasrlLine(
      "b",
      text,
      verb(index, [
        { subj: "_", answers: agreed(subject) },
        { subj: "someone", answers: agreed(object) },
      ]),
    );
    const { records } = await extractTexts(folder, { "b.jsonl": one }, { predicates: true });
    expect(shown(records[0] as never).filter((found) => found.includes("predic"))).toEqual(
      expected,
    );
  });

  test("the same judgement in two files counts once; more questions add", async () => {
    const dense = qasrlLine(
      "a:1",
      sentence,
      verb(3, [
        {
          subj: "_",
          answers: [
            ["p1", [0, 1]],
            ["p9", [0, 1]],
          ],
        },
        { subj: "x", answers: [["p9", [4, 9]]] },
      ]),
    );
    const { records, report } = await extractTexts(
      folder,
      { "orig.jsonl": line, "dense.jsonl": dense },
      { merge: "id" },
    );
    expect(report.read).toBe(2);
    expect(records).toHaveLength(1);
    const weights = Object.fromEntries(
      records[0]?.brackets.map((span, i) => [span.join("-"), records[0]?.weights?.[i]]) ?? [],
    );
    expect(weights).toEqual({ "0-1": 4, "4-10": 1, "4-9": 1, "4-6": 2, "6-9": 2, "7-9": 1 });
  });

  test("minAnnotators of k annotators", async () => {
    const { records } = await extractTexts(
      folder,
      { "a.jsonl": gzipSync(line) },
      { minAnnotators: 2 },
    );
    expect(shown(records[0] as never)).toEqual(["They", "in hospital", "since the attack"]);
  });

  test.each([
    ["cut line", line.slice(0, 80), "not valid JSON"],
    ["missing tokens", '{"sentenceId": "x"}', '"sentenceTokens" is missing'],
    ["span outside", line.replace("[4,10]", "[4,11]"), "span [4, 11) is not within the 10 tokens"],
    [
      "wrong type",
      line.replace(/"verbEntries":\{.*\}\n/, '"verbEntries":[]}\n'),
      '"verbEntries" is not of the expected type',
    ],
  ])("%s: an error with file and line, or counted", async (_, bad, message) => {
    const files = {
      "bad.jsonl": `${line}${bad}\n${line.replace("a:1", "a:2").replace("They", "We")}`,
    };
    const failing = extractTexts(folder, files, { source: "qasrl" });
    await expect(failing).rejects.toThrow(`bad.jsonl:2: ${message}`);
    await failing.catch((error: InputError) => expect(error.remedy).toContain("--skip-bad"));
    const { records, report } = await extractTexts(folder, files, {
      source: "qasrl",
      skipBad: true,
    });
    expect([records.length, report.bad]).toEqual([2, 1]);
  });
});

describe("qasrl-gs", () => {
  const full = 'qasrl_id,tokens,sentence\nw:1,"He said , "" it is it "" .","…"\n';
  const gold =
    "qasrl_id,verb_idx,verb,worker_id,answer_range,answer\n" +
    "w:1,1,said,A,4:8~!~0:1,it is it~!~He\nw:1,1,said,B,4:5,it\nw:1,1,said,C,4:5,nowhere here\n";

  test("answers by range, sentences from the other file, in either order", async () => {
    const files = { "x.gold.csv": gold, "x.full.csv": full };
    const { records } = await extractTexts(folder, files);
    expect(shown(records[0] as never)).toEqual(["He", 'it is it "', "it"]);
    expect(records[0]?.weights).toEqual([1, 1, 2]);
  });

  test("answers by text: all exact matches, others dropped", async () => {
    const { records, report } = await extractTexts(
      folder,
      { "x.full.csv": full, "x.gold.csv": gold },
      { matchText: true },
    );
    expect(records[0]?.brackets).toEqual([
      [0, 1],
      [4, 7],
      [4, 5],
      [6, 7],
    ]);
    expect(report.dropped.get("answers that stand nowhere in the sentence")).toBe(1);
  });

  test("a question without its sentence", async () => {
    await expect(extractTexts(folder, { "x.gold.csv": gold })).rejects.toThrow(
      "x.gold.csv:2: there is no sentence for w:1",
    );
  });
});

describe("qasrl-v1", () => {
  const text = [
    "WIKI1_0\t2",
    "Four clubs row on the river and the clubs win on the river .",
    "2\trow\t2",
    "who\t_\t_\trows\t_\t_\t_\t?\tFour clubs ### the clubs ### boats",
    "where\tdoes\tsomething\trow\t_\t_\t_\t?\ton the river",
    "9\twin\t1",
    "who\t_\t_\twins\t_\t_\t_\t?\tthe clubs",
    "",
    "WIKI1_1\t1",
    "It rains .",
    "1\trains\t1",
    "what\t_\t_\trains\t_\t_\t_\t?\tIt",
  ].join("\n");

  test("answers match wherever they stand", async () => {
    const { records, report } = await extractTexts(folder, { "wiki.qa": text });
    expect(records.map(({ id }) => id)).toEqual(["WIKI1_0", "WIKI1_1"]);
    expect(records[0]?.brackets).toEqual([
      [0, 2],
      [3, 6],
      [7, 9],
      [10, 13],
    ]);
    expect(report.dropped.get("answers that stand nowhere in the sentence")).toBe(1);
  });

  test.each([
    [
      "a question too few",
      text.replace("2\trow\t2", "2\trow\t3"),
      6,
      "this question has no question mark",
    ],
    [
      "a question too many",
      text.replace("9\twin\t1", "9\twin\t0"),
      7,
      "more lines than the numbers above announce",
    ],
    ["the end missing", "A\t1\nIt rains .", 2, "the block ends where"],
    ["no header", "It rains .\nA\t1", 1, "expected NAME and number"],
  ])("%s", async (_, bad, line, message) => {
    await expect(extractTexts(folder, { "bad.qa": bad }, { source: "qasrl-v1" })).rejects.toThrow(
      `bad.qa:${line}: ${message}`,
    );
  });
});

describe("oie", () => {
  const header = "word_id\tword\tpred\tpred_id\thead_pred_id\tsent_id\trun_id\tlabel\n";
  const block = (run: number, labels: string[]) =>
    ["The", "old", "man", "sat", "down"]
      .map((word, index) => `${index}\t${word}\tsat\t[3]\t3\t7\t${run}\t${labels[index]}\n`)
      .join("");
  const first = block(0, ["A0-B", "A0-I", "A0-I", "P-B", "A1-B"]);
  const second = block(1, ["A0-B", "A1-B", "A1-I", "P-B", "P-I"]);

  test("arguments of all extractions, not the predicate", async () => {
    const { records } = await extractTexts(folder, {
      "news.oie.conll": `${header}${first}\n${second}`,
    });
    expect(records).toHaveLength(1);
    expect(shown(records[0] as never)).toEqual(["The old man", "The", "old man", "down"]);
    expect(records[0]?.id).toBe("news:7");
  });

  test("a missing row is noticed", async () => {
    const cut = first.split("\n").toSpliced(1, 1).join("\n");
    await expect(extractTexts(folder, { "bad.conll": header + cut })).rejects.toThrow(
      "bad.conll:3: word 2 is where word 1 is expected",
    );
  });
});

describe("qamr", () => {
  const sentences = "W:a:1:2:3\tThe old man sat on a bench\nW:a:1:2:4\tUnused\n";
  const row = (answers: string[]) =>
    ["W:a:1:2:3", "1 2", "76", "0", "2", "Who sat?", ...answers].join("\t");

  test("contiguous answers of the writer and the others", async () => {
    const questions = `${row(["0 1 2", "10:1 2", "11:Invalid"])}\n${row(["0 2", "10:4 5 6", "11:0 1 2"])}\n`;
    const { records, report } = await extractTexts(folder, {
      "questions.tsv": questions,
      "sentences.tsv": sentences,
    });
    expect(shown(records[0] as never)).toEqual(["The old man", "old man", "on a bench"]);
    expect(records[0]?.weights).toEqual([2, 1, 1]);
    expect(Object.fromEntries(report.dropped)).toMatchObject({
      "answers that are not contiguous": 1,
      "questions that an annotator calls invalid or redundant": 1,
    });
  });

  test("an index outside the sentence", async () => {
    const questions = `${row(["7", "1:0", "2:0"])}\n`;
    await expect(extractTexts(folder, { "q.tsv": questions, "s.tsv": sentences })).rejects.toThrow(
      "q.tsv:1: span [7, 8)",
    );
  });
});

describe("squad", () => {
  const context = "Dr. Ann Lee left Paris in 1990. She didn't say why, although she'd been asked.";
  const answers = ["Ann Lee", "in 1990", "she'd been ask", "1990. She"].map((text) => ({
    text,
    answer_start: context.indexOf(text),
  }));
  const document = {
    version: "1.1",
    data: [{ title: "T", paragraphs: [{ context, qas: [{ id: "q1", question: "?", answers }] }] }],
  };

  test("smallest covering spans inside one sentence, with text and offsets", async () => {
    const { records, report } = await extractTexts(folder, {
      "s.json": JSON.stringify(document, null, 2),
    });
    expect(records.map(shown)).toEqual([["Ann Lee", "in 1990"], ["she 'd been asked"]]);
    for (const { text, offsets, tokens } of records) {
      expect(offsets?.map(([begin, end]) => text?.slice(begin, end))).toEqual(tokens);
    }
    expect(report.dropped.get("answers that no single sentence holds")).toBe(1);
  });

  test("JSON lines with parallel lists, merged by sentence", async () => {
    const lines = answers
      .map(({ text, answer_start }, index) =>
        JSON.stringify({
          id: `q${index}`,
          context,
          question: "?",
          answers: { text: [text], answer_start: [answer_start] },
        }),
      )
      .join("\n");
    const { records } = await extractTexts(folder, { "s.jsonl": lines });
    expect(records.map(shown)).toEqual([["Ann Lee", "in 1990"], ["she 'd been asked"]]);
  });
});

describe("qadiscourse", () => {
  test("answers by matching, case and the final full stop aside", async () => {
    const text =
      "qasrl_id\tsentence\tworker_id\tanswer\n" +
      "w:1\tBeyond Wednesday 's event , Ann won .\tA\twednesday\\'s event.\n" +
      "w:1\tBeyond Wednesday 's event , Ann won .\tB\tBob lost\n";
    const { records, report } = await extractTexts(folder, { "d.tsv": text });
    expect(records.map(shown)).toEqual([["Wednesday 's event"]]);
    expect(report.dropped.get("answers that stand nowhere in the sentence")).toBe(1);
  });
});

/** Records with all that one can hold, in the order and with the keys that they are written in. */
const bracketing: fc.Arbitrary<Bracketing> = fc
  .record({
    tokens: fc.array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 6 }),
    source: fc.string(),
    id: fc.string(),
    page: fc.option(fc.record({ id: fc.string(), title: fc.string() }), { nil: undefined }),
    withText: fc.boolean(),
    withTargets: fc.boolean(),
  })
  .chain(({ tokens, withText, withTargets, ...sentence }) => {
    const bracket = fc.record({
      begin: fc.nat(tokens.length - 1),
      length: fc.nat(tokens.length - 1),
      kind: fc.constantFrom("answer", "link", "soft-label", "phrase-probability", "chunk"),
      weight: fc.oneof(
        fc.double({ min: 0, minExcluded: true, max: 1e9, noNaN: true }),
        fc.integer({ min: 1, max: 9 }),
      ),
      target: withTargets ? fc.string() : fc.constant(undefined),
      annotators: fc.option(fc.uniqueArray(fc.string(), { minLength: 1 }), { nil: undefined }),
    });
    return fc.array(bracket, { minLength: 1, maxLength: 8 }).map((brackets) => {
      const places = brackets.map(({ begin, length, ...rest }) => {
        return { ...rest, begin, end: Math.min(tokens.length, begin + 1 + length) };
      });
      const distinct = new Map(
        places.map((each) => [`${each.begin},${each.end},${each.kind}`, each]),
      );
      const text = tokens.join(" ");
      const offsets = tokens.map((token, index): [number, number] => {
        const begin = tokens.slice(0, index).join(" ").length + (index > 0 ? 1 : 0);
        return [begin, begin + token.length];
      });
      return toBracketing(
        {
          ...sentence,
          tokens,
          brackets: [...distinct.values()],
          ...(withText ? { text, offsets } : {}),
        },
        { keepAnnotators: true },
      );
    });
  });

describe("jsonl", () => {
  test("our own format keeps kinds, weights and ids", async () => {
    const record = {
      tokens: ["a", "b", "c"],
      brackets: [[0, 2]],
      source: "mine",
      id: "7",
      weights: [3],
      kinds: ["link"],
    };
    const { records } = await extractTexts(folder, { "own.jsonl": JSON.stringify(record) });
    expect(records).toEqual([record]);
  });

  test("soft labels keep their probabilities", async () => {
    const record = {
      tokens: ["a", "b", "c", "d"],
      brackets: [
        [0, 3],
        [0, 3],
        [1, 3],
      ],
      source: "mine",
      id: "7",
      weights: [0.125, 0.031, 0.9],
      kinds: ["phrase-probability", "soft-label", "soft-label"],
    };
    const { records } = await extractTexts(folder, { "soft.jsonl": JSON.stringify(record) });
    expect(records).toEqual([record]);
  });

  test("whatever we wrote comes back as it was", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(bracketing, { minLength: 1, maxLength: 8 }), async (written) => {
        const text = written.map(toLine).join("");
        const options = { source: "jsonl", merge: "none", keepAnnotators: true } as const;
        const { records } = await extractTexts(folder, { "own.jsonl": text }, options);
        expect(records.map(toLine).join("")).toBe(text);
      }),
      { numRuns: 200 },
    );
  });

  test("the paper's code: one array, half-open spans with labels", async () => {
    const array = [
      [
        ["the", '"[cat]\\', "sat"],
        [
          ["NP", 0, 2],
          ["", 0, 3],
        ],
        ["DT", "NN", "VB"],
      ],
      [["so", "what"], [["X", 0, 2]], ["RB", "WP"]],
    ];
    for (const spacing of [0, 1]) {
      const { records } = await extractTexts(folder, {
        "data.json": JSON.stringify(array, null, spacing),
      });
      expect(records.map(({ brackets }) => brackets)).toEqual([
        [
          [0, 3],
          [0, 2],
        ],
        [[0, 2]],
      ]);
      expect(records[0]?.kinds).toEqual(["bracket", "NP"]);
    }
  });

  test("a cut array is an error after what is whole", async () => {
    await expect(
      extractTexts(folder, { "cut.json": '[[["a", "b"], [["X", 0, 2]], []], [["c"' }),
    ).rejects.toThrow("never closed");
  });
});

test("what no source recognises is refused with the list of sources", async () => {
  const failing = extractTexts(folder, { "x.txt": "Hello there." });
  await expect(failing).rejects.toThrow("x.txt: the source of this file is not recognised");
  await failing.catch((error: InputError) => expect(error.remedy).toContain("qasrl-gs"));
});
