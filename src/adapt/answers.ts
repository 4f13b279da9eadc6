/**
 * Answers of people about sentences of the documents (`bracken annotate`), put together with what is marked in the same
 * sentences. All of them are used, and they outrank marks.
 */

import { toRawBrackets } from "../brackets/bracket-fields.js";
import { toBracketing } from "../brackets/raw-sentence.js";
import { type Bracketing, FRAGMENT, isMark } from "../brackets/record.js";
import { tokenKey } from "../brackets/sentence-keys.js";

export class Answers {
  readonly #records = new Map<string, Bracketing>();

  /** Adds the answers about a sentence. */
  add(record: Bracketing): void {
    const key = tokenKey(record.tokens);
    const before = this.#records.get(key);
    this.#records.set(key, before ? unite(before, record) : record);
  }

  /** Whether there are answers about the sentence. */
  has(tokens: readonly string[]): boolean {
    return this.#records.has(tokenKey(tokens));
  }

  /** The sentences with their answers, and then those that only have answers. */
  addTo(sentences: readonly Bracketing[]): Bracketing[] {
    const found = new Set(sentences.map(({ tokens }) => tokenKey(tokens)));
    const marked = sentences.map((sentence) => {
      const answers = this.#records.get(tokenKey(sentence.tokens));
      return answers ? unite(sentence, answers) : sentence;
    });
    const others = [...this.#records].filter(([key]) => !found.has(key));
    return [...marked, ...others.map(([, record]) => record)];
  }
}

/** Without brackets that somebody said to be none. */
function unite(sentence: Bracketing, answers: Bracketing): Bracketing {
  const said = toRawBrackets(answers);
  const none = said.filter(({ kind }) => kind === FRAGMENT);
  const marked = toRawBrackets(sentence).filter(
    ({ begin, end, kind }) =>
      isMark(kind) || !none.some((each) => each.begin === begin && each.end === end),
  );
  return toBracketing({ ...sentence, brackets: [...marked, ...said] });
}
