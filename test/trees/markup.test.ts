/** Trees with annotations beside them, in the layouts of Keyaki and GreynirCorpus; the sentences are our own. */

import { describe, expect, test } from "vitest";
import { PennReader, parsePenn } from "../../src/trees/penn-reader.js";
import { toPenn } from "../../src/trees/penn-writer.js";
import { leaves, words } from "../../src/trees/tree.js";

const KEYAKI = `
( (IP-MAT (PP (NP (N 犬))
              (P は))
          (NP-SBJ *)
          (NP-OB1 *pro*)
          (IP-REL (NP-SBJ *T*) (NP-LOC *ICH*-1))
          (VB 走っ)
          (AXD た)
          (PU 。))
  (ID 1_story_of_a_dog;JP))
`;

const GREYNIR = `
( (META (ID-CORPUS 0a-1.2)
        (ID-LOCAL file.psd,.1)
        (URL http://x.is/\\(a\\))
        (COMMENT ))
  (S0 (S-MAIN )
      (IP (NP-SUBJ (person_nf Anna Jónsdóttir (lemma Anna Jónsdóttir)))
          (VP (so_0 les (lemma lesa) (exp_seg le-s))
              (grm \\()
              (NP (no_et bók (lemma bók)))
              (grm &#41; (lemma &#41;))))
      (grm . (lemma .))))
`;

describe("trees with an ID node", () => {
  test("lose their ID and their empty elements", () => {
    expect(parsePenn(KEYAKI).map(toPenn)).toEqual([
      "( (IP-MAT (PP (NP (N 犬)) (P は)) (VB 走っ) (AXD た) (PU 。)))",
    ]);
  });

  test("keep their empty elements on request", () => {
    const [tree] = parsePenn(KEYAKI, { keepEmpty: true });
    expect(words(tree as never)).toEqual("犬 は * *pro* *T* *ICH*-1 走っ た 。".split(" "));
  });

  test("lose silent complementisers and editors' codes, and keep the digit 0", () => {
    const text = "( (IP (CODE <P_1>) (C 0) (NUM 0) (N points) (SYM **)) (ID 2,.3))";
    expect(parsePenn(text).map(words)).toEqual([["0", "points", "**"]]);
  });

  test("are left out if nothing is left of them", () => {
    expect(parsePenn("( (NP-SBJ *pro*) (ID 3))\n( (N a) (ID 4))").map(words)).toEqual([["a"]]);
  });
});

describe("trees with a META node", () => {
  test("lose it, their lemmas and empty phrases; brackets are escaped as in Penn files", () => {
    const [tree] = parsePenn(GREYNIR);
    expect(words(tree as never)).toEqual("Anna Jónsdóttir les -LRB- bók -RRB- .".split(" "));
    expect(toPenn(tree as never)).not.toContain("S-MAIN");
  });

  test("have a phrase of tagged words in place of a terminal of several", () => {
    const [tree] = parsePenn(GREYNIR);
    expect(toPenn(tree as never)).toContain(
      "(NP-SUBJ (person_nf (person_nf Anna) (person_nf Jónsdóttir)))",
    );
    expect(leaves(tree as never).every(({ tag }) => tag !== undefined)).toBe(true);
  });

  test("with unescape have their brackets back", () => {
    const [tree] = parsePenn(GREYNIR, { unescape: true });
    expect(words(tree as never)).toContain("(");
  });
});

test("what follows such a tree is read by the usual rules, however the text is cut", () => {
  const text = `${GREYNIR}(S (SYM \\) (NP *pro*))\n${KEYAKI}( (S (NP *) (C 0)))\n`;
  const expected = parsePenn(text).map(toPenn);
  expect(expected.slice(1, 2)).toEqual(["(S (SYM \\) (NP *pro*))"]);
  expect(expected.at(-1)).toBe("( (S (NP *) (C 0)))");
  for (let cut = 0; cut <= text.length; cut++) {
    const reader = new PennReader();
    const trees = [...reader.push(text.slice(0, cut)), ...reader.push(text.slice(cut))];
    expect([...trees, ...reader.end()].map(({ tree }) => toPenn(tree))).toEqual(expected);
  }
});

test("in other trees these are words and phrases", () => {
  const text = "(S (SYM *) (NN *really*) (C 0) (ID card) (META (NN data)) (lemma (NN x)))";
  expect(parsePenn(text).map(toPenn)).toEqual([text]);
  expect(parsePenn("((the lemma) (ID card))", { unlabelled: true }).map(words)).toEqual([
    ["the", "lemma", "ID", "card"],
  ]);
});
