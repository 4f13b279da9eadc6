/** Which names English words, questions and kinds of brackets vote for. */

import { describe, expect, test } from "vitest";
import { englishLabels } from "../../src/languages/english-labels.js";
import type { EvidenceSpan } from "../../src/languages/labels.js";

/**
 * The sentence with one bracket, `[… ]`, and verbs marked `*`; gives the label with the most votes for
 * that bracket, or for another span of words.
 */
function named(marked: string, { kind = "answer", wh = "what", of = "" } = {}): string | undefined {
  const tokens: string[] = [];
  const verbs = new Set<number>();
  let [begin, end] = [0, 0];
  for (const piece of marked.split(" ")) {
    if (piece.startsWith("[")) begin = tokens.length;
    const word = piece.replace(/^\[|\]$/g, "");
    if (word.startsWith("*")) verbs.add(tokens.length);
    tokens.push(word.replace(/^\*/, ""));
    if (piece.endsWith("]")) end = tokens.length;
  }
  if (of) {
    const words = of.split(" ");
    begin = tokens.findIndex((_, at) => words.every((word, i) => tokens[at + i] === word));
    end = begin + words.length;
  }
  const span: EvidenceSpan = { begin, end, kind, wh: new Set([wh]) };
  const spans = of ? [] : [span];
  for (const found of englishLabels.vote({ tokens, verbs, spans })) {
    if (found.begin !== begin || found.end !== end) continue;
    return Object.entries(found.votes).sort(([, a], [, b]) => b - a)[0]?.[0];
  }
  return undefined;
}

describe("brackets of several words", () => {
  test.each([
    ["He saw [the old bridge] .", "NP"],
    ["He saw [used cars] .", "NP"],
    ["He *paid [in the old town] .", "PP"],
    ["He *wanted [to *leave the town] .", "S+VP"],
    ["He *went [to the town] .", "PP"],
    ["He *went [to Paris] .", "PP"],
    ["He *left [because he was tired] .", "SBAR"],
    ["He *left [because of the rain] .", "PP"],
    ["the man [who *left early] .", "SBAR"],
    ["He *left [after the war] .", "PP"],
    ["He *left [after he had *won] .", "SBAR"],
    ["He *said [that he was tired] .", "SBAR"],
    ["He *said [he was tired] .", "SBAR+S"],
    ["[He was tired] and *left .", "S"],
    ["He *said [the old man will leave] .", "SBAR+S"],
    ["He believes [the old man will leave] .", "SBAR+S"],
    ["the job [we *want] .", "SBAR+S"],
    ["So [we will *leave] .", "S"],
    ["He *saw [the film we have *made] .", "NP"],
    ["Could [you *see it] ?", undefined],
    ["It *needs [oxygen plants *release] .", undefined],
    ["It *costs [$ 10 million] a year .", "NP+QP"],
    ["It *rose [about 10 %] .", "NP"],
    ["He *got a [10 %] loan .", "ADJP"],
    ["He *left on [May 5 , 1990] .", "NP"],
    ["He *left [two years] ago .", "NP"],
    ["[the old man *rose] and *left .", "S"],
    ["He *saw [the old man who will leave] .", "NP"],
    ["He *saw [the plan to *leave town] .", "NP"],
    ["He *saw [the man *arrested there] .", "NP"],
    ["It *costs [more than 10 million] dollars .", "QP"],
    ["It *takes [2 to 3] weeks .", "QP"],
    ["He *came [two years ago] .", "ADVP"],
    ["It *moves [very quickly] .", "ADVP"],
    ["It is [very old] .", "ADJP"],
    ["He is [responsible for it] .", "ADJP"],
    ["It *costs [$ 10 million] .", "NP+QP"],
    ["It *costs [10 million] dollars .", "QP"],
    ["[the man 's] boat", "NP"],
    ["He *left [according to the town] .", "PP"],
    ["He is [about to *leave] .", "ADJP"],
    ["He is [5 years old] .", "ADJP"],
    ["It *killed [at least 5 men] .", "NP"],
    ["It is [up from $ 5] .", "ADVP"],
    ["He *saw [him *leave the town] .", "S"],
    ["He *saw [them all] .", "NP"],
    ["He *left [mostly because he was tired] .", "SBAR"],
    ["He *lived [mainly in the town] .", "PP"],
  ])("%s is %s", (sentence, label) => {
    expect(named(sentence)).toBe(label);
  });

  test("a verb with what belongs to it, by what precedes it", () => {
    const predicate = { kind: "predicate" };
    expect(named("He [*used cash] .", predicate)).toBe("VP");
    expect(named("He was [*selling it] .", predicate)).toBe("VP");
    expect(named("He was not [*selling it] .", predicate)).toBe("VP");
    expect(named("the man [*selling it]", predicate)).toBe("VP");
    expect(named("He *won by [*selling it] .", predicate)).toBe("S+VP");
    expect(named("He *began [*selling it] .", predicate)).toBe("S+VP");
    expect(named("the man who [*sold it]", { kind: "predication" })).toBe("S+VP");
  });

  test("words without a name of their own have that of the question", () => {
    expect(named("[John Smith] *left .", { wh: "who" })).toBe("NP");
    expect(named("It *lasted [three weeks] .", { wh: "how long" })).toBe("NP");
    expect(named("He *did it [foo bar] .", { wh: "how" })).toBeUndefined();
    expect(named("the [Foo bar] method", { kind: "link", wh: "" })).toBe("NP");
  });

  test("a sentence is a clause; what stands in parentheses is a parenthesis", () => {
    expect(named("He *left .", { of: "He left ." })).toBe("S");
    expect(named("Why did he *leave ?", { of: "Why did he leave ?" })).toBeUndefined();
    expect(named("He ( the man ) *left .", { of: "( the man )" })).toBe("PRN");
    expect(named("It was also very old , but …", { of: "very old" })).toBe("ADJP");
    expect(named("It was proud of its past .", { of: "proud of its past" })).toBe("ADJP");
    expect(named("It was very old wood .", { of: "very old" })).toBeUndefined();
    expect(named("It was not very old .", { of: "very old" })).toBe("ADJP");
    expect(named("He had a new and clear plan .", { of: "new and clear" })).toBe("ADJP");
    expect(named("He had the young and old .", { of: "young and old" })).toBeUndefined();
    expect(named("He was there as well .", { of: "as well" })).toBe("ADVP");
    expect(named("It *grew very quickly .", { of: "very quickly" })).toBe("ADVP");
  });

  test("votes add up to at most 1, and name only labels that there are", () => {
    const tokens = "He said that the man who left early in May was very old .".split(" ");
    const spans: EvidenceSpan[] = [];
    for (let begin = 0; begin < tokens.length; begin++) {
      for (let end = begin + 1; end <= tokens.length; end++) {
        for (const kind of ["answer", "clause", "predicate", "predication", "link", "part"]) {
          spans.push({ begin, end, kind, wh: new Set(["what"]) });
        }
      }
    }
    const names = new Set([...englishLabels.names, "-"]);
    for (const { votes } of englishLabels.vote({ tokens, verbs: new Set([1, 6, 10]), spans })) {
      expect(Object.values(votes).reduce((sum, vote) => sum + vote, 0)).toBeLessThanOrEqual(1);
      for (const label of Object.keys(votes)) expect(names).toContain(label);
    }
  });
});

