import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Cleaner, type CleanOptions, isBalanced } from "../../src/brackets/clean.js";
import { NearDuplicates } from "../../src/brackets/near-duplicates.js";
import { type Bracketing, distinctSpans } from "../../src/brackets/record.js";
import { readExcluded } from "../../src/extract/exclude.js";
import { Random } from "../../src/random.js";
import { temporaryFolder } from "../temporary.js";

const folder = temporaryFolder();

function bracketing(text: string, ...phrases: string[]): Bracketing {
  const tokens = text.split(" ");
  const brackets = phrases.map((phrase): [number, number] => {
    const words = phrase.split(" ");
    const begin = tokens.findIndex((_, at) =>
      words.every((word, index) => tokens[at + index] === word),
    );
    return [begin, begin + words.length];
  });
  return {
    tokens,
    brackets,
    source: "test",
    id: "1",
    weights: brackets.map((_, i) => i + 1),
    kinds: brackets.map(() => "answer"),
  };
}

function predicate(text: string, phrase: string): Bracketing {
  return { ...bracketing(text, phrase), kinds: ["predicate"] };
}

/**
 * A sentence whose stretches with a verb at their beginning are predicates: "He | left the town |." A stretch that begins
 * with "in" is an answer together with the three words after it; the first predicate has a clause if "He" begins it.
 */
function withPredicates(text: string): Bracketing {
  const tokens: string[] = [];
  const brackets: [number, number][] = [];
  const kinds: string[] = [];
  for (const stretch of text.split("|")) {
    const words = stretch.trim().split(" ");
    const span: [number, number] = [tokens.length, tokens.length + words.length];
    if (/^(?:took|taken|left|leave|taking|fell|sat|built)/.test(words[0] as string)) {
      brackets.push(span);
      kinds.push("predicate");
    } else if (/^in /.test(words.join(" "))) {
      brackets.push([span[0], span[1] + 3]);
      kinds.push("answer");
    }
    tokens.push(...words);
  }
  if (tokens[0] === "He" && kinds[0] === "predicate") {
    brackets.push([0, (brackets[0] as [number, number])[1]]);
    kinds.push("clause");
  }
  return { tokens, brackets, kinds, source: "test", id: "1" };
}

function clean(given: Bracketing, options: CleanOptions) {
  const dropped = new Map<string, number>();
  const cleaner = new Cleaner(options, (reason, count = 1) =>
    dropped.set(reason, (dropped.get(reason) ?? 0) + count),
  );
  const cleaned = cleaner.clean(given);
  const phrases = cleaned?.brackets.map(([begin, end]) => given.tokens.slice(begin, end).join(" "));
  return { phrases, cleaned, dropped: Object.fromEntries(dropped) };
}

const SENTENCE = 'He said , " the old man ( a thief ) left " .';

