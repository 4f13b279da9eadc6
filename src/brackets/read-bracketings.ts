/** Reads files of Bracketings. Kept apart from the record itself, which a browser also reads. */

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
