/**
 * English words that are phrases by themselves ("[He] left [yesterday]"), and those that are not. Most
 * words are either, by context; only what is nearly sure is voted on, and a model learns the rest.
 */

import { NO_PHRASE } from "../trees/labels.js";
import {
  ADJECTIVES,
  ADVERBS,
  AUXILIARIES,
  BE,
  COORDINATORS,
  COPULAS,
  EITHER,
  INTENSIFIERS,
  isBoundary,
  isCapitalised,
  isNumber,
  NOUN_PHRASE_STARTERS,
  PARTICLES,
  POSSESSIVES,
  PREPOSITIONS,
  PRONOUNS,
  SUBORDINATORS,
  TIME_NOUNS,
  WH_ADVERBS,
  WH_NOUNS,
} from "./english-words.js";
import type { LabelEvidence, LabelVotes, VotedSpan } from "./labels.js";

export function* oneWordVotes(evidence: LabelEvidence): Generator<VotedSpan> {
  const words = new Words(evidence);
  for (const at of evidence.tokens.keys()) {
    const votes = words.votes(at);
    if (votes) yield { begin: at, end: at + 1, votes };
  }
}

const NONE: LabelVotes = { [NO_PHRASE]: 0.95 };

class Words {
  readonly #tokens: readonly string[];
  readonly #verbs: ReadonlySet<number>;
  /** The wh-words of the questions that single words answer, by place. */
  readonly #answers = new Map<number, Set<string>>();
  /** Verbs that have something after them in their phrase. */
  readonly #heads = new Set<number>();
  /** Words of noun phrases of several words without a phrase inside. */
  readonly #parts = new Set<number>();
  /** Single words that are joined with others: the phrase of all has none inside. */
  readonly #conjuncts: ReadonlySet<number>;

  constructor({ tokens, verbs, spans }: LabelEvidence) {
    this.#tokens = tokens;
    this.#verbs = verbs;
    for (const { begin, end, kind, wh } of spans) {
      if (end - begin === 1 && kind === "answer") {
        this.#answers.set(begin, new Set([...(this.#answers.get(begin) ?? []), ...wh]));
      }
      if (kind === "predicate" && end - begin > 1) this.#heads.add(begin);
      const first = PREPOSITIONS.has(tokens[begin]) ? begin + 1 : begin;
      if (kind !== "predicate" && kind !== "clause" && this.#isBase(first, end)) {
        for (let at = first; at < end; at++) this.#parts.add(at);
      }
    }
    this.#conjuncts = new Set([...tokens.keys()].flatMap((at) => this.#joinedAt(at)));
  }

  votes(at: number): LabelVotes | undefined {
    return (
      this.#asConjunct(at) ??
      this.#asClosed(at) ??
      this.#asVerb(at) ??
      this.#asAdverb(at) ??
      this.#asPart(at) ??
      this.#asAdjective(at) ??
      this.#asNoun(at)
    );
  }

  /** A determiner and open-class words, of which none is a phrase. */
  #isBase(begin: number, end: number): boolean {
    if (end - begin < 2) return false;
    for (let at = begin; at < end; at++) {
      const token = this.#tokens[at];
      const isStarter = NOUN_PHRASE_STARTERS.has(token) || POSSESSIVES.has(token);
      if (isStarter && at === begin) continue;
      if (isStarter || this.#isFunctionWord(token) || this.#verbs.has(at)) return false;
      if (ADVERBS.has(token) || INTENSIFIERS.has(token) || PRONOUNS.has(token)) return false;
    }
    return true;
  }

  #isFunctionWord(token: string | undefined): boolean {
    return (
      isBoundary(token) ||
      PREPOSITIONS.has(token) ||
      EITHER.has(token) ||
      COORDINATORS.has(token) ||
      AUXILIARIES.has(token) ||
      SUBORDINATORS.has(token) ||
      WH_NOUNS.has(token) ||
      WH_ADVERBS.has(token) ||
      /^(?:to|'s|'|not|n't)$/i.test(token ?? "")
    );
  }

