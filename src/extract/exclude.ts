/**
 * Sentences that must not be learnt from, since they are tested on: from a treebank, another data
 * set of Bracketings, or plain text with one sentence per line.
 */

import { readBracketings } from "../brackets/read-bracketings.js";
import { textKey } from "../brackets/sentence-keys.js";
import { TextInput } from "../files/text-input.js";
import { looksLikeTrees, readEntries, readFileEntries } from "../treebanks/read-treebank.js";
import { isMissing, type MissingTree } from "../trees/penn-reader.js";
import { words } from "../trees/tree.js";

/** The text keys of all sentences in the files. */
export async function readExcluded(names: readonly string[]): Promise<Set<string>> {
  const keys = new Set<string>();
  for (const name of names) {
    for await (const tokens of readSentences(name)) {
      const key = textKey(tokens);
      if (key) keys.add(key);
    }
  }
  return keys;
}

async function* readSentences(name: string): AsyncGenerator<readonly string[]> {
  const input = new TextInput(name);
  // What cannot be opened itself is a folder or a pattern, of trees.
  const head = await input.head().catch(() => undefined);
  if (head !== undefined && /^\s*\{[^\n]*"brackets"\s*:/.test(head)) {
    for await (const { tokens } of readBracketings(input)) yield tokens;
  } else if (head === undefined || looksLikeTrees(head)) {
    const options = { onMissing: refuse };
    const entries =
      head === undefined ? readEntries(name, options) : readFileEntries(input, options);
    for await (const entry of entries) if (!isMissing(entry)) yield words(entry.tree);
  } else {
    for await (const { text } of input.lines()) if (text.trim() !== "") yield text.split(/\s+/);
  }
}

/** A sentence that is skipped might be learnt from, so skipping must be requested. */
function refuse({ problem, file = "FILE" }: MissingTree): never {
  throw problem.withRemedy(
    `or leave such trees out: bracken convert ${file} --skip-bad -o readable.mrg`,
  );
}
