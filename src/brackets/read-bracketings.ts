/** Reads files of Bracketings. Kept apart from the record itself, which a browser also reads. */

import { InputError } from "../errors.js";
import type { Checkpoint } from "../files/checkpoint.js";
import { LONGEST_LINE, type OpenOptions, readParts, tooLong } from "../files/input.js";
import { splitParts } from "../files/lines.js";
import type { TextInput } from "../files/text-input.js";
import { type Bracketing, parseBracketing } from "./record.js";

/**
 * The Bracketings of a file as a stream; empty lines are passed over.
 * @throws InputError that names file and line of what is no Bracketing.
 */
export async function* readBracketings(input: TextInput): AsyncGenerator<Bracketing> {
  for await (const { text, line } of input.lines()) {
    if (text.trim() !== "") yield parseBracketing(text, { file: input.name, line });
  }
}

/** A Bracketing and the position of its line, as files/input.ts has it. */
export interface PlacedBracketing {
  readonly record: Bracketing;
  readonly position: number;
}

/** The same for a file that is read from any place on. */
export async function* readPlacedBracketings(
  file: string,
  options: OpenOptions,
  from?: Checkpoint | undefined,
): AsyncGenerator<PlacedBracketing> {
  const parts = readParts(file, options, from ?? 0);
  for await (const lines of splitParts(parts, LONGEST_LINE, from)) {
    for (const { bytes, line, position, ends } of lines) {
      const place = { file, line };
      if (!ends) throw tooLong(`a line of over ${LONGEST_LINE} bytes`, place);
      const text = decode(bytes, place);
      if (text.trim() !== "") yield { record: parseBracketing(text, place), position };
    }
  }
}

const DECODER = new TextDecoder("utf-8", { fatal: true });

function decode(bytes: Uint8Array, place: { file: string; line: number }): string {
  try {
    return DECODER.decode(bytes);
  } catch {
    const remedy = `convert it first, for instance: iconv -f latin1 -t utf-8 ${place.file}`;
    throw new InputError("not valid UTF-8 in this line", place, remedy);
  }
}