  #isVerb(at: number): boolean {
    return this.#verbs.has(at) || AUXILIARIES.has(this.#tokens[at]);
  }

  #asClosed(at: number): LabelVotes | undefined {
    const token = this.#tokens[at] as string;
    const next = this.#tokens[at + 1];
    if (isBoundary(token)) return NONE;
    if (/^there$/i.test(token)) return BE.has(next) ? { NP: 0.9 } : { ADVP: 0.8 };
    if (PRONOUNS.has(token)) return { NP: 0.97 };
    if (/^(?:who|whom)$/i.test(token)) return { WHNP: 0.95 };
    if (/^(?:which|what)$/i.test(token)) {
      return this.#isVerb(at + 1) || PRONOUNS.has(next) ? { WHNP: 0.9 } : undefined;
    }
    if (/^that$/i.test(token)) return this.#asThat(at);
    if (/^how$/i.test(token)) return next?.toLowerCase() === "to" ? { WHADVP: 0.9 } : undefined;
    if (WH_ADVERBS.has(token)) return { WHADVP: 0.85 };
    if (TIME_NOUNS.has(token) && !/^'s?$/.test(next ?? "")) return { NP: 0.85 };
    return this.#asFunctionWord(at);
  }

  #asFunctionWord(at: number): LabelVotes | undefined {
    const token = this.#tokens[at];
    const next = this.#tokens[at + 1];
    if (PARTICLES.has(token) && this.#verbs.has(at - 1)) {
      const isObjectNext = NOUN_PHRASE_STARTERS.has(next) || isBoundary(next);
      if (isObjectNext) return { PRT: 0.7 };
    }
    if (POSSESSIVES.has(token) || /^(?:the|an?|every|to|not|n't|'s|')$/i.test(token ?? "")) {
      return NONE;
    }
    if (COORDINATORS.has(token) || SUBORDINATORS.has(token)) return NONE;
    if (PREPOSITIONS.has(token) && !PARTICLES.has(token)) return NONE;
    if (AUXILIARIES.has(token)) return isBoundary(next) ? undefined : NONE;
    return undefined;
  }

  /** "the man | that | left", but "said that he left". */
  #asThat(at: number): LabelVotes | undefined {
    const isRelative = this.#isVerb(at + 1) && at > 0 && !this.#isVerb(at - 1);
    if (isRelative) return { WHNP: 0.85 };
    return this.#isVerb(at - 1) && !isBoundary(this.#tokens[at + 1]) ? NONE : undefined;
  }

  #asVerb(at: number): LabelVotes | undefined {
    if (!this.#verbs.has(at)) return undefined;
    if (this.#heads.has(at)) return NONE;
    const next = this.#tokens[at + 1];
    const endsPhrase = isBoundary(next) || COORDINATORS.has(next);
    return endsPhrase ? { VP: 0.8 } : undefined;
  }

  #asAdverb(at: number): LabelVotes | undefined {
    const token = this.#tokens[at];
    const next = this.#tokens[at + 1];
    if (!ADVERBS.has(token)) return undefined;
    if (isBoundary(next) || this.#isVerb(at + 1) || this.#isVerb(at - 1)) return { ADVP: 0.9 };
    const mayModify = ADJECTIVES.has(next) || /(?:ed|ly)$/.test(next ?? "") || isNumber(next);
    return mayModify ? undefined : { ADVP: 0.75 };
  }

  #asConjunct(at: number): LabelVotes | undefined {
    return this.#conjuncts.has(at) ? { [NO_PHRASE]: 0.85 } : undefined;
  }

  #asPart(at: number): LabelVotes | undefined {
    return this.#parts.has(at) ? { [NO_PHRASE]: 0.9 } : undefined;
  }

  /** The items of "in France , Spain and Italy", by the place of the coordinator; none if an item is longer. */
  #joinedAt(at: number): number[] {
    const tokens = this.#tokens;
    if (!COORDINATORS.has(tokens[at]) || !this.#mayBeItem(at + 1)) return [];
    const items = [at + 1];
    let last = tokens[at - 1] === "," && tokens[at - 3] === "," ? at - 2 : at - 1;
    while (this.#mayBeItem(last)) {
      items.push(last);
      if (tokens[last - 1] !== "," || !this.#mayBeItem(last - 2)) break;
      last -= 2;
    }
    const before = tokens[Math.min(...items) - 1];
    const after = tokens[at + 2];
    const begins =
      before === undefined || PREPOSITIONS.has(before) || /^(?:''|``|-LRB-|["“(:;])$/.test(before);
    const ends =
      isBoundary(after) || this.#isVerb(at + 2) || (PREPOSITIONS.has(after) && after !== "of");
    return items.length > 1 && begins && ends ? items : [];
  }

  /** A noun or name by itself, as far as its form tells. */
  #mayBeItem(at: number): boolean {
    const token = this.#tokens[at];
    const isOther = this.#isFunctionWord(token) || ADVERBS.has(token) || /..ing$/.test(token ?? "");
    return !isOther && !this.#isVerb(at);
  }

  #asAdjective(at: number): LabelVotes | undefined {
    const next = this.#tokens[at + 1];
    const isAlone = isBoundary(next) || COORDINATORS.has(next);
    const isPredicative = COPULAS.has(this.#tokens[at - 1]) && ADJECTIVES.has(this.#tokens[at]);
    return isPredicative && isAlone ? { ADJP: 0.85 } : undefined;
  }

  /** A word that people gave as an answer, or that stands alone after a preposition. */
  #asNoun(at: number): LabelVotes | undefined {
    const token = this.#tokens[at];
    const next = this.#tokens[at + 1];
    if (this.#isFunctionWord(token) || /^'s?$/.test(next ?? "")) return undefined;
    const wh = this.#answers.get(at);
    if (wh && (wh.has("who") || wh.has("what") || wh.has("which"))) return { NP: 0.9 };
    if (wh && (isCapitalised(token) || isNumber(token))) return { NP: 0.8 };
    if (wh && ADJECTIVES.has(token)) return undefined;
    if (wh && (wh.has("when") || wh.has("where"))) return { NP: 0.6, ADVP: 0.2 };
    const endsPhrase = isBoundary(next) || this.#isFunctionWord(next) || this.#isVerb(at + 1);
    const isObject =
      PREPOSITIONS.has(this.#tokens[at - 1]) && endsPhrase && !/..ing$/.test(token ?? "");
    const mayBeConjunct = COORDINATORS.has(next) && !PREPOSITIONS.has(this.#tokens[at + 2]);
    return isObject && !mayBeConjunct ? { NP: 0.85 } : undefined;
  }
}