describe("brackets", () => {
  test.each<[string, CleanOptions, string[], string[], Record<string, number>]>([
    [
      "single words",
      { dropSingle: true },
      ["He", "the old man"],
      ["the old man"],
      { "single-word brackets": 1 },
    ],
    [
      "the whole sentence",
      { dropWhole: true },
      [SENTENCE, "a thief"],
      ["a thief"],
      { "whole-sentence brackets": 1 },
    ],
    [
      "half a pair",
      { dropUnbalanced: true },
      ['" the old man', "( a thief )", "a thief )"],
      ["( a thief )"],
      { "unbalanced brackets": 2 },
    ],
    [
      "minAnnotators",
      { minAnnotators: 2 },
      ["He", "a thief"],
      ["a thief"],
      { "brackets given by fewer than 2": 1 },
    ],
    ["other kinds", { kinds: new Set(["link"]) }, ["He"], [], { "brackets of other kinds": 1 }],
    ["nothing", {}, ["He", "a thief )"], ["He", "a thief )"], {}],
  ])("%s", (_, options, given, left, counts) => {
    const { phrases, dropped } = clean(bracketing(SENTENCE, ...given), options);
    expect(phrases).toEqual(left);
    expect(dropped).toEqual(counts);
  });

  test("punctuation is trimmed; what becomes equal is one bracket with the weights added", () => {
    const { phrases, cleaned, dropped } = clean(
      bracketing(SENTENCE, '" the old man (', "the old man", '" .', "( a thief )"),
      {
        trimPunctuation: true,
      },
    );
    expect(phrases).toEqual(["the old man", "a thief"]);
    expect(cleaned?.weights).toEqual([3, 4]);
    expect(dropped).toEqual({
      "punctuation at an end (trimmed)": 2,
      "brackets made equal by cleaning": 1,
      "brackets of punctuation only": 1,
    });
  });

  test("brackets take the article or possessive before them, and no other word", () => {
    const { phrases, dropped } = clean(
      bracketing(
        "His dog saw the old man of the sea that she fed",
        "dog",
        "old man",
        "she fed",
        "sea",
      ),
      { takeDeterminers: true },
    );
    expect(phrases).toEqual(["His dog", "the old man", "she fed", "the sea"]);
    expect(dropped).toEqual({ "brackets without their determiner (extended)": 3 });
  });

  test.each([
    ["a last preposition's phrase", "men in the park with a dog", "with a dog", "a dog"],
    ["the last of all", "those who were in debt", "in debt"],
    [
      "what a conjunction begins, verbs and all",
      "hope that he was very old",
      "that he was very old",
      "he was very old",
      "was very old",
    ],
    ["an infinitive", "his wish to leave town", "to leave town", "leave town", "his wish"],
    ["what is said of a pronoun", "it is true", "is true"],
    ["not of one that is an object", "gave it to him", "to him"],
    ["no phrase of a preposition in which a verb stands", "rings of cells are cut"],
    ["none where nothing follows", "the town he came from"],
    ["none that is the bracket itself", "in the park"],
    ["of a range, the numbers", "5 to 10 weeks", "5 to 10"],
    [
      "two words that are one preposition",
      "late because of the rain",
      "because of the rain",
      "the rain",
    ],
    ["the nouns after a determiner", "the old roof by May", "by May", "the old roof"],
    ["no nouns with a pronoun or a verb's object", "the day you cut a tree of it", "of it"],
    ["what goes with an adjective before a noun", "a very old man", "very old"],
    ["not where no noun follows", "the very old at home", "at home"],
    ["a possessor", "the old man 's boat", "the old man 's"],
    [
      "a clause after a preposition",
      "the town in which he left",
      "in which he left",
      "he left",
      "the town",
      "in which",
    ],
    ["conjuncts with determiners", "the old man and his boat", "the old man", "his boat"],
    ["conjuncts that are names", "Ann Lee and Bob Ray", "Ann Lee", "Bob Ray"],
    ["no conjuncts that share a modifier", "old men and boats"],
    ["conjunctions of several words", "cats as well as dogs", "as well as"],
    ["no possessor after a verb", "Bob is Ann 's friend"],
  ])("parts: %s", (_, phrase, ...parts) => {
    const { phrases, cleaned } = clean(bracketing(`So ${phrase} it was .`, phrase), {
      addParts: true,
    });
    expect(phrases).toEqual([phrase, ...parts]);
    expect(cleaned?.kinds).toEqual(["answer", ...parts.map(() => "part")]);
  });

  test("parts: a known verb ends a preposition's phrase; a bracket that is there is not added", () => {
    const given = bracketing(
      "rings of cells known as plasmids",
      "rings of cells known as plasmids",
    );
    const withVerb: Bracketing = {
      ...given,
      brackets: [...given.brackets, [3, 6]],
      weights: [1, 1],
      kinds: ["answer", "predicate"],
    };
    expect(clean(given, { addParts: true }).phrases?.[1]).toBe("of cells known as plasmids");
    expect(clean(withVerb, { addParts: true }).phrases).toHaveLength(2);
    const there = bracketing("the roof of the house", "the roof of the house", "of the house");
    expect(clean(there, { addParts: true }).phrases).toEqual([
      "the roof of the house",
      "of the house",
      "the house",
      "the roof",
    ]);
  });

  test.each([
    ["the old wooden bridge", true],
    ["12 % growth", true],
    ["old bridge", false],
    ["the bridge over it", false],
    ["the very old bridge", false],
    ["cross a bridge", false],
    ["he loves bridges", false],
    ["two minutes later", false],
    ["bread and butter", false],
    ["the man 's boat", false],
    ["the old , wooden bridge", false],
  ])("chunks: %s, %s", (phrase, isChunk) => {
    const { cleaned } = clean(bracketing(`So ${phrase} it was`, phrase), { markFlat: true });
    const chunk = cleaned?.kinds?.indexOf("chunk") ?? -1;
    expect(chunk >= 0).toBe(isChunk);
    if (isChunk) expect(cleaned?.brackets[chunk]).toEqual(cleaned?.brackets[0]);
  });

  test("fragments: a verb with some of what was asked, or that without the verb", () => {
    const tokens = "She has already given the boy a watch in May .".split(" ");
    const given: Bracketing = {
      tokens,
      brackets: [
        [1, 10],
        [3, 10],
        [3, 8],
        [4, 6],
        [6, 8],
        [8, 10],
      ],
      kinds: ["predication", "predicate", "predicate", "answer", "answer", "answer"],
      source: "",
      id: "",
    };
    const { cleaned } = clean(given, { markFlat: true });
    const phrases = cleaned?.brackets.map(([begin, end]) => tokens.slice(begin, end).join(" "));
    const of = (wanted: string) =>
      phrases?.filter((_, index) => cleaned?.kinds?.[index] === wanted).sort();
    expect(distinctSpans(cleaned as Bracketing)).toHaveLength(5);
    expect(of("predicate")).toEqual(["given the boy a watch in May"]);
    expect(of("fragment")).toEqual([
      "She has",
      "She has already given the boy a watch in May",
      "a watch in May",
      "already given the boy a watch in May",
      "given the boy",
      "given the boy a watch",
      "has already given the boy a watch",
      "the boy a watch",
      "the boy a watch in May",
    ]);
  });

  test("fragments: what a possessor has, and the possessor with some of it", () => {
    const given = bracketing("the man 's old red boat sank", "the man 's old red boat");
    const { cleaned, phrases } = clean(given, { markFlat: true });
    expect(phrases?.slice(1).sort()).toEqual([
      "old red",
      "old red boat",
      "old red boat sank",
      "red boat",
      "the man",
      "the man 's old",
      "the man 's old red",
    ]);
    expect(new Set(cleaned?.kinds?.slice(1))).toEqual(new Set(["fragment"]));
  });

  test.each([
    ["a sum", "It cost about $ 5 million .", ["about $ 5 million"], ["$ 5 million", "5 million"]],
    ["a price", "It cost $ 5 .", ["$ 5"], []],
    ["a number of things", "Ann met 5 million friends", ["5 million"], []],
    ["a hedge", "Ann saw at least 5 rooms", ["at least 5"], ["at least"]],
    ["percent", "more than 5 % of it", ["more than 5 %", "more than 5"], ["5 %", "more than"]],
    ["percent in a noun phrase", "He got a 5 % loan", ["5 %"], ["a 5 %"]],
    ["a range", "It takes 2 to 3 weeks", ["2 to 3"], []],
    ["two numbers after a preposition", "from 2 to 3 o'clock", [], []],
    ["years side by side", "In 1990 5 men left", [], []],
    ["a date", "He left on May 5 , 1990 .", ["May 5 , 1990"], ["May 5"]],
    ["a date in another order", "On 5 May 1990 he left", ["5 May 1990"], ["5 May", "May 1990"]],
    ["no month", "Men march 5 times", [], []],
    ["a time ago", "It sank two years ago .", ["two years ago", "two years"], ["years ago"]],
    [
      "a measure with its adjective",
      "Tom turned two years old .",
      ["two years old", "two years"],
      ["years old"],
    ],
    ["no measure before a noun", "Tom drank two years old wine .", [], []],
    ["amounts of two kinds", "Sales fell 5 % to $ 2 .", ["5 %", "$ 2"], ["5 % to $ 2"]],
    ["a range of one kind", "Boys pay $ 2 to $ 3", ["$ 2", "$ 3"], []],
    [
      "to and from",
      "Sales fell to 5 % from 7 %",
      ["5 %", "7 %"],
      ["to 5 % from 7 %", "5 % from 7 %"],
    ],
    [
      "what is owned",
      "Ann 's old red boat sank",
      [],
      ["old red", "old red boat", "old red boat sank"],
    ],
    ["a contracted verb", "Here 's old red wine", [], []],
    ["a contracted verb and its participle", "Ann 's finished work", [], []],
    ["a quotation mark", "Ann ' old red wine", [], []],
    ["joined adjectives", "Ann saw a moral and legal duty", ["moral and legal"], []],
    ["joined nouns", "Ann saw a table and chair", [], []],
    [
      "a graded adjective",
      "It was not very old .",
      ["very old", "was not very old"],
      ["was not", "It was", "It was not"],
    ],
    [
      "a graded adjective that goes on",
      "It was very old in May",
      ["was very old in May"],
      ["It was", "was very old"],
    ],
    ["a participle with its adverb", "It was fully lost .", ["was fully lost"], ["It was"]],
    ["fixed words", "Men help each other .", ["each other"], []],
    ["a conjunction of three words", "cats as well as dogs", ["as well as"], []],
    ["parentheses", "a man -LRB- or boy -RRB- left", ["-LRB- or boy -RRB-"], []],
    ["parentheses that are not closed", "a man -LRB- or boy", [], []],
    ["a preposition with its pronoun", "It fell in which case", ["in which"], []],
    ["after an adverbial", "In May , men left .", [], ["men left"]],
    ["after a coordinator", "But men left .", [], ["men left"]],
    ["after both", "But in May , men left .", [], ["in May , men left", "men left"]],
    ["after an adverb", "Then men left .", [], ["men left"]],
    ["two words that are one preposition", "fish such as cod", [], ["such as"]],
    ["before of", "It fell in the middle of May", [], ["in the middle"]],
    ["a negated auxiliary", "Men do n't fly", ["do n't fly"], ["do n't"]],
    [
      "a pronoun and its auxiliary",
      "He will not go",
      ["will not go"],
      ["He will", "He will not", "will not"],
    ],
    ["none where the verb phrase ends", "Men do n't .", ["do n't"], []],
    [
      "a comparison",
      "Tom is much older than Ann .",
      ["much older than Ann", "is much older than Ann"],
      [],
    ],
    [
      "a comparison that may end earlier",
      "Tom is older and likes cats than Ann .",
      ["is older and likes cats than Ann"],
      [],
    ],
    ["as long as", "It lasts as long as men live .", ["as long"], ["as long as"]],
    ["as well as", "cats as well as dogs run", ["as well as"], []],
    ["after all", "Ann fed all the old men .", [], ["the old", "the old men"]],
    ["after both", "Ann fed both the men .", [], []],
    [
      "before a last parenthesis",
      "It fell -LRB- in May -RRB- .",
      ["-LRB- in May -RRB-"],
      ["It fell"],
    ],
    ["before a parenthesis", "It -LRB- a boat -RRB- fell .", ["-LRB- a boat -RRB-"], []],
    ["two noun phrases", "Ann gave the old man a book about cats .", [], ["the old man a book"]],
    ["a measure beside a noun phrase", "Ann saw the man a day later .", [], []],
    ["a share after a verb", "Sales rose 3 % in May .", ["3 %"], ["3 % in May"]],
    ["a share of something", "Sales rose 3 % of late .", ["3 %"], []],
    ["one word", "and", [], []],
    ["after no", "Ann saw no old men .", [], ["old men"]],
    [
      "a share and its target",
      "Sales rose 3 % to $ 5 in May .",
      ["3 %", "$ 5"],
      ["3 % to $ 5", "3 % to $ 5 in May"],
    ],
    ["a noun phrase and an adverb", "Tom held the boat tightly .", [], ["the boat tightly"]],
    ["who says it", "Cats run , old Tom said .", [], ["old Tom said"]],
    ["who says it, after a quotation", "`` Cats run , '' Tom says .", [], ["Tom says"]],
    ["no speaker", "Tom met a man , who said .", ["who said"], []],
  ])("shown by words alone: %s", (_, text, phrases, fragments) => {
    const given: Bracketing = {
      tokens: text.split(" "),
      brackets: [],
      kinds: [],
      source: "",
      id: "",
    };
    const { cleaned, phrases: found } = clean(given, { addParts: true, markFlat: true });
    const of = (kind: string) => found?.filter((_, at) => cleaned?.kinds?.[at] === kind);
    expect(of("part")).toEqual(phrases);
    // That the sentence without its full stop is one has its own test.
    const others = of("fragment")?.filter((fragment) => `${fragment} .` !== text);
    expect(new Set(others)).toEqual(new Set(fragments));
  });

  test("fragments: a sentence without its full stop, though it be a clause", () => {
    const given: Bracketing = {
      ...bracketing("Men left in May .", "Men left in May"),
      kinds: ["clause"],
    };
    expect(clean(given, { markFlat: true }).cleaned?.kinds).toEqual(["clause", "fragment"]);
    const open = clean(bracketing("Men left in May", "left in May"), { markFlat: true });
    expect(open.cleaned?.kinds ?? []).not.toContain("fragment");
  });

  test("an amount does not make up for brackets that people gave", () => {
    const tokens = "It cost $ 5 .".split(" ");
    const given: Bracketing = { tokens, brackets: [[0, 1]], kinds: ["answer"], source: "", id: "" };
    const options = { addParts: true, requireMulti: true };
    expect(clean(given, options).dropped).toEqual({ "sentences without a multi-token bracket": 1 });
  });

  test("fragments: a verb with its particle, if its object follows", () => {
    const given = predicate("They track down the man", "track down the man");
    expect(clean(given, { markFlat: true }).phrases).toContain("track down");
    const alone = clean(predicate("They slow down …", "slow down"), { markFlat: true });
    expect(alone.cleaned?.kinds).toEqual(["predicate"]);
  });

  test("a verb phrase that goes on after what was asked about is no bracket", () => {
    for (const next of ["for animals", "when they can", "the whole year", "5 times"]) {
      const given = predicate(`They serve as food ${next}`, "serve as food");
      expect(clean(given, { markFlat: true }).phrases, next).toEqual([]);
    }
    for (const next of [".", ", he said", "and die", "is true"]) {
      const given = predicate(`They serve as food ${next}`, "serve as food");
      expect(clean(given, { markFlat: true }).phrases, next).toContain("serve as food");
    }
  });

  test("a verb after a determiner is part of a noun phrase", () => {
    const given = predicate("It is the given point", "given point");
    const { phrases, dropped } = clean(given, { takeDeterminers: true });
    expect(phrases).toEqual([]);
    expect(dropped).toEqual({ "verbs after a determiner, which are part of a noun phrase": 1 });
  });

  test("the possessor without its mark is no bracket", () => {
    const text = "the old man 's boat sank";
    const given = bracketing(text, "the old man 's boat", "the old man");
    const options = { addParts: true, markFlat: true };
    const { phrases, cleaned } = clean(given, options);
    expect(phrases?.slice(0, 2)).toEqual(["the old man 's boat", "the old man 's"]);
    expect(cleaned?.kinds?.[phrases?.indexOf("the old man") ?? 0]).toBe("fragment");
    expect(clean(bracketing(text, "the old man"), options).phrases?.[0]).toBe("the old man");
  });

  test("several answers that somebody gave as one are no bracket", () => {
    const text = "He sang in Rome in May";
    const all = ["in Rome in May", "in Rome", "in May"];
    const { phrases } = clean(bracketing(text, ...all), { markFlat: true });
    expect(phrases).toEqual(["in Rome", "in May"]);
    const nested = clean(bracketing(text, "in Rome in May", "in May"), { markFlat: true });
    expect(nested.phrases).toEqual(["in Rome in May", "in May"]);
  });

  test.each([
    [
      "what precedes",
      "He met President Barack Obama there",
      "Barack Obama",
      "President Barack Obama",
    ],
    [
      "what follows, and the determiner",
      "They won the French Open there",
      "French",
      "the French Open",
    ],
    ["no first word of a sentence", "Then Barack Obama left", "Barack Obama", "Barack Obama"],
    ["no day", "It said Monday Barack Obama left", "Barack Obama", "Barack Obama"],
    ["no lower case", "They saw President and wife", "President and wife", "President and wife"],
  ])("names are taken whole: %s", (_, text, part, whole) => {
    expect(clean(bracketing(text, part), { takeDeterminers: true }).phrases).toEqual([whole]);
  });

  test("fragments: a coordinator with what it joins, though it be a bracket", () => {
    const text = "And he sat and read it aloud";
    const { phrases } = clean(bracketing(text, "read it aloud", "and read it aloud"), {
      markFlat: true,
    });
    const all = "he sat and read it aloud";
    expect(phrases).toEqual(["read it aloud", all, "and read it aloud"]);
    const whole = clean(bracketing(text, all), { markFlat: true });
    expect(whole.phrases).toEqual([all]);
  });

  test.each([
    ["In May , | he | left the town .", true],
    ["Around 1816 | he | left the town .", true],
    ["Suddenly , | he | left the town .", true],
    ["Some stayed , | he | left the town .", false],
    ["In May , they said | he | left the town .", false],
    ["In May , | he | left the town today .", false],
  ])("fragments: a sentence but for what stands before it: %s", (text, isFragment) => {
    const [front = "", subject = "", rest = ""] = text.split(" | ");
    const tokens = `${front} ${subject} ${rest}`.split(" ");
    const begin = front.split(" ").length;
    const given: Bracketing = {
      tokens,
      brackets: [
        [0, 2],
        [begin, begin + 4],
      ],
      kinds: ["answer", "clause"],
      source: "",
      id: "",
    };
    const { cleaned } = clean(given, { markFlat: true });
    const fragments = cleaned?.brackets.filter((_, at) => cleaned.kinds?.[at] === "fragment");
    const clause = [begin, begin + 4];
    if (isFragment) expect(fragments).toContainEqual(clause);
    else expect(fragments).not.toContainEqual(clause);
  });

  test.each([
    ["a pronoun", "He sold it to him in Rome .", "him in Rome"],
    ["a pronoun with its preposition", "He sold it to him in Rome .", "to him in Rome"],
    ["a date", "He left in 1990 with his old dog .", "in 1990 with his old dog"],
    ["a duration", "He slept for two hours in the old boat .", "for two hours in the old boat"],
    ["a share", "It rose by 20 % since May .", "by 20 % since May"],
    ["a first object", "He gave him the boat .", "him the boat"],
    ["an adverbial clause", "He sold the boat because he was ill .", "the boat because he was ill"],
    ["a second object", "He told the man to leave .", "the man to leave"],
    [
      "a second object without a determiner",
      "He told reporters that he left .",
      "reporters that he left",
    ],
  ])("fragments: what follows does not modify %s: %s", (_, text, fragment) => {
    const { phrases, cleaned } = clean(bracketing(text, "He"), { markFlat: true });
    const kinds = phrases?.flatMap((phrase, at) =>
      phrase === fragment ? cleaned?.kinds?.[at] : [],
    );
    expect(kinds).toEqual(["fragment"]);
  });

  test.each([
    ["joined verb phrases", "He | took the boat | and | left the town |.", "He took the boat"],
    ["a clause that follows", "He | left the town | , | taking the boat |.", "He left the town"],
    ["a determiner of two nouns", "He | took the boat and net |.", "the boat"],
    ["no longer", "He no longer | left the town |.", "no longer left the town"],
    ["how", "Sales | fell sharply in May |.", "sharply in May"],
    ["a verb's phrase", "He | sat | in the old boat | built in May |.", "in the old boat"],
  ])("fragments by the verbs in a sentence: %s: %s", (_, text, fragment) => {
    const { phrases, cleaned } = clean(withPredicates(text), { addParts: true, markFlat: true });
    const kinds = phrases?.flatMap((phrase, at) =>
      phrase === fragment ? cleaned?.kinds?.[at] : [],
    );
    expect(kinds?.filter((kind) => kind !== "clause")).toEqual(["fragment"]);
  });

  test("a clause to whose verb phrase another is joined is no bracket", () => {
    const given = withPredicates("He | took the boat | and | left the town |.");
    const { phrases, cleaned } = clean(given, { markFlat: true });
    const kinds = phrases?.flatMap((phrase, at) =>
      phrase === "He took the boat" ? cleaned?.kinds?.[at] : [],
    );
    expect(kinds).toEqual(["fragment"]);
  });

  test("parts: joined verb phrases; what may be expected, with its subject; an object with its verb", () => {
    const parts = (text: string) => {
      const { phrases, cleaned } = clean(withPredicates(text), { addParts: true });
      return phrases?.filter((_, at) => cleaned?.kinds?.[at] === "part");
    };
    expect(parts("He | took the boat | and | left the town |.")).toContain(
      "took the boat and left the town",
    );
    expect(parts("He has | taken the boat | and | left the town |.")).not.toContain(
      "taken the boat and left the town",
    );
    expect(parts("They expect the man to | leave the town |.")).toContain(
      "the man to leave the town",
    );
    expect(parts("They told the man to | leave the town |.")).not.toContain(
      "the man to leave the town",
    );
    expect(parts("He | sat in the old boat built in May |.")).not.toContain("the old boat");
  });

  test.each([
    ["of", "He saw some of them of late .", "them of late"],
    ["with", "They left with him in prison .", "him in prison"],
    ["because of", "He hated the delay because of rain .", "the delay because of rain"],
    ["a relative clause", "He saw the man that left .", "the man that left"],
    ["a place", "He saw the house in Rome .", "the house in Rome"],
    ["a number of things", "He lived in two houses in Rome .", "in two houses in Rome"],
  ])("no fragments where it may: %s", (_, text, phrase) => {
    const { phrases } = clean(bracketing(text, "He"), { markFlat: true });
    expect(phrases).not.toContain(phrase);
  });

  test("parts: an infinitive that an adjective or a verb takes ends where the verb phrase ends", () => {
    const likely = clean(bracketing("He is not likely to leave the old town .", "He"), {
      addParts: true,
    });
    const infinitive = ["to leave the old town", "leave the old town"];
    expect(likely.phrases).toEqual(
      expect.arrayContaining(["likely to leave the old town", ...infinitive]),
    );
    const given = bracketing("It is due to rain in the town .", "It");
    expect(clean(given, { addParts: true }).phrases).not.toContain("due to rain in the town");
    const easy = bracketing("It is easy to leave the old town .", "It");
    expect(clean(easy, { addParts: true }).phrases).not.toContain("easy to leave the old town");
  });

  test.each([
    ["the end of a chunk", "the old wooden bridge", "wooden bridge", false],
    ["a word to which the article was added", "the Wikipedia community", "the Wikipedia", false],
    ["what a participle follows", "the families involved", "the families", true],
    ["an object", "conduct electric current", "electric current", true],
    ["a part of a name", "Sergeant Ross Drummond", "Ross Drummond", false],
    ["a longer beginning", "the royal chamberlain Khaemnefert", "the royal chamberlain", true],
  ])("brackets that are some of a chunk: %s", (_, chunk, some, isKept) => {
    const { phrases } = clean(bracketing(`So ${chunk} it is`, chunk, some), { markFlat: true });
    expect([...new Set(phrases)]).toEqual(isKept ? [chunk, some] : [chunk]);
  });

  test("parts: predicates have one where a bracket follows the preposition, clauses none", () => {
    const tokens = "He relied on the old house there".split(" ");
    const one = (kinds: string[], ...brackets: [number, number][]): Bracketing => {
      return { tokens, brackets, kinds, weights: brackets.map(() => 2), source: "", id: "" };
    };
    const tails = (given: Bracketing) => {
      const { cleaned } = clean(given, { addParts: true });
      return cleaned?.brackets.slice(given.brackets.length);
    };
    expect(tails(one(["predicate"], [1, 6]))).toEqual([]);
    expect(tails(one(["predicate", "answer"], [1, 6], [3, 6]))).toEqual([[2, 6]]);
    expect(tails(one(["clause", "answer"], [0, 6], [3, 6]))).toEqual([]);
  });

  test("signs of money and measure are no punctuation", () => {
    expect(clean(bracketing("It cost $ 5 .", "$ 5 ."), { trimPunctuation: true }).phrases).toEqual([
      "$ 5",
    ]);
    expect(clean(bracketing("It rose 5 % .", "5 %"), { trimPunctuation: true }).phrases).toEqual([
      "5 %",
    ]);
  });

  test.each([
    ["( a )", true],
    ["a ) ( b", false],
    ["`` a ''", true],
    ["a ''", false],
    ["-LRB- a", false],
    ['" a " b "', false],
    ["( [ ) ]", false],
  ])("balance of %s", (text, balanced) => {
    expect(isBalanced(text.split(" "))).toBe(balanced);
  });
});

