/**
 * Running text with marked stretches, as JSON lines: `{"text": "…", "spans": [[begin, end, "type"]]}`,
 * in characters. Lists of links, amendments of laws or highlights are easily brought into this form.
 */

import type { RawSentence } from "../../brackets/raw-sentence.js";
import { InputError, type Place } from "../../errors.js";
import { parseCode } from "../../languages/codes.js";
import { bracketPassage, type PassageMark } from "./passage.js";
import {
  type AnswerSource,
  field,
  isList,
  isString,
  readJsonLines,
  type SourceContext,
} from "./source.js";

export const spans: AnswerSource = {
  name: "spans",
  summary: 'text with marked stretches, JSON lines: {"text", "spans": [[begin, end, "type"]]}',
  extensions: [".jsonl"],
  recognises: (head) => /^\s*\{[^\n]*"spans"\s*:\s*\[\s*[[\]]/.test(head),
  read: async function* (inputs, context) {
    for (const input of inputs) {
      yield* readJsonLines(input, context, (record, place) => readLine(record, place, context));
    }
  },
};

function readLine(record: unknown, place: Place, context: SourceContext): RawSentence[] {
  const text = field(record, "text", isString, place);
  const given = field(record, "spans", isList, place);
  const { id = place.line, language } = record as Record<string, unknown>;
  const characters = new CharacterPlaces(text);
  const marks = given.flatMap((span) => readSpan(span, characters, place, context));
  const passage = { id: String(id), source: "spans", text, marks };
  const code = isString(language) ? parseCode(language) : undefined;
  return bracketPassage({ ...passage, language: code }, context);
}

function readSpan(
  span: unknown,
  characters: CharacterPlaces,
  place: Place,
  context: SourceContext,
): PassageMark[] {
  const [from, to, type] = isList(span) ? span : [];
  if (!isPlace(from) || !isPlace(to) || from > to || to > characters.count) {
    throw new InputError(
      `${JSON.stringify(span)} is not a stretch of the ${characters.count} characters of the text`,
      place,
      'expected [begin, end, "type"], the type may be missing; or skip such lines with --skip-bad',
    );
  }
  const mark = characters.trimmed(from, to);
  if (mark.begin === mark.end) {
    context.drop("spans without a character");
    return [];
  }
  const kind = isString(type) && type !== "" ? type : "span";
  return [{ ...mark, kind, annotators: ["annotator"] }];
}

function isPlace(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0;
}

/** Places in code points, which most programs count, as places in UTF-16 code units. */
class CharacterPlaces {
  readonly #text: string;
  /** The code units before each character; undefined if every character is one. */
  readonly #units: readonly number[] | undefined;

  constructor(text: string) {
    this.#text = text;
    if (!/[\ud800-\udbff]/.test(text)) return;
    let at = 0;
    const units = Array.from(text, (character) => {
      at += character.length;
      return at - character.length;
    });
    this.#units = [...units, at];
  }

  get count(): number {
    return this.#units ? this.#units.length - 1 : this.#text.length;
  }

  /** The stretch without blanks at its ends. */
  trimmed(from: number, to: number): { begin: number; end: number } {
    let begin = this.#units?.[from] ?? from;
    let end = this.#units?.[to] ?? to;
    while (begin < end && /\s/.test(this.#text.charAt(begin))) begin += 1;
    while (end > begin && /\s/.test(this.#text.charAt(end - 1))) end -= 1;
    return { begin, end };
  }
}
