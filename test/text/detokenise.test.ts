import { describe, expect, test } from "vitest";
import { detokenise, layOut, tokenise } from "../../src/text/index.js";

const CASES: [tokens: string, text: string][] = [
  ["`` I do n't , '' said Ann 's son .", "\"I don't,\" said Ann's son."],
  ["The -LRB- old -RRB- -LSB- 1 -RSB- -LCB- x -RCB- way", "The (old) [1] {x} way"],
  ["It costs $ 5 , US$ 6 or # 7 : 5 % .", "It costs $5, US$6 or #7: 5%."],
  ["1\\/2 and\\/or 2\\*3", "1/2 and/or 2*3"],
  ["We can not ; gon na , got ta , lem me", "We cannot; gonna, gotta, lemme"],
  ["'T is late -- very", "'Tis late -- very"],
  ["From 1990 -- 95 , pages 3 – 5", "From 1990--95, pages 3–5"],
  ["They left the U.S. .", "They left the U.S."],
  ["So it goes ... .", "So it goes...."],
  ["the students ' ` soft ' option", "the students' 'soft' option"],
  ["He said \" no \" to ' this ' .", "He said \"no\" to 'this'."],
  ["the '80s , rock 'n' roll", "the '80s, rock 'n' roll"],
  ["“ Yes ” , « oui » ¿ no ?", "“Yes”, «oui» ¿no?"],
  ["Smith & Sons", "Smith & Sons"],
];

describe("detokenise", () => {
  test.each(CASES)("%s", (tokens, text) => {
    expect(detokenise(tokens.split(" "))).toBe(text);
  });

  test("gives nothing for nothing", () => {
    expect(detokenise([])).toBe("");
  });
});

describe("layOut", () => {
  test("says where each token stands", () => {
    const { text, tokens } = layOut(["``", "No", ",", "''", "he", "ca", "n't", "."]);
    expect(text).toBe('"No," he can\'t.');
    expect(tokens).toEqual(tokenise(text));
  });

  test("gives the one full stop of `U.S. .` to the second token", () => {
    const { tokens } = layOut(["the", "U.S.", "."]);
    expect(tokens.map((token) => token.text)).toEqual(["the", "U.S", "."]);
  });
});
