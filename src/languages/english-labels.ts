/**
 * The names of English phrases, as the Penn Treebank has them, from how brackets were found and from
 * the words at their ends. A chain such as `S+VP` is a clause without a subject of its own ("to
 * leave"), and `SBAR+S` a clause without its "that" ("he said | he left").
 */

import { MEASURE_ADJECTIVES } from "./english.js";
import { oneWordVotes } from "./english-one-word.js";
import { COMPLEMENT_STARTERS, isWh, wordVotes } from "./english-word-votes.js";
import {
  ADJECTIVES,
  ADVERBS,
  APPROXIMATE,
  AUXILIARIES,
  BASE_VERBS,
  BE,
  CLAUSE_STARTERS,
  COORDINATORS,
  COPULAS,
  EITHER,
  FINITE,
  HEDGE_WORDS,
  INTENSIFIED,
  INTENSIFIERS,
  isBoundary,
  isCapitalised,
  isCurrency,
  isNumber,
  MEASURE_ADVERBS,
  MONTHS,
  NOUN_PHRASE_STARTERS,
  OBJECT_PRONOUNS,
  PERSONAL_PRONOUNS,
  PREPOSITIONS,
  PRONOUNS,
  QUANTIFIERS,
  RELATIVE_PRONOUNS,
  REPORTING_VERBS,
  SUBJECT_PRONOUNS,
  SUBORDINATORS,
  TWO_WORD_PREPOSITIONS,
  TWO_WORD_SUBORDINATORS,
  WH_NOUNS,
} from "./english-words.js";
import type { EvidenceSpan, LabelEvidence, LabelRules, LabelVotes, VotedSpan } from "./labels.js";

export const englishLabels: LabelRules = {
  names: [
    ...["NP", "VP", "PP", "S", "SBAR", "ADJP", "ADVP", "QP", "PRN", "PRT", "WHNP", "WHADVP"],
    ...["S+VP", "SBAR+S", "NP+QP"],
  ],
  *vote(evidence) {
    yield* wordVotes(evidence);
    for (const group of bySpan(evidence.spans)) {
      const phrase = new Phrase(group, evidence);
      const votes = phrase.size > 1 ? phrase.votes() : undefined;
      if (votes && votes !== UNSURE) yield { begin: phrase.begin, end: phrase.end, votes };
      yield* phrase.neighbours(votes);
    }
    yield* oneWordVotes(evidence);
  },
};

/** Brackets of the same span together. */
function bySpan(spans: readonly EvidenceSpan[]): EvidenceSpan[][] {
  const groups = new Map<string, EvidenceSpan[]>();
  for (const span of spans) {
    const key = `${span.begin},${span.end}`;
    const group = groups.get(key);
    if (group) group.push(span);
    else groups.set(key, [span]);
  }
  return [...groups.values()];
}

/** All that is known of one span. */
class Phrase {
  readonly begin: number;
  readonly end: number;
  readonly size: number;
  readonly #kinds: ReadonlySet<string>;
  readonly #wh: ReadonlySet<string>;
  readonly #evidence: LabelEvidence;
  readonly #tokens: readonly string[];

  constructor(group: readonly EvidenceSpan[], evidence: LabelEvidence) {
    const { begin, end } = group[0] as EvidenceSpan;
    this.begin = begin;
    this.end = end;
    this.size = end - begin;
    this.#kinds = new Set(group.map(({ kind }) => kind));
    this.#wh = new Set(group.flatMap(({ wh }) => [...wh]));
    this.#evidence = evidence;
    this.#tokens = evidence.tokens;
  }

