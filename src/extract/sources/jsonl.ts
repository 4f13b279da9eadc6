/**
 * Existing Bracketings: our own JSON lines, and the JSON of the paper's released code, one array of
 * `[tokens, [[label, begin, end], …], tags]` with half-open spans, which is read element by element
 * because it may be larger than memory.
 */

import { toRawBrackets } from "../../brackets/bracket-fields.js";
import type { RawSentence } from "../../brackets/raw-sentence.js";
import { parseBracketing } from "../../brackets/record.js";
import { InputError, type Place } from "../../errors.js";
import { LONGEST_LINE, tooLong } from "../../files/input.js";
import type { TextInput } from "../../files/text-input.js";
import {
  type AnswerSource,
  checkSpan,
  isList,
  isString,
  isTokenList,
  parseJson,
  type SourceContext,
} from "./source.js";

export const jsonl: AnswerSource = {
  name: "jsonl",
  summary: "bracken's own JSON lines, and the JSON of the paper's code",
  extensions: [".jsonl", ".json"],
  recognises: (head) => /^\s*\{[^\n]*?"tokens"\s*:/.test(head) || /^\s*\[\s*\[\s*\[\s*"/.test(head),
  read: async function* (inputs, context) {
    for (const input of inputs) {
      const isArray = (await input.head()).trimStart().startsWith("[");
      yield* isArray ? readArray(input, context) : readLines(input, context);
    }
  },
};

async function* readLines(input: TextInput, context: SourceContext): AsyncGenerator<RawSentence> {
  for await (const { text, line } of input.lines()) {
    if (text.trim() === "") continue;
    const found = context.attempt(() => {
      const {
        tokens,
        source,
        id,
        text: written,
        offsets,
        page,
        complete,
        language,
        ...record
      } = parseBracketing(text, { file: input.name, line });
      const brackets = toRawBrackets(record);
      return { tokens, source, id, text: written, offsets, page, complete, language, brackets };
    });
    if (found) yield found;
  }
}

async function* readArray(input: TextInput, context: SourceContext): AsyncGenerator<RawSentence> {
  let index = 0;
  for await (const { text, line } of arrayElements(input)) {
    const place = { file: input.name, line };
    const id = String(index++);
    const found = context.attempt(() => readElement(parseJson(text, place), id, place));
    if (found) yield found;
  }
}

function readElement(element: unknown, id: string, place: Place): RawSentence {
  const [tokens, spans] = isList(element) ? element : [];
  if (!isTokenList(tokens) || !isList(spans)) {
    throw new InputError(
      `element ${id} is not of the form [tokens, spans, tags]`,
      place,
      'expected [["the", "cat", "sat"], [["NP", 0, 2]], ["DT", "NN", "VB"]]',
    );
  }
  const brackets = spans.map((span) => {
    const [label, begin, end] = (isList(span) ? span : []) as [unknown, number, number];
    checkSpan(begin, end, tokens.length, place);
    const kind = isString(label) && label !== "" ? label : "bracket";
    return { begin, end, kind, annotators: ["annotator"] };
  });
  return { tokens, id, source: "reference", brackets };
}

/** The elements of a JSON array as texts, with the line that each begins on. */
async function* arrayElements(input: TextInput): AsyncGenerator<{ text: string; line: number }> {
  let [depth, line, begun] = [0, 1, 1];
  let [inString, escaped] = [false, false];
  let [parts, size]: [string[], number] = [[], 0];
  for await (const chunk of input.chunks()) {
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const character = chunk[at];
      if (character === "\n") line += 1;
      if (inString) {
        if (escaped) escaped = false;
        else if (character === "\\") escaped = true;
        else if (character === '"') inString = false;
      } else if (character === '"') {
        inString = true;
      } else if (character === "[" || character === "{") {
        depth += 1;
        if (depth === 2) [from, begun, parts, size] = [at, line, [], 0];
      } else if (character === "]" || character === "}") {
        depth -= 1;
        if (depth === 1) yield { text: parts.join("") + chunk.slice(from, at + 1), line: begun };
      }
    }
    if (depth < 2) continue;
    parts.push(chunk.slice(from));
    size += chunk.length - from;
    if (size > LONGEST_LINE) {
      const problem = `an element of over ${LONGEST_LINE} characters`;
      throw tooLong(problem, { file: input.name, line: begun });
    }
  }
  if (depth !== 0) {
    throw new InputError(
      "the array is never closed",
      { file: input.name, line },
      "download the file again",
    );
  }
}
