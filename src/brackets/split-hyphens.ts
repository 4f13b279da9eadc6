/**
 * Words split at their hyphens: "wild-type mice" becomes "wild - type mice". Newer treebanks have their words like this,
 * and so does what is made for them; sentences of the web do not. As the guidelines for these treebanks have it (Warner
 * et al. 2004, the addendum on biomedical text), the parts of a compound are a phrase where it modifies a noun or is
 * predicative, and flat within the noun phrase where it is the noun:
 *
 * | words                     | phrase              | no phrase              |
 * |---------------------------|---------------------|------------------------|
 * | a wild - type mouse       | wild - type         | wild -; - type         |
 * | it is calcium - dependent | calcium - dependent | calcium -; - dependent |
 * | a break - in              |                     | break -; - in          |
 */

import type { Grammar } from "../languages/grammar.js";
import type { Span } from "../trees/tree.js";
import { type RawBracket, toLists, toRawBrackets } from "./bracket-fields.js";
import { mayContinueNounPhrase } from "./flat.js";
import { PART } from "./parts.js";
import { type Bracketing, FRAGMENT, isMark } from "./record.js";

/** A split word: its place among the old tokens, and that of its parts among the new ones. */
interface Compound extends Span {
  readonly at: number;
}

/** What the new entries have. */
const NEW_LISTS: ReadonlySet<string> = new Set(["kinds", "weights", "labels"]);

/** The sentence with its words split, or undefined if there is nothing to split. */
export function splitHyphens(bracketing: Bracketing, grammar: Grammar): Bracketing | undefined {
  const { tokens, offsets, ...rest } = bracketing;
  const parts = tokens.map((token) => partsOfWord(token, grammar));
  if (parts.every(({ length }) => length === 1)) return undefined;
  const places = [0];
  for (const { length } of parts) places.push((places.at(-1) as number) + length);
  const place = (at: number) => places[at] as number;
  const compounds = parts.flatMap(({ length }, at): Compound[] => {
    return length > 1 ? [{ at, begin: place(at), end: place(at + 1) }] : [];
  });
  const entries = toRawBrackets(bracketing).map((entry) => {
    return { ...entry, begin: place(entry.begin), end: place(entry.end) };
  });
  const shown = compounds.flatMap((compound) => shownBy(compound, bracketing, grammar));
  const all = [...entries, ...shown.filter((entry) => isNew(entry, entries))];
  return {
    ...rest,
    tokens: parts.flat(),
    ...(offsets ? { offsets: splitOffsets(offsets, parts) } : {}),
    brackets: all.map(({ begin, end }) => [begin, end]),
    ...toLists(all, ({ list }) => NEW_LISTS.has(list) || bracketing[list] !== undefined),
  };
}

/** Whether nobody has marked the span as a phrase: what people marked stays as it is. */
function isNew({ begin, end }: Span, entries: readonly RawBracket[]): boolean {
  return !entries.some((each) => each.begin === begin && each.end === end && !isMark(each.kind));
}

/**
 * The parts of a word with the hyphens between them. Words with a prefix ("re-elect") stay whole, as in treebanks. Names
 * and numbers do, too, since treebanks differ in these.
 */
function partsOfWord(token: string, { boundPrefixes }: Grammar): string[] {
  const parts = token.split("-");
  const isCompound =
    parts.length > 1 &&
    parts.every((part) => /^[\p{L}\p{N}]+$/u.test(part)) &&
    parts.slice(1).some((part) => /^\p{Ll}{2,}$/u.test(part)) &&
    !boundPrefixes.has(parts[0]);
  return isCompound ? parts.flatMap((part, index) => (index > 0 ? ["-", part] : [part])) : [token];
}

function shownBy(compound: Compound, bracketing: Bracketing, grammar: Grammar): RawBracket[] {
  const { begin, end } = compound;
  const marks: RawBracket[] = [];
  for (let from = begin; from < end; from++) {
    for (let to = from + 2; to <= end; to++) {
      const isWhole = from === begin && to === end;
      if (!isWhole) marks.push({ begin: from, end: to, kind: FRAGMENT, weight: 1 });
    }
  }
  const last = (bracketing.tokens[compound.at] as string).split("-").at(-1);
  const isAdjective = grammar.compoundAdjectives.has(last);
  const labels = isAdjective ? { labels: { ADJP: 0.8 } } : {};
  return isModifier(compound, bracketing, isAdjective, grammar)
    ? [{ begin, end, kind: PART, weight: 1, ...labels }, ...marks]
    : marks;
}

function isModifier(
  { at }: Compound,
  { tokens, brackets, kinds }: Bracketing,
  isAdjective: boolean,
  grammar: Grammar,
): boolean {
  const [before, next] = [tokens[at - 1], tokens[at + 1]];
  const beginsVerb = brackets.some(([begin], index) => {
    return begin === at + 1 && /^predica/.test(kinds?.[index] ?? "");
  });
  if (mayContinueNounPhrase(next, grammar)) return !beginsVerb;
  const isPredicative = grammar.finiteAuxiliaries.has(before) && !grammar.modals.has(before);
  return isAdjective && isPredicative && !/[\p{L}\p{N}]/u.test(next ?? "");
}

/** The parts of a word are as long as the word: only its hyphens separate them. */
function splitOffsets(
  offsets: NonNullable<Bracketing["offsets"]>,
  parts: readonly (readonly string[])[],
): [number, number][] {
  return offsets.flatMap(([begin, end], at) => {
    let from = begin;
    const pieces = parts[at] as readonly string[];
    return pieces.map((piece, index): [number, number] => {
      const to = index === pieces.length - 1 ? end : from + piece.length;
      const span: [number, number] = [from, to];
      from = to;
      return span;
    });
  });
}