  get #first(): string {
    return this.#tokens[this.begin] as string;
  }

  get #second(): string | undefined {
    return this.#tokens[this.begin + 1];
  }

  get #before(): string | undefined {
    return this.#tokens[this.begin - 1];
  }

  get #last(): string {
    return this.#tokens[this.end - 1] as string;
  }

  /** The first evidence that says something decides. */
  votes(): LabelVotes | undefined {
    return (
      this.#asNumber() ??
      this.#asMeasure() ??
      this.#asFixedPreposition() ??
      this.#asVerbal() ??
      this.#asClause() ??
      this.#asPrepositional() ??
      this.#asSubordinate() ??
      this.#asModified() ??
      this.#asNounPhrase() ??
      this.#asModifier() ??
      this.#byQuestion()
    );
  }

  /** Spans beside this one whose names follow from it. */
  *neighbours(votes: LabelVotes | undefined): Generator<VotedSpan> {
    const { begin, end } = this;
    const isSubordinate = this.#kinds.has("clause") && SUBORDINATORS.has(this.#before);
    const isRelative = this.#kinds.has("predication") && this.#isAfterRelativePronoun();
    if (isSubordinate || isRelative) yield { begin: begin - 1, end, votes: { SBAR: 0.9 } };
    const object = votes?.PP ? this.#object() : undefined;
    if (object && this.size > 2) yield { begin: begin + 1, end, votes: object };
    const isPredicative = COPULAS.has(this.#first) && ADJECTIVES.has(this.#second);
    if (isPredicative && this.size > 2) yield { begin: begin + 1, end, votes: { ADJP: 0.7 } };
  }

  /** What follows the preposition: "in | the old town", "by | selling it". */
  #object(): LabelVotes | undefined {
    if (!PREPOSITIONS.has(this.#first)) return undefined;
    const second = this.#second;
    if (/..ing$/.test(second ?? "")) return { "S+VP": 0.7, NP: 0.1 };
    const isOther = PREPOSITIONS.has(second) || EITHER.has(second) || isWh(second);
    return isOther || ADVERBS.has(second) || isNumber(second) ? undefined : { NP: 0.85 };
  }

  #isVerb(at: number): boolean {
    return this.#evidence.verbs.has(at) || AUXILIARIES.has(this.#tokens[at]);
  }

  #hasVerb(from = this.begin): boolean {
    for (let at = from; at < this.end; at++) if (this.#isVerb(at)) return true;
    return false;
  }

  /** "$ 10 million": a quantity, which is a noun phrase where no noun follows. */
  #asNumber(): LabelVotes | undefined {
    let numbers = 0;
    for (let at = this.begin; at < this.end; at++) {
      const token = this.#tokens[at];
      const isHedge = at - this.begin < 3 && numbers === 0 && HEDGE_WORDS.has(token);
      const isRange = numbers > 0 && /^(?:to|or)$/.test(token ?? "") && at < this.end - 1;
      if (isNumber(token)) numbers += 1;
      else if (!isCurrency(token) && !isHedge && !isRange) return undefined;
    }
    if (numbers === 0) return undefined;
    if (numbers === 1 && isCurrency(this.#first)) return { NP: 0.9 };
    return this.#isBeforeNoun() ? { QP: 0.8 } : { "NP+QP": 0.8 };
  }

  /** "5 %", "May 5 , 1990": a noun phrase, or an adjective phrase before a noun. */
  #asMeasure(): LabelVotes | undefined {
    if (/^(?:%|percent)$/i.test(this.#last) && isNumber(this.#tokens[this.end - 2])) {
      return this.#isBeforeNoun() ? { ADJP: 0.5, NP: 0.3 } : { NP: 0.9 };
    }
    const words = this.#tokens.slice(this.begin, this.end);
    const isDate = words.some((word) => MONTHS.has(word)) && words.every(isDatePart);
    const isAge = isNumber(this.#first) && this.size === 3 && MEASURE_ADJECTIVES.has(this.#last);
    if (isAge) return { ADJP: 0.9 };
    const isAgo = isNumber(this.#first) && MEASURE_ADVERBS.has(this.#tokens[this.end]);
    return isDate || (isAgo && this.size === 2) ? { NP: 0.9 } : undefined;
  }

  /** "according to him" is none of the verb's, and "about to leave" is no prepositional phrase. */
  #asFixedPreposition(): LabelVotes | undefined {
    const pair = `${this.#first} ${this.#second}`.toLowerCase();
    if (/^(?:at least|at most|up to)$/.test(pair) && isNumber(this.#tokens[this.begin + 2])) {
      return { NP: 0.85 };
    }
    if (TWO_WORD_PREPOSITIONS.has(pair)) return { PP: 0.9 };
    if (/^(?:up|down) (?:from|by|to)$/.test(pair)) return { ADVP: 0.8 };
    return pair === "about to" ? { ADJP: 0.8 } : undefined;
  }

  /** Whether the phrase may go on with a noun: what follows is no function word. */
  #isBeforeNoun(): boolean {
    const next = this.#tokens[this.end];
    const others = [PREPOSITIONS, EITHER, COORDINATORS, AUXILIARIES, SUBORDINATORS, PRONOUNS];
    const isOther = others.some((words) => words.has(next)) || NOUN_PHRASE_STARTERS.has(next);
    return !isBoundary(next) && !isOther && !/^(?:to|last|next|ago)$/.test(next ?? "");
  }

  /** A verb with what belongs to it. Without a subject or an auxiliary it is a clause by itself. */
  #asVerbal(): LabelVotes | undefined {
    const isPredicate = this.#kinds.has("predicate") || this.#kinds.has("predication");
    const isVerb = this.#isVerb(this.begin) && !this.#kinds.has("clause");
    if (!isPredicate && !isVerb) return undefined;
    const first = this.#first.toLowerCase();
    if (first === "to") return { "S+VP": 0.9 };
    if (isWh(first) || SUBORDINATORS.has(first)) return { SBAR: 0.9 };
    if (this.#isAfterRelativePronoun()) return { "S+VP": 0.9 };
    if (/..ing$/.test(first)) return this.#asGerund();
    const isParticiple = /..(?:ed|en)$/.test(first) && this.begin === 0;
    return isParticiple ? { "S+VP": 0.6, VP: 0.2 } : { VP: 0.95 };
  }

  /** "was | selling it" and "the man | selling it", but "by | selling it" and "began | selling it". */
  #asGerund(): LabelVotes {
    const before = this.#before;
    if (PREPOSITIONS.has(before) || EITHER.has(before)) return { "S+VP": 0.9 };
    let at = this.begin - 1;
    while (
      at > 0 &&
      (ADVERBS.has(this.#tokens[at]) || /^(?:not|n't)$/.test(this.#tokens[at] ?? ""))
    )
      at -= 1;
    if (BE.has(this.#tokens[at])) return { VP: 0.95 };
    if (this.begin === 0 || isBoundary(before)) return { "S+VP": 0.8, VP: 0.1 };
    if (this.#isVerb(this.begin - 1)) return { "S+VP": 0.85 };
    return COORDINATORS.has(before) ? { VP: 0.5, "S+VP": 0.3 } : { VP: 0.8, "S+VP": 0.1 };
  }

  #isAfterRelativePronoun(): boolean {
    const before = this.#before;
    if (!RELATIVE_PRONOUNS.has(before) || this.begin < 2) return false;
    return before?.toLowerCase() !== "that" || !this.#isVerb(this.begin - 2);
  }

  /** A subject with its predication. */
  #asClause(): LabelVotes | undefined {
    const isClause = this.#kinds.has("clause");
    if (!isClause && !this.#hasSubjectAndVerb()) return undefined;
    const first = this.#first;
    if (isWh(first) || SUBORDINATORS.has(first)) return { SBAR: 0.85 };
    if (OBJECT_PRONOUNS.has(first)) return { S: 0.85 };
    const predication = isClause ? this.#predication() : undefined;
    if (RELATIVE_PRONOUNS.has(predication)) return { NP: 0.85 };
    if (/..ing$/i.test(predication ?? "")) return { NP: 0.6, S: 0.2 };
    return predication === "to" ? { S: 0.8 } : this.#asFiniteClause();
  }

  /** What precedes a clause tells whether its "that" is left out: "he said | he left", "the man | he saw". */
  #asFiniteClause(): LabelVotes {
    const before = this.#before;
    if (before === undefined || SUBORDINATORS.has(before) || isWh(before)) return { S: 0.95 };
    if (COORDINATORS.has(before)) return { S: 0.85 };
    if (isBoundary(before)) return { S: 0.75, "SBAR+S": 0.1 };
    if (EITHER.has(before) || ADVERBS.has(before) || /^so$/i.test(before)) return { S: 0.85 };
    if (REPORTING_VERBS.has(before)) return { "SBAR+S": 0.92 };
    // After an auxiliary it is a question; after a preposition or another verb, perhaps a noun phrase.
    const isOther = PREPOSITIONS.has(before) || this.#isVerb(this.begin - 1);
    return SUBJECT_PRONOUNS.has(this.#first) && !isOther ? { "SBAR+S": 0.8 } : UNSURE;
  }

  /**
   * A noun phrase and then a verb that is surely finite: "the company will sell it". Between the two
   * stands nothing that begins a clause of its own ("the man who will", "the man he will"), and no
   * punctuation.
   */
  #hasSubjectAndVerb(): boolean {
    if (!this.#beginsLikeNounPhrase()) return false;
    for (let at = this.begin + 1; at < this.end; at++) {
      const token = this.#tokens[at];
      if (isBoundary(token) || CLAUSE_STARTERS.has(token) || isWh(token)) return false;
      if (SUBJECT_PRONOUNS.has(token)) return false;
      if (FINITE.has(token)) return true;
      const isVerbForm = this.#evidence.verbs.has(at) && !/(?:ing|ed|en|wn)$/.test(token ?? "");
      if (isVerbForm) return this.#tokens[at - 1]?.toLowerCase() !== "to";
    }
    return false;
  }

  #beginsLikeNounPhrase(): boolean {
    const first = this.#first;
    const begins = [PREPOSITIONS, EITHER, SUBORDINATORS, ADVERBS, COORDINATORS, AUXILIARIES];
    const isOther = begins.some((words) => words.has(first)) || isWh(first) || /^to$/i.test(first);
    return !isOther && !this.#evidence.verbs.has(this.begin);
  }

  /** The first word after the clause's subject: "the man | who left", "him | to go". */
  #predication(): string | undefined {
    const begin = this.#evidence.spans
      .filter((span) => {
        return span.kind === "predication" && span.end === this.end && span.begin > this.begin;
      })
      .reduce((least, span) => Math.min(least, span.begin), this.end);
    return begin < this.end ? this.#tokens[begin]?.toLowerCase() : undefined;
  }

  #asPrepositional(): LabelVotes | undefined {
    const first = this.#first.toLowerCase();
    const second = this.#second?.toLowerCase() ?? "";
    if (first === "to") return this.#asTo(second);
    if (first === "in" && second === "order") return { SBAR: 0.8 };
    if (APPROXIMATE.has(first) && isNumber(second)) return { QP: 0.4, NP: 0.3 };
    if (PREPOSITIONS.has(first)) return { PP: 0.95 };
    if (!EITHER.has(first)) return undefined;
    if (first === "as" && INTENSIFIED.has(second)) return undefined;
    const isClause = this.#hasVerb(this.begin + 2) && !/ing$/.test(second);
    return isClause ? { SBAR: 0.75, PP: 0.1 } : { PP: 0.85 };
  }

  #asTo(second: string): LabelVotes | undefined {
    if (this.#evidence.verbs.has(this.begin + 1) || BASE_VERBS.has(second)) return { "S+VP": 0.9 };
    const isNoun =
      NOUN_PHRASE_STARTERS.has(second) ||
      PRONOUNS.has(second) ||
      isNumber(second) ||
      isCapitalised(this.#second);
    if (isNoun || this.#wh.has("where")) return { PP: 0.9 };
    return this.#wh.has("why") || this.#wh.has("what") ? { "S+VP": 0.7 } : undefined;
  }

  #asSubordinate(): LabelVotes | undefined {
    const first = this.#first.toLowerCase();
    const pair = `${first} ${this.#second?.toLowerCase()}`;
    if (TWO_WORD_SUBORDINATORS.has(pair)) return { SBAR: 0.9 };
    if (first === "that") return this.#hasVerb(this.begin + 1) ? { SBAR: 0.85 } : { NP: 0.7 };
    if (SUBORDINATORS.has(first)) return { SBAR: 0.9 };
    if (!isWh(first)) return undefined;
    if (this.#hasVerb(this.begin + 1)) return { SBAR: 0.9 };
    return WH_NOUNS.has(first) && this.size === 2 ? { WHNP: 0.6 } : undefined;
  }

  /** An adverb may precede what it modifies: "mostly | because he left", "mainly | in Rome". */
  #asModified(): LabelVotes | undefined {
    if (!ADVERBS.has(this.#first) || this.size < 3) return undefined;
    if (SUBORDINATORS.has(this.#second)) return { SBAR: 0.85 };
    return PREPOSITIONS.has(this.#second) ? { PP: 0.8, ADVP: 0.1 } : undefined;
  }

  #asNounPhrase(): LabelVotes | undefined {
    const first = this.#first;
    if (/^(?:most|all|both|such|no)$/i.test(first) && ADVERBS.has(this.#last)) return undefined;
    if (MEASURE_ADVERBS.has(this.#last) && this.size > 1) return { ADVP: 0.85 };
    const isShort = this.size === 2 && QUANTIFIERS.has(this.#second);
    if (PERSONAL_PRONOUNS.has(first) && !isShort) return { S: 0.8 };
    if (NOUN_PHRASE_STARTERS.has(first) || PRONOUNS.has(first)) return { NP: 0.92 };
    if (/^(?:'s|')$/.test(this.#last)) return { NP: 0.95 };
    return undefined;
  }

  /** Adverbs, and adjectives with what belongs to them. */
  #asModifier(): LabelVotes | undefined {
    const [first, last] = [this.#first, this.#last];
    const isModifier = INTENSIFIERS.has(first) || ADVERBS.has(first);
    if (isModifier && ADVERBS.has(last) && this.size <= 3) return { ADVP: 0.85 };
    const next = this.#tokens[this.end];
    if (isModifier && this.size === 2) {
      const copula = /^(?:not|n't)$/.test(this.#before ?? "") ? this.begin - 2 : this.begin - 1;
      if (ADJECTIVES.has(last) || COPULAS.has(this.#tokens[copula])) return { ADJP: 0.85 };
      const isInside = !isBoundary(next) && NOUN_PHRASE_STARTERS.has(this.#before);
      if (isInside) return { ADJP: 0.8 };
    }
    const hasComplement = COMPLEMENT_STARTERS.has(this.#second);
    return ADJECTIVES.has(first) && hasComplement ? { ADJP: 0.8 } : undefined;
  }

  /** What begins with no function word: most answers are noun phrases. */
  #byQuestion(): LabelVotes | undefined {
    const wh = this.#wh;
    if (ADVERBS.has(this.#first)) return undefined;
    if (wh.has("who") || wh.has("whom")) return { NP: 0.95 };
    if (wh.has("what") || wh.has("which")) return { NP: 0.85 };
    if (this.#kinds.has("mention")) return { NP: 0.95 };
    if (this.#kinds.has("link") || this.#kinds.has("term")) return { NP: 0.88 };
    if (PREPOSITIONS.has(this.#before) && !/..ing$/.test(this.#first)) return { NP: 0.85 };
    const isMeasured = [...wh].some((each) => /^(?:when|where|how (?:long|much|many))$/.test(each));
    return isMeasured ? { NP: 0.75 } : undefined;
  }
}

/** A clause or a noun phrase: no vote, and no other rule is asked. */
const UNSURE: LabelVotes = {};

function isDatePart(word: string): boolean {
  return MONTHS.has(word) || /^(?:\d+|,)$/.test(word);
}
