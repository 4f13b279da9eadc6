/** Sources whose brackets are stretches of a passage. */

import { describe, expect, test } from "vitest";
import { extractTexts, shown } from "../brackets/helpers.js";
import { temporaryFolder } from "../temporary.js";

const folder = temporaryFolder();

interface Answer {
  readonly text: string;
  readonly answer_start: number;
}

function paragraph(context: string, answers: readonly Answer[], id: string | number = "q") {
  return { context, qas: [{ id, question: "Who left?", answers }] };
}

function squad(...paragraphs: ReturnType<typeof paragraph>[]): string {
  return JSON.stringify({ data: [{ title: "T", paragraphs }] });
}

const at = (context: string, text: string, shift = 0): Answer => ({
  text,
  answer_start: context.indexOf(text) + shift,
});

describe("squad: where an answer is", () => {
  const found = async (context: string, ...answers: Answer[]) => {
    const file = { "s.json": squad(paragraph(context, answers)) };
    const { records, report } = await extractTexts(folder, file);
    return { phrases: records.flatMap(shown), lost: report.dropped };
  };

  test("places in code points or in code units", async () => {
    const context = "So 😀 😀 said the old man.";
    const units = at(context, "the old man");
    const points = { ...units, answer_start: units.answer_start - 2 };
    expect((await found(context, units)).phrases).toEqual(["the old man"]);
    expect((await found(context, points)).phrases).toEqual(["the old man"]);
  });

  test("another case; blanks at the ends", async () => {
    const context = "The old man left the sea.";
    const lower = { text: "the old man", answer_start: 0 };
    expect((await found(context, lower)).phrases).toEqual(["The old man"]);
    const wide = { text: " the sea", answer_start: context.indexOf(" the sea") };
    expect((await found(context, wide)).phrases).toEqual(["the sea"]);
  });

  test("a wrong place is mended if the text occurs once, and counted otherwise", async () => {
    const context = "The old man left. He saw the boat, and the boat saw him.";
    expect((await found(context, at(context, "old man", 2))).phrases).toEqual(["old man"]);
    for (const lost of [at(context, "the boat", 3), { text: "no such", answer_start: -1 }]) {
      const { phrases, lost: counted } = await found(context, lost);
      expect(phrases).toEqual([]);
      expect(counted.get("answers that are not where they are said to be")).toBe(1);
    }
  });

  test("places that were searched: what occurs more than once is left out", async () => {
    const repeated = (index: number) => `Man ${index} saw the boat, and the boat saw man ${index}.`;
    const reason = "answers that occur more than once, in data whose places were searched";
    const read = async (choose: (context: string, index: number) => number) => {
      const paragraphs = Array.from({ length: 30 }, (_, index) => {
        const context = repeated(index);
        const text = "the boat";
        return paragraph(context, [
          { text, answer_start: choose(context, index) },
          at(context, "saw the boat"),
        ]);
      });
      const { records, report } = await extractTexts(folder, { "s.json": squad(...paragraphs) });
      return { phrases: records.flatMap(shown), lost: report.dropped.get(reason) };
    };
    const first = await read((context) => context.indexOf("the boat"));
    expect(first.lost).toBe(30);
    expect(new Set(first.phrases)).toEqual(new Set(["saw the boat"]));
    const chosen = await read((context, index) =>
      index % 3 === 0 ? context.lastIndexOf("the boat") : context.indexOf("the boat"),
    );
    expect(chosen.lost).toBeUndefined();
    expect(chosen.phrases.filter((phrase) => phrase === "the boat")).toHaveLength(30);
  });

  test("marks of footnotes are taken out of the text", async () => {
    const context =
      "It grew by 3 feet (1 m).[5] In 1900[a] the old bank [12, 13] of [the] town[citation needed] fell.[7]:15";
    const file = { "s.json": squad(paragraph(context, [at(context, "the old bank [12, 13] of")])) };
    const { records } = await extractTexts(folder, file, { allSentences: true });
    expect(records.map(({ text }) => text)).toEqual([
      "It grew by 3 feet (1 m).",
      "In 1900 the old bank of [the] town fell.",
    ]);
    expect(records.flatMap(shown)).toEqual(["the old bank of"]);
    for (const { text, offsets, tokens } of records) {
      expect(offsets?.map(([begin, end]) => text?.slice(begin, end))).toEqual(tokens);
    }
  });

  test("a list of paragraphs, ids that are numbers or missing", async () => {
    const context = "The old man left.";
    const one = paragraph(context, [at(context, "old man")], 7);
    const { id: _, ...nameless } = one.qas[0] as { id: number };
    const two = { context: "The young man left.", qas: [{ ...nameless, answers: [] }] };
    const { records } = await extractTexts(
      folder,
      { "s.json": JSON.stringify([one, two]) },
      { keepAnnotators: true, allSentences: true },
    );
    expect(records.map(({ id }) => id)).toEqual(["0:0", "1:0"]);
    expect(records[0]?.annotators).toEqual([["7#0"]]);
  });

  test("TyDi QA names the language in its ids", async () => {
    const german = "Der Zug fährt am 3. Mai ab.";
    const file = {
      "s.json": squad(
        paragraph("Dr. Ann can't go.", [], "english-1"),
        paragraph(german, [at(german, "am 3. Mai")], "indonesian-2"),
      ),
    };
    const { records } = await extractTexts(folder, file, { allSentences: true });
    expect(records.map(({ language }) => language)).toEqual(["en", "id", "id"]);
    expect(records[0]?.tokens).toContain("n't");
    const told = await extractTexts(folder, file, { allSentences: true, language: "de" });
    expect(told.records.map(({ language }) => language)).toEqual(["de", "de"]);
  });
});