describe("single words", () => {
  test.each([
    ["He *left .", "He", "NP"],
    ["He *left .", "left", "VP"],
    ["He *left .", ".", "-"],
    ["He *used cash in London .", "London", "NP"],
    ["the man who *left", "who", "WHNP"],
    ["the man that *left", "that", "WHNP"],
    ["He *said that it *rained .", "that", "-"],
    ["He has recently *left .", "recently", "ADVP"],
    ["It was important .", "important", "ADJP"],
    ["He *left for the town .", "for", "-"],
    ["There is a man .", "There", "NP"],
    ["It rained in France , Spain and Italy .", "Spain", "-"],
    ["It rained in France , Spain and Italy .", "France", "-"],
    ["He *left with you and me .", "me", "-"],
    ["It rained in Rome and in France .", "Rome", "NP"],
    ["It rained in old Rome and France .", "France", undefined],
  ])("in %s, %s is %s", (sentence, word, label) => {
    expect(named(sentence, { of: word })).toBe(label);
  });

  test("an answer is a phrase, a word of a longer answer is none", () => {
    expect(named("*Ask [people] now .", { wh: "who" })).toBe("NP");
    const tokens = ["the", "old", "bridge", "fell"];
    const wh = new Set(["what"]);
    const spans = [
      { begin: 0, end: 3, kind: "answer", wh },
      { begin: 2, end: 3, kind: "answer", wh },
    ];
    const votes = [...englishLabels.vote({ tokens, verbs: new Set([3]), spans })];
    expect(votes.find(({ begin, end }) => begin === 2 && end === 3)?.votes).toEqual({ "-": 0.9 });
  });
});
