/** Which questions are asked: those that are worth something, about spans that people can judge, of many kinds. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Oracle } from "../../src/annotate/oracle.js";
import { askableSpans, QuestionPool } from "../../src/annotate/questions.js";
import { spanIndex } from "../../src/chart/index.js";
import { phraseIndex } from "../../src/chart/phrase-probability.js";
import { Random } from "../../src/random.js";

interface PoolSentence {
  readonly id: string;
  readonly tokens: readonly string[];
  readonly scores: Float32Array;
}

function unscored(sentences: readonly PoolSentence[]): QuestionPool {
  return new QuestionPool(sentences.map(({ id, tokens }) => ({ id, tokens })));
}

function poolOf(sentences: readonly PoolSentence[]): QuestionPool {
  const pool = unscored(sentences);
  for (const { id, scores } of sentences) pool.score(id, { scores, hasPhrases: true });
  return pool;
}

/** A sentence whose scores are random, with phrase log-odds. */
function sentence(id: string, text: string, seed: number): PoolSentence {
  const tokens = text.split(" ");
  const random = new Random(seed);
  const scores = Float32Array.from({ length: tokens.length ** 2 }, () => random.unit() * 4 - 2);
  return { id, tokens, scores };
}

describe("spans to ask about", () => {
  test("have two or more words, no punctuation at their ends, and not all words", () => {
    const found = [...askableSpans(["He", ",", "a", "(", "b", ")", "."])];
    expect(found.map(({ begin, end }) => [begin, end])).toEqual([[0, 3]]);
    expect([...askableSpans([",", "."])]).toEqual([]);
  });
});

describe("the pool", () => {
  const texts = [
    "the man in the park saw a dog",
    "a dog in the garden ate the red apple",
    "the woman with the hat left",
  ];
  const make = () => poolOf(texts.map((text, index) => sentence(`s${index}`, text, index + 1)));

  test("asks each question once, until nothing is in doubt", () => {
    const pool = make();
    const asked = new Set<string>();
    for (let next = pool.best(); next; next = pool.best()) {
      const key = `${next.sentence.id}:${next.span.begin}-${next.span.end}`;
      expect(asked.has(key)).toBe(false);
      expect(next.value).toBeGreaterThan(0);
      asked.add(key);
      pool.learn(next.sentence.id, next.span, asked.size % 2 === 0);
    }
    expect(asked.size).toBeGreaterThan(5);
  });

  test("answers change what is asked: what they settle is not asked any more", () => {
    // All spans are equally likely, and phrases for sure: knowing [0, 2) rules out [1, 3).
    const scores = new Float32Array(16);
    for (const [begin, end] of [
      [0, 2],
      [1, 3],
      [2, 4],
      [0, 3],
      [1, 4],
    ] as const) {
      scores[spanIndex(4, begin, end)] = 0;
      scores[phraseIndex(4, begin, end)] = 20;
    }
    const only = { id: "s", tokens: ["a", "b", "c", "d"], scores };
    const pool = poolOf([only]);
    pool.learn(only.id, { begin: 0, end: 2 }, true);
    const spans: number[][] = [];
    for (let next = pool.best(); next; next = pool.best()) {
      spans.push([next.span.begin, next.span.end]);
      pool.learn(only.id, next.span);
    }
    expect(spans.sort()).toEqual([
      [0, 3],
      [2, 4],
    ]);
  });

  test("what is told of a sentence replaces what was known, so that an answer can be taken back", () => {
    const [pool, fresh] = [make(), make()];
    const first = pool.best();
    if (!first) throw new Error("nothing to ask");
    pool.learn(first.sentence.id, first.span, true);
    expect(pool.best()).not.toEqual(first);
    pool.know(first.sentence.id, []);
    expect(pool.best()).toEqual(first);
    // Also all that comes after is as if it had never been asked.
    for (let asked = 0; asked < 5; asked++) {
      const [next, other] = [pool.best(), fresh.best()];
      expect(next).toEqual(other);
      if (!next) break;
      for (const each of [pool, fresh]) each.learn(next.sentence.id, next.span, asked % 2 === 0);
    }
  });

  test("other scores replace the first ones; without scores nothing is asked", () => {
    const all = texts.map((text, index) => sentence(`s${index}`, text, index + 1));
    const others = texts.map((text, index) => sentence(`s${index}`, text, index + 11));
    const pool = unscored(all);
    expect([pool.best(), pool.random(new Random(1))]).toEqual([undefined, undefined]);
    for (const { id, scores } of all) pool.score(id, { scores, hasPhrases: true });
    expect(pool.best()).toEqual(poolOf(all).best());
    for (const { id, scores } of others) {
      pool.score(id, { scores, hasPhrases: true });
      pool.prepare(id);
    }
    expect(pool.best()).toEqual(poolOf(others).best());
    expect(pool.ready).toEqual({ scored: 3, sentences: 3 });
  });

  test("spreads questions over patterns", () => {
    // Twenty sentences alike and one that differs: without spreading, it would come last or nowhere near the front.
    const alike = Array.from({ length: 20 }, (_, index) => ({
      ...sentence(`a${index}`, "the man in the park saw a dog", 1),
    }));
    const other = sentence("other", "we hope that she knows why", 7);
    const pool = poolOf([...alike, other]);
    const patterns: string[] = [];
    for (let asked = 0; asked < 12; asked++) {
      const next = pool.best();
      if (!next) break;
      patterns.push(next.pattern);
      pool.learn(next.sentence.id, next.span);
    }
    expect(new Set(patterns).size).toBeGreaterThan(4);
  });

  test("draws at random from all that is in doubt, with a seed", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1000 }), (seed) => {
        const draw = () => {
          const next = make().random(new Random(seed));
          return [next?.sentence.id, next?.span];
        };
        expect(draw()).toEqual(draw());
      }),
      { numRuns: 20 },
    );
    const pool = make();
    for (let next = pool.random(new Random(1)); next; next = pool.random(new Random(1))) {
      pool.learn(next.sentence.id, next.span);
    }
    expect(pool.best()).toBeUndefined();
  });
});

test("the oracle answers from gold trees, whatever punctuation they have at the ends of phrases", () => {
  const oracle = new Oracle([
    {
      id: "s",
      tokens: ["He", "saw", ",", "the", "dog", ","],
      brackets: [
        [0, 6],
        [2, 6],
      ],
      source: "trees",
    },
  ]);
  expect(oracle.isPhrase("s", { begin: 3, end: 5 })).toBe(true);
  expect(oracle.isPhrase("s", { begin: 1, end: 5 })).toBe(false);
  expect(oracle.isPhrase("t", { begin: 3, end: 5 })).toBe(false);
});