describe("multispanqa", () => {
  const tokens = "It was self - made in 1990 . Ann Lee and `` Bob '' did n't stay .".split(" ");
  const item = {
    id: "m1",
    question: ["who", "stayed"],
    context: tokens,
    label: tokens.map((token): string => (token === "self" || token === "Ann" ? "B" : "O")),
  };
  item.label[tokens.indexOf("Lee")] = "I";
  for (const word of ["-", "made"]) item.label[tokens.indexOf(word)] = "I";

  test("BIO labels over tokens that are put together again", async () => {
    const { records } = await extractTexts(folder, { "m.json": JSON.stringify({ data: [item] }) });
    expect(records.map(({ text }) => text)).toEqual([
      "It was self-made in 1990.",
      'Ann Lee and "Bob" didn\'t stay.',
    ]);
    expect(records.map(shown)).toEqual([["self-made"], ["Ann Lee"]]);
    expect(records[0]?.source).toBe("multispanqa");
  });

  test("labels that do not fit are an error, or counted", async () => {
    const bad = { ...item, id: "m2", label: ["O"] };
    const file = { "m.json": JSON.stringify({ data: [bad, item] }) };
    await expect(extractTexts(folder, file)).rejects.toThrow("m2 has 1 labels for 18 tokens");
    const { records, report } = await extractTexts(folder, file, { skipBad: true });
    expect([records.length, report.bad]).toEqual([2, 1]);
  });
});

