/**
 * The questions of `bracken annotate` on a terminal: a block of lines that the next one replaces, and above it, for good,
 * what was answered and learnt. Where there is no terminal, lines are written one after the other.
 */

import stringWidth from "string-width";
import type { Question } from "../annotate/asker.js";
import type { Bracket } from "../brackets/record.js";
import { spacedWords } from "../brackets/spaced-words.js";
import { paint } from "./style.js";

/** Where the screen is drawn: standard output. */
export interface ScreenStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

const INDENT = "  ";
const USUAL_WIDTH = 80;

/** Characters that could move the cursor or change colours: documents may hold anything. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not reach the terminal
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** The sentence in lines of a width, with brackets around the marked words. */
export function sentenceLines(
  question: Question,
  [begin, end]: Bracket,
  width: number,
  emphasise: (text: string) => string,
): string[] {
  const lines: { text: string; width: number }[] = [{ text: INDENT, width: INDENT.length }];
  for (const [at, { space, word }] of spacedWords(question).entries()) {
    const isMarked = at >= begin && at < end;
    const clean = word.replace(CONTROL, "\u00b7");
    const shown = `${at === begin ? "[" : ""}${clean}${at === end - 1 ? "]" : ""}`;
    const size = stringWidth(shown);
    const last = lines.at(-1) as { text: string; width: number };
    const painted = isMarked ? emphasise(shown) : shown;
    const isFirst = last.width === INDENT.length;
    if (!isFirst && last.width + space.length + size > width) {
      lines.push({ text: `${INDENT}${painted}`, width: INDENT.length + size });
      continue;
    }
    // The blank between two marked words is marked as well.
    const isInside = isMarked && at > begin;
    last.text += isFirst ? painted : `${isInside ? emphasise(space) : space}${painted}`;
    last.width += (isFirst ? 0 : space.length) + size;
  }
  return lines.map(({ text }) => text);
}

/** The words of a span, as they were written. */
export function spanText(question: Question, [begin, end]: Bracket): string {
  const words = spacedWords(question).slice(begin, end);
  const text = words.map(({ space, word }, at) => `${at === 0 ? "" : space}${word}`).join("");
  return text.replace(CONTROL, "\u00b7");
}

export class Screen {
  readonly #stream: ScreenStream;
  /** How many lines the block has. */
  #drawn = 0;

  constructor(stream: ScreenStream) {
    this.#stream = stream;
  }

  get width(): number {
    return Math.max(20, (this.#stream.columns ?? USUAL_WIDTH) - 1);
  }

  paint(text: string, code: string): string {
    return paint(text, code, this.#stream);
  }

  /** Shows lines in place of those that it showed before. */
  draw(lines: readonly string[]): void {
    this.erase();
    this.#stream.write(`${lines.join("\n")}\n`);
    this.#drawn = lines.length;
  }

  /** Writes a line that stays, above what is drawn next. */
  say(line: string): void {
    this.erase();
    this.#stream.write(`${line}\n`);
  }

  erase(): void {
    if (this.#stream.isTTY && this.#drawn > 0) this.#stream.write(`\u001b[${this.#drawn}A\u001b[J`);
    this.#drawn = 0;
  }
}
