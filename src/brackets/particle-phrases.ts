/**
 * Phrases that the particles of a language show, as in Japanese: a noun with the particles behind it is a phrase,
 * and what `の` marks belongs to the noun that follows. Where a noun phrase begins is known only if nothing can
 * modify its first noun: at the start of the sentence, after punctuation or after another particle. All other
 * nouns are left alone.
 */

import type { Particles } from "../languages/language.js";
import type { Span } from "../trees/tree.js";

/** What the particles of a sentence show. */
export interface ParticlePhrases {
  readonly phrases: readonly Span[];
  /** Noun phrases that have no phrase inside. */
  readonly chunks: readonly Span[];
  /** Spans that are no phrases: a noun and its particle without the clause that modifies the noun. */
  readonly fragments: readonly Span[];
}

export function particlePhrasesOf(
  tokens: readonly string[],
  particles: Particles,
): ParticlePhrases {
  const phrases: Span[] = [];
  const chunks: Span[] = [];
  const fragments: Span[] = [];
  /** Where the noun phrase began whose genitive was read last; undefined if that is not known. */
  let open: number | undefined;
  for (let at = 0; at < tokens.length; at++) {
    if (!particles.isNoun(tokens[at] as string)) continue;
    const begin = at;
    const end = nounsEnd(begin, tokens, particles);
    const marked = particlesEnd(end, tokens, particles);
    const isPossessed = particles.genitive.has(tokens[begin - 1]);
    const start = isPossessed ? open : isUnmodified(begin, tokens, particles) ? begin : undefined;
    open = particles.genitive.has(tokens[end]) && marked === end + 1 ? start : undefined;
    at = marked - 1;
    if (marked === end) continue;
    if (start !== undefined) {
      if (end - start > 1) phrases.push({ begin: start, end });
      if (end - begin > 1 && start === begin) chunks.push({ begin, end });
      phrases.push({ begin: start, end: marked });
      for (let inner = end + 1; inner < marked; inner++) {
        fragments.push({ begin: start, end: inner });
      }
    }
    if (isPossessed || particles.modifies(tokens[begin - 1])) {
      fragments.push({ begin, end: marked });
    }
  }
  return { phrases, chunks, fragments };
}

function nounsEnd(begin: number, tokens: readonly string[], particles: Particles): number {
  let end = begin;
  while (end < tokens.length && particles.isNoun(tokens[end] as string)) end += 1;
  return end;
}

/** The end of the particles that begin there; the same place if there are none, or if they are a copula. */
function particlesEnd(begin: number, tokens: readonly string[], particles: Particles): number {
  let end = begin;
  while (
    particles.case.has(tokens[end]) ||
    (end === begin && particles.genitive.has(tokens[end]))
  ) {
    end += 1;
    if (particles.genitive.has(tokens[end - 1])) break;
  }
  if (end > begin && particles.genitive.has(tokens[end])) end += 1;
  return particles.isCopula(tokens.slice(begin, end + 1)) ? begin : end;
}

/** Whether nothing before the noun can modify it. */
function isUnmodified(begin: number, tokens: readonly string[], particles: Particles): boolean {
  const before = tokens[begin - 1];
  return before === undefined || /^\p{P}+$/u.test(before) || particles.ends.has(before);
}