describe("qed", () => {
  const passage = "Élan was a 😀 play . The well - known song of 1999 was sung by Ann Lee .";
  const span = (text: string) => {
    const begin = [...passage.slice(0, passage.indexOf(text))].length;
    return { start: begin, end: begin + [...text].length, string: text };
  };
  const example = {
    example_id: 5,
    question_text: "who sang the song",
    paragraph_text: passage,
    original_nq_answers: [[span("Ann Lee")], [span("by Ann Lee")]],
    annotation: {
      referential_equalities: [
        { sentence_reference: { ...span("The well - known song of 1999"), bridge: false } },
        { sentence_reference: { start: -1, end: -1, bridge: "of", string: "" } },
      ],
    },
  };

  test("answers and mentions; an implicit reference is none", async () => {
    const { records } = await extractTexts(folder, {
      "q.jsonlines": `${JSON.stringify(example)}\n`,
    });
    expect(records.map(shown)).toEqual([
      ["mention: The well-known song of 1999", "by Ann Lee", "Ann Lee"],
    ]);
    expect(records[0]?.source).toBe("qed");
  });

  test("a span outside the passage is an error with its line", async () => {
    const bad = { ...example, original_nq_answers: [[{ start: 3, end: 900 }]] };
    const file = { "q.jsonlines": `${JSON.stringify(example)}\n${JSON.stringify(bad)}\n` };
    await expect(extractTexts(folder, file)).rejects.toThrow("q.jsonlines:2: the span [3, 900)");
  });
});

describe("fairytaleqa", () => {
  const header =
    "question_id,local-or-sum,cor_section,attribute1,attribute2,question,ex-or-im1,answer1,answer2,answer3,ex-or-im2,answer4,answer5,answer6\n";
  const story =
    'section,text\n1,"The old king sat by the fire. ""Who is there?"" he said, and the old king rose."\n2,The fox\'s den was under a hollow tree.\n\n';
  const row = (section: string, ...answers: string[]) =>
    `1,local,${section},x,,where did he sit?,explicit,${answers.map((text) => `"${text}"`).join(",")}\n`;

  test("answers that stand in their sections once", async () => {
    const questions =
      header +
      row("1", "by the fire.", "", "", "", "By the fire", "", "") +
      row("1", "the old king") +
      row('"1,2"', "under a hollow tree") +
      row("2", "by the fire") +
      row("2", "a hollow");
    const { records, report } = await extractTexts(folder, {
      "fox-story.csv": story,
      "fox-questions.csv": questions,
    });
    expect(records.map(shown)).toEqual([["by the fire"], ["under a hollow tree", "a hollow"]]);
    expect(records[0]?.weights).toEqual([2]);
    expect(report.dropped.get("answers that occur more than once in the section")).toBe(1);
    expect(report.dropped.get("answers that stand nowhere in the section")).toBe(1);
  });

  test("questions without their story are refused", async () => {
    const file = { "wolf-questions.csv": header + row("1", "the wolf") };
    const failing = extractTexts(folder, file);
    await expect(failing).rejects.toThrow("there is no story for these questions");
    await expect(failing).rejects.toMatchObject({
      remedy: expect.stringContaining("wolf-story.csv"),
    });
  });
});

describe("bio", () => {
  const text =
    "The\tO\tB-PER\nking\tO\tI-PER\nof\tO\tI-PER\nthe\tB-LOC\tI-PER\n_\tI-LOC\tI-PER\nsea\tI-LOC\tI-PER\nand\tO\tO\nAnn\tB-PER\tO\nBob\tB-PER\tO\n\nHe\tO\tO\nleft\tO\tO\n";

  test("layers of mentions, without the signs of italics", async () => {
    const { records } = await extractTexts(folder, { "novel.tsv": text }, { allSentences: true });
    expect(records.map(shown)).toEqual([
      ["mention: The king of the sea", "mention: the sea", "mention: Ann", "mention: Bob"],
      [],
    ]);
    expect(records.map(({ id }) => id)).toEqual(["novel:0", "novel:1"]);
  });

  test("a line of another form is an error with its place", async () => {
    const file = { "novel.tsv": text.replace("and\tO\tO", "and\tO") };
    await expect(extractTexts(folder, file)).rejects.toThrow(
      "novel.tsv:7: expected a word and its",
    );
  });
});

