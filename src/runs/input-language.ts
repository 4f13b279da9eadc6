/**
 * The language of an input, a document as a whole: of its lines, too, since a line says little. It is told by the
 * beginning of the input, wherever a run starts in it. A pipe can be read only once, so what comes first decides.
 */

import { canSeek, type OpenOptions, type Part, readParts } from "../files/input.js";
import { AUTO, parseCode } from "../languages/codes.js";
import { detectLanguage } from "../languages/detect.js";
import type { InputFormat, RunInput } from "./inputs.js";

/** How much of an input is looked at. */
const HEAD = 1 << 16;

/** The code of an input's language, if it is sure; `auto` for a pipe, which is told as it is read. */
export async function tellInput(
  { name, text, format }: RunInput,
  { openBytes }: Pick<OpenOptions, "openBytes">,
): Promise<string | undefined> {
  if (text !== undefined) return detectLanguage(text);
  if (!(await canSeek(name, { openBytes }))) return AUTO;
  const parts: Part[] = [];
  let size = 0;
  try {
    for await (const part of readParts(name, { openBytes })) {
      parts.push(part);
      size += part.bytes.length;
      if (size >= HEAD) break;
    }
  } catch {
    // Whoever reads the input says what is wrong with it, and where.
  }
  return languageOf(parts, format);
}

/** The same parts, and the language that the first of them, up to a size, are in. */
export async function tellParts(
  parts: AsyncIterable<Part>,
  format: InputFormat,
  least = HEAD,
): Promise<{ language: string | undefined; parts: AsyncIterable<Part> }> {
  const source = parts[Symbol.asyncIterator]();
  const head: Part[] = [];
  for (let size = 0; size < least; ) {
    const { done, value } = await source.next();
    if (done) break;
    head.push(value);
    size += value.bytes.length;
  }
  async function* all(): AsyncGenerator<Part> {
    yield* head;
    yield* { [Symbol.asyncIterator]: () => source };
  }
  return { language: await languageOf(head, format), parts: all() };
}

function languageOf(parts: readonly Part[], format: InputFormat): Promise<string | undefined> {
  const bytes = Buffer.concat(parts.map((part) => part.bytes)).subarray(0, HEAD);
  return detectLanguage(WORDS[format](bytes.toString("utf8")));
}

/** What people wrote, without the marks of the format. */
const WORDS: Readonly<Record<InputFormat, (text: string) => string>> = {
  text: (text) => text,
  lines: (text) => text,
  tokens: (text) => text,
  jsonl: (text) => text.split("\n").map(recordText).join(" "),
  conllu: (text) => Array.from(text.matchAll(/^\d+\t([^\t\n]+)/gm), ([, word]) => word).join(" "),
  penn: (text) => Array.from(text.matchAll(/([^\s()]+)\)/g), ([, word]) => word).join(" "),
};

function recordText(line: string): string {
  try {
    const { text, tokens } = JSON.parse(line) as { text?: unknown; tokens?: unknown };
    return typeof text === "string" ? text : Array.isArray(tokens) ? tokens.join(" ") : "";
  } catch {
    // The line is bad, or the last of the sample and cut.
    return "";
  }
}

/** The code that a record of the input names as its language. */
export function codeIn(value: unknown): string | undefined {
  return typeof value === "string" ? parseCode(value) : undefined;
}
