/**
 * FairytaleQA: stories cut into sections (`*-story.csv`) and questions about them (`*-questions.csv`).
 * Answers are free text. Those that are taken from the section word for word give a bracket, if they
 * occur there once.
 */

import { questionFromText } from "../../brackets/question.js";
import type { RawSentence } from "../../brackets/raw-sentence.js";
import { InputError, type Place } from "../../errors.js";
import type { TextInput } from "../../files/text-input.js";
import { type CsvRow, csvColumn, readCsvRows } from "./csv-rows.js";
import { bracketPassage, type PassageMark } from "./passage.js";
import type { AnswerSource, SourceContext } from "./source.js";

export const fairytaleqa: AnswerSource = {
  name: "fairytaleqa",
  summary: "FairytaleQA, *-questions.csv with *-story.csv",
  extensions: [".csv"],
  recognises: (head) => isStory(head) || isQuestions(head),
  read: async function* (inputs, context) {
    const stories = new Map<string, Story>();
    const questions: TextInput[] = [];
    for (const input of inputs) {
      if (isQuestions(await input.head())) questions.push(input);
      else stories.set(storyName(input), await readStory(input, context));
    }
    for (const input of questions) await readQuestions(input, stories, context);
    for (const [name, story] of stories) yield* bracketStory(name, story, context);
  },
};

function isStory(head: string): boolean {
  return /^\ufeff?section,text\r?\n/.test(head);
}

function isQuestions(head: string): boolean {
  return /^\ufeff?question_id,local-or-sum,/.test(head);
}

interface Section {
  readonly text: string;
  readonly marks: PassageMark[];
}

type Story = ReadonlyMap<string, Section>;

/** A story and its questions are in files of the same name, in folders of the same name. */
function storyName({ name }: TextInput): string {
  return name
    .split("/")
    .slice(-2)
    .join("/")
    .replace(/-(?:story|questions)\.csv(?:\.gz|\.bz2|\.xz)?$/, "");
}

async function readStory(input: TextInput, context: SourceContext): Promise<Story> {
  const story = new Map<string, Section>();
  for (const { row, place } of await readCsvRows(input)) {
    context.attempt(() => {
      const text = column(row, "text", place).replace(/\s+/g, " ").trim();
      story.set(column(row, "section", place), { text, marks: [] });
    });
  }
  return story;
}

/** The first three answers are from who asked, the others from a second annotator. */
const ANSWERS = ["answer1", "answer2", "answer3", "answer4", "answer5", "answer6"];

async function readQuestions(
  input: TextInput,
  stories: ReadonlyMap<string, Story>,
  context: SourceContext,
): Promise<void> {
  const name = storyName(input);
  const story = stories.get(name);
  if (!story) {
    throw new InputError(
      "there is no story for these questions",
      { file: input.name },
      `also give the file ${name}-story.csv`,
    );
  }
  for (const { row, place } of await readCsvRows(input)) {
    context.attempt(() => readRow(row, name, story, place, context));
  }
}

function readRow(
  row: CsvRow,
  name: string,
  story: Story,
  place: Place,
  context: SourceContext,
): void {
  const numbers = column(row, "cor_section", place)
    .split(/[^\d]+/)
    .filter(Boolean);
  const sections = numbers.flatMap((number) => story.get(number) ?? []);
  const asked = context.labels ? questionFromText(column(row, "question", place)) : undefined;
  for (const [index, key] of ANSWERS.entries()) {
    const answer = row[key]?.trim().replace(/[\s.!?,;]+$/, "");
    if (!answer) continue;
    const found = sections.flatMap((section) =>
      placesOf(answer, section.text).map((mark) => ({ section, mark })),
    );
    const [only, another] = found;
    if (!only) context.drop("answers that stand nowhere in the section");
    else if (another) context.drop("answers that occur more than once in the section");
    else {
      const annotators = [`${name}:${row.question_id}#${index < 3 ? 1 : 2}`];
      const questions = asked && [asked];
      only.section.marks.push({ ...only.mark, kind: "answer", annotators, questions });
    }
  }
}

/** Where the answer stands as whole words, whatever the case. */
function placesOf(answer: string, text: string): { begin: number; end: number }[] {
  const escaped = answer.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/\s+/g, " ");
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`, "giu");
  return [...text.matchAll(pattern)].map(({ 0: match, index }) => {
    return { begin: index, end: index + match.length };
  });
}

function* bracketStory(name: string, story: Story, context: SourceContext): Generator<RawSentence> {
  for (const [number, { text, marks }] of story) {
    yield* bracketPassage({ id: `${name}:${number}`, source: "fairytaleqa", text, marks }, context);
  }
}

const COLUMNS =
  "FairytaleQA has section and text, or question_id, cor_section, question and answer1 to answer6";

function column(row: CsvRow, name: string, place: Place): string {
  return csvColumn(row, name, place, COLUMNS);
}