test("rules add spans of the sentence only, wherever their words stand", () => {
  const words =
    `each other as well as long no old men all the boat about $ 5 million % to in of which , and he
    is older than Rome said left -LRB- -RRB- ' 's expect him sharply because May 1990 two years ago .`.split(
      /\s+/,
    );
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 9 }), (tokens) => {
      const given: Bracketing = { tokens, brackets: [], kinds: [], source: "", id: "" };
      const { cleaned } = clean(given, { addParts: true, markFlat: true });
      for (const [begin, end] of cleaned?.brackets ?? []) {
        expect(begin).toBeGreaterThanOrEqual(0);
        expect(end).toBeGreaterThan(begin);
        expect(end).toBeLessThanOrEqual(tokens.length);
      }
    }),
    { numRuns: 2000, examples: [[["each", "other"]], [["and"]]] },
  );
});

describe("sentences", () => {
  test("too long, without a multi-token bracket", () => {
    expect(clean(bracketing("a b c", "a b"), { maxTokens: 2 })).toMatchObject({
      cleaned: undefined,
      dropped: { "sentences over 2 tokens": 1 },
    });
    expect(clean(bracketing("a b c", "a b"), { maxTokens: 3 }).phrases).toEqual(["a b"]);
    expect(
      clean(bracketing("a b c", "a", "a b c"), { requireMulti: true }).cleaned,
    ).toBeUndefined();
  });

  test("a vote for the name of a span is no bracket", () => {
    const given = bracketing("He was ( in May ) here .", "He");
    const { cleaned } = clean(given, { labels: true });
    expect(cleaned?.kinds).toContain("label");
    expect(clean(given, { labels: true, requireMulti: true }).cleaned).toBeUndefined();
  });

  test("excluded by text, however it is tokenised and escaped", async () => {
    const treebank = join(folder, "gold.mrg");
    writeFileSync(
      treebank,
      "( (S (NP (PRP He)) (VP (VBD did) (RB n't)) (PRN (-LRB- -LRB-) (NN ever) (-RRB- -RRB-)) (NP (-NONE- *)) (. .)))",
    );
    const lines = join(folder, "plain.txt");
    writeFileSync(lines, "It rains cats.\nSo what?\n");
    const records = join(folder, "other.jsonl");
    writeFileSync(records, JSON.stringify(bracketing("She sang loudly", "sang loudly")));
    const exclude = await readExcluded([treebank, lines, records]);
    const isLeft = (text: string) =>
      clean(bracketing(text, text.split(" ").slice(0, 2).join(" ")), { exclude }).cleaned !==
      undefined;
    expect(isLeft("He didn't ( ever )")).toBe(false);
    expect(isLeft("it rains cats .")).toBe(false);
    expect(isLeft("She sang loudly .")).toBe(false);
    expect(isLeft("She sang softly .")).toBe(true);
  });
});

describe("near-duplicates", () => {
  const random = new Random(1);
  const sentence = (length: number) => Array.from({ length }, () => `w${random.below(5000)}`);
  const change = (tokens: string[], places: number) => {
    const changed = [...tokens];
    for (let place = 0; place < places; place++)
      changed[random.below(tokens.length)] = `x${random.below(5000)}`;
    return changed;
  };
  const share = (places: number) => {
    const seen = new NearDuplicates();
    let found = 0;
    for (let trial = 0; trial < 200; trial++) {
      const original = sentence(40);
      seen.isRepeated(original);
      if (seen.isRepeated(change(original, places))) found += 1;
    }
    return found / 200;
  };

  test("the same sentence, or one with a word changed, is found; a new one is not", () => {
    expect(share(0)).toBe(1);
    expect(share(1)).toBeGreaterThan(0.9);
    const seen = new NearDuplicates();
    expect(
      Array.from({ length: 2000 }, () => seen.isRepeated(sentence(20))).filter(Boolean).length,
    ).toBe(0);
  });

  test("a sentence half changed seldom is", () => {
    expect(share(14)).toBeLessThan(0.2);
  });
});