describe("prosody", () => {
  const word = (name: string, strength: string) => `${name}\t0\t${strength}\t0.1\t0.2\n`;
  const comma = ",\tNA\tNA\tNA\tNA\n";
  const stop = ".\tNA\tNA\tNA\tNA\n";
  const utterance = (name: string, ...lines: string[]) => `<file>\t${name}.txt\n${lines.join("")}`;

  test("stretches between strong breaks whose end is also written", async () => {
    const text =
      utterance(
        "u1",
        ...[word("In", "0"), word("the", "0"), word("end", "2"), comma],
        ...[word("he", "1"), word("didn't", "2"), word("tell", "0"), word("us", "2"), stop],
      ) + utterance("u2", word("He", "0"), word("left", "2"), stop);
    const { records, report } = await extractTexts(
      folder,
      { "p.txt": text },
      { allSentences: true },
    );
    expect(records.map(({ text: written }) => written)).toEqual([
      "In the end, he didn't tell us.",
      "He left.",
    ]);
    expect(records.map(shown)).toEqual([["prosody: In the end", "prosody: tell us"], []]);
    expect(report.dropped.get("stretches of speech that end without punctuation")).toBe(1);
  });

  test("a break that is not known is none; a wrong line is an error", async () => {
    const text = utterance("u", word("mr", "NA"), word("Lee", "2"), comma, word("too", "2"), stop);
    const { records } = await extractTexts(folder, { "p.txt": text });
    expect(records.map(shown)).toEqual([["prosody: mr Lee", "prosody: too"]]);
    const bad = { "p.txt": text.replace("Lee\t0\t2", "Lee\t0\tx") };
    await expect(extractTexts(folder, bad)).rejects.toThrow("p.txt:3: expected a word");
  });
});

describe("spans", () => {
  const line = (record: object) => `${JSON.stringify(record)}\n`;

  test("any text with stretches, their types as kinds", async () => {
    const text = "😀 Voir le bailleur social. Il paie.";
    const spans = [
      [7, 25, "LienIntra"],
      [9, 24, ""],
      [3, 3, "Vide"],
    ];
    const { records, report } = await extractTexts(folder, {
      "s.jsonl":
        line({ text: "Ein Haus.", spans: [[0, 8]], language: "de" }) + line({ text, spans }),
    });
    expect(records.map(shown)).toEqual([
      ["span: Ein Haus"],
      ["LienIntra: le bailleur social", "span: bailleur social"],
    ]);
    expect(records.map(({ language, id }) => [language, id])).toEqual([
      ["de", "1:0"],
      [undefined, "2:0"],
    ]);
    expect(report.dropped.get("spans without a character")).toBe(1);
  });

  test.each([[[0, 99]], [[4, 2]], [["a", 2]], [5]])("%j is an error", async (span) => {
    const file = {
      "s.jsonl": line({ text: "Ein Haus.", spans: [] }) + line({ text: "Ja.", spans: [span] }),
    };
    await expect(extractTexts(folder, file, { source: "spans" })).rejects.toThrow("s.jsonl:2: ");
  });
});

describe("facqa", () => {
  test("lists in Python's notation; the language is Indonesian", async () => {
    const row = (passage: string, labels: string) => `"['Siapa', '?']","${passage}","${labels}"\n`;
    const text = `question,passage,seq_label\n${row(
      `['Pada', 'tahun', '1980', '-', 'an', ""d'Arc"", 'datang', '.']`,
      "['O', 'B', 'I', 'I', 'I', 'O', 'O', 'O']",
    )}`;
    const { records } = await extractTexts(folder, { "f.csv": text });
    expect(records[0]?.text).toBe("Pada tahun 1980-an d'Arc datang.");
    expect(records.map(shown)).toEqual([["tahun 1980-an"]]);
    expect(records[0]?.language).toBe("id");
    const bad = { "f.csv": text.replace("'O', 'O', 'O']", "'O']") };
    await expect(extractTexts(folder, bad)).rejects.toThrow("6 labels for 8 tokens");
  });
});
