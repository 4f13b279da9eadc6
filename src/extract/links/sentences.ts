/**
 * From text with marks to sentences with brackets: split, tokenise, and for each mark the smallest span
 * of tokens that covers it. If the splitter cuts a link in two, the splitter is wrong, since nobody
 * links across the end of a sentence; the two parts are joined again.
 */

import type { RawBracket, RawSentence } from "../../brackets/raw-sentence.js";
import type { Language } from "../../languages/index.js";
import { type Sentence, splitSentences, type Token, tokenise } from "../../text/index.js";
import { type BlockKind, HOLE, type Mark, type MarkedBlock, type MarkedText } from "./marked.js";
import { markPhrases } from "./phrases.js";

export interface SentenceOptions {
  readonly source: string;
  /** The document's name within its source, the beginning of the sentences' ids. */
  readonly id: string;
  readonly title?: string | undefined;
  readonly language?: Language | undefined;
  /** The code of the language, if the document says it. */
  readonly code?: string | undefined;
  /** Kinds of blocks to take sentences from. */
  readonly blocks: ReadonlySet<BlockKind>;
  /** Kinds of marks to make brackets of. */
  readonly kinds: ReadonlySet<string>;
  /** Whether sentences without any mark are wanted, too: they are most of all. */
  readonly keepBare: boolean;
  /** Counts a sentence, whatever becomes of it. */
  onSentence(): void;
  drop(reason: string, count?: number): void;
}

/** No sentence is as long as this; a page without a full stop may be. */
const LONGEST_SENTENCE = 20_000;
/** Links longer than this may well hold two sentences. */
const LONGEST_JOINED = 120;

/** One by one: the sentences of a large page together would take a hundred times its size. */
export function* toSentences(text: MarkedText, options: SentenceOptions): Generator<RawSentence> {
  let seen = 0;
  for (const block of text) {
    if (!options.blocks.has(block.kind)) {
      options.drop(BLOCK_REASONS[block.kind]);
      continue;
    }
    const marks = allMarks(block, options.kinds);
    const links = marks.filter(({ kind }) => kind === "link");
    let [placed, next] = [0, 0];
    for (const sentence of joinAcross(splitSentences(block.text, options), links)) {
      const from = next;
      while (next < marks.length && (marks[next] as Mark).begin < sentence.end) next += 1;
      const inside = marks
        .slice(from, next)
        .filter(({ begin, end }) => begin >= sentence.begin && end <= sentence.end);
      placed += inside.length;
      const gathered = bracket(block.text, sentence, inside, options, seen);
      if (gathered) yield gathered;
      options.onSentence();
      seen += 1;
    }
    options.drop("marks that no single sentence holds", marks.length - placed);
  }
}

const BLOCK_REASONS: Record<BlockKind, string> = {
  prose: "paragraphs",
  list: "list items",
  heading: "headings",
  caption: "captions",
};

/** In the order in which they begin. */
function allMarks(block: MarkedBlock, kinds: ReadonlySet<string>): Mark[] {
  const whole = { begin: 0, end: block.text.length };
  const marks: Mark[] = [...block.marks, ...markPhrases(block.text)];
  if (block.kind === "list") marks.push({ ...whole, kind: "list-item" });
  if (block.kind === "caption") marks.push({ ...whole, kind: "caption" });
  return marks.filter(({ kind }) => kinds.has(kind)).sort((a, b) => a.begin - b.begin);
}

function joinAcross(sentences: readonly Sentence[], links: readonly Mark[]): Sentence[] {
  const joined: Sentence[] = [];
  let next = 0;
  for (const sentence of sentences) {
    const last = joined.at(-1);
    while (last && next < links.length && (links[next] as Mark).end <= sentence.begin) next += 1;
    const link = links[next];
    const crosses =
      last && link && link.begin < last.end && link.end - link.begin <= LONGEST_JOINED;
    if (crosses) joined[joined.length - 1] = { begin: last.begin, end: sentence.end };
    else joined.push(sentence);
  }
  return joined;
}

function bracket(
  text: string,
  { begin, end }: Sentence,
  marks: readonly Mark[],
  { source, id, title, language, code, keepBare, drop }: SentenceOptions,
  index: number,
): RawSentence | undefined {
  if (marks.length === 0 && !keepBare) {
    drop("sentences without any bracket");
    return undefined;
  }
  if (end - begin > LONGEST_SENTENCE) {
    drop(`sentences over ${LONGEST_SENTENCE} characters`);
    return undefined;
  }
  const sentence = text.slice(begin, end);
  if (sentence.includes(HOLE)) {
    drop("sentences with a formula or template among their words");
    return undefined;
  }
  const sentences = [{ begin: 0, end: sentence.length }];
  const tokens = tokenise(sentence, { language, sentences });
  const brackets = marks.flatMap((mark) => cover(mark, tokens, begin, id));
  return {
    tokens: tokens.map((token) => token.text),
    id: `${id}:${index}`,
    source,
    text: sentence,
    offsets: tokens.map((token): [number, number] => [token.begin, token.end]),
    brackets,
    ...(title === undefined ? {} : { page: { id, title } }),
    language: code,
  };
}

function cover(
  { begin, end, kind, target }: Mark,
  tokens: readonly Token[],
  shift: number,
  annotator: string,
): RawBracket[] {
  const first = firstToken(tokens, (token) => token.end > begin - shift);
  let last = firstToken(tokens, (token) => token.begin >= end - shift) - 1;
  // The stop at the end of an item or a quote is the sentence's, not the phrase's.
  if (kind !== "link") while (last > first && isStop(tokens[last])) last -= 1;
  return last < first
    ? []
    : [{ begin: first, end: last + 1, kind, annotators: [annotator], target }];
}

function isStop(token: Token | undefined): boolean {
  return token !== undefined && ".!?,;:".includes(token.text);
}

/** By bisection: a sentence may be as long as its page, with thousands of links in it. */
function firstToken(tokens: readonly Token[], holds: (token: Token) => boolean): number {
  let [low, high] = [0, tokens.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(tokens[middle] as Token)) high = middle;
    else low = middle + 1;
  }
  return low;
}
