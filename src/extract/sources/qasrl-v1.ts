/**
 * QA-SRL 1.0 (He, Lewis, Zettlemoyer 2015), in the format that its readme describes. Blank lines
 * separate sentences. A sentence is a line with its name and its number of predicates; the tokens; then
 * for each predicate a line with its index, its word and its number of questions, followed by a line
 * for each question: seven slots, a question mark, and the answers separated by `###`.
 *
 * Answers are texts without places. As in "Learning Syntax from Naturally-Occurring Bracketings", all
 * exact matches in the sentence are kept, and an answer without a match is dropped.
 */

import type { RawBracket, RawSentence } from "../../brackets/raw-sentence.js";
import { InputError, type Place } from "../../errors.js";
import type { TextInput } from "../../files/text-input.js";
import { type AnswerSource, findMatches, type SourceContext } from "./source.js";

export const qasrlV1: AnswerSource = {
  name: "qasrl-v1",
  summary: "QA-SRL 1.0, .qa text",
  extensions: [".qa"],
  recognises: (head) => /^\s*\S+\s+\d+\s*\n[^\n]+\n\d+\s+\S+\s+\d+\s*\n/.test(head),
  read: async function* (inputs, context) {
    for (const input of inputs) {
      for await (const block of readBlocks(input)) {
        const sentence = context.attempt(() => readSentence(block, input.name, context));
        if (sentence) yield sentence;
      }
    }
  },
};

interface Line {
  readonly text: string;
  readonly line: number;
}

async function* readBlocks(input: TextInput): AsyncGenerator<Line[]> {
  let block: Line[] = [];
  for await (const line of input.lines()) {
    if (line.text.trim() !== "") {
      block.push(line);
    } else if (block.length > 0) {
      yield block;
      block = [];
    }
  }
  if (block.length > 0) yield block;
}

function readSentence(block: readonly Line[], file: string, context: SourceContext): RawSentence {
  const reader = new BlockReader(block, file);
  const [id = "", predicates] = reader.header(
    /^(\S+)\s+(\d+)\s*$/,
    "NAME and number of predicates",
  );
  const tokens = reader.next("the sentence").text.trim().split(/\s+/);
  const brackets: RawBracket[] = [];
  for (let predicate = 0; predicate < Number(predicates); predicate++) {
    const shape = "INDEX, predicate and number of questions";
    const [, , questions] = reader.header(/^(\d+)\s+(\S+)\s+(\d+)\s*$/, shape);
    for (let question = 0; question < Number(questions); question++) {
      for (const answer of reader.answers()) {
        const matches = findMatches(answer, tokens);
        if (matches.length === 0) context.drop("answers that stand nowhere in the sentence");
        for (const [begin, end] of matches) {
          brackets.push({ begin, end, kind: "answer", annotators: ["annotator"] });
        }
      }
    }
  }
  reader.end();
  return { tokens, id, source: "qasrl-v1", brackets };
}

class BlockReader {
  readonly #lines: readonly Line[];
  readonly #file: string;
  #at = 0;

  constructor(lines: readonly Line[], file: string) {
    this.#lines = lines;
    this.#file = file;
  }

  next(what: string): Line {
    const line = this.#lines[this.#at];
    if (!line) throw this.#error(`the block ends where ${what} should stand`, this.#lines.at(-1));
    this.#at += 1;
    return line;
  }

  header(shape: RegExp, what: string): string[] {
    const line = this.next(what);
    const match = shape.exec(line.text.trim());
    if (!match) throw this.#error(`expected ${what}, found "${line.text.slice(0, 60)}"`, line);
    return match.slice(1);
  }

  /** The answers of the next question, each as its words. */
  answers(): string[][] {
    const line = this.next("a question");
    const mark = /(^|\s)\?(\s|$)/.exec(line.text);
    if (!mark) throw this.#error("this question has no question mark before its answers", line);
    return line.text
      .slice(mark.index + mark[0].length)
      .split("###")
      .map((answer) => answer.trim().split(/\s+/).filter(Boolean))
      .filter((words) => words.length > 0);
  }

  end(): void {
    const extra = this.#lines[this.#at];
    if (extra) throw this.#error("more lines than the numbers above announce", extra);
  }

  #error(problem: string, line: Line | undefined): InputError {
    const place: Place = { file: this.#file, line: line?.line };
    return new InputError(
      problem,
      place,
      "blank lines separate sentences; skip malformed ones with --skip-bad",
    );
  }
}
