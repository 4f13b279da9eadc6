import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { conlluTree, looksLikeConllu, parseConllu, toConllu } from "../../src/trees/conllu.js";
import { parsePenn } from "../../src/trees/penn-reader.js";
import { leaves, type Tree } from "../../src/trees/tree.js";
import { deepTree, tree } from "../arbitraries.js";

const readBack = (text: string) => {
  const sentence = parseConllu(text.split("\n"));
  if (!sentence) throw new Error("no sentence");
  return conlluTree(sentence);
};
const parse = (penn: string) => parsePenn(penn)[0] as Tree;

/** Labels with everything that means something to the notation or to the column. */
const oddLabel = fc.string({
  unit: fc.constantFrom("(", ")", "*", "\\", "|", " ", "\t", "\n", "\r", "p", "s", "=", "_", "é"),
});
const oddTree = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom<Tree>({ word: "a" }, { word: "(*)|", tag: "(" }, { word: "_", tag: "X" }),
    fc.record({ label: oddLabel, children: fc.array(tie("tree"), { minLength: 1, maxLength: 3 }) }),
  ),
})).tree;

describe("trees in CoNLL-U", () => {
  test("what opens and closes at each word stands in the last column", () => {
    const text = toConllu(parse("(S (NP (DT the) (NN dog)) (VP (VBD ran)))"));
    expect(text.split("\n")).toEqual([
      "1\tthe\t_\t_\tDT\t_\t_\t_\t_\tTree=(S(NP*",
      "2\tdog\t_\t_\tNN\t_\t_\t_\t_\tTree=*)",
      "3\tran\t_\t_\tVBD\t_\t_\t_\t_\tTree=(VP*))",
    ]);
  });

  test("round trip", () => {
    const isPlain = (each: Tree) => leaves(each).every(({ tag }) => tag !== "_");
    fc.assert(
      fc.property(fc.oneof(tree.filter(isPlain), oddTree), (original) => {
        const text = toConllu(original);
        expect(readBack(text)).toEqual(original);
        for (const line of text.split("\n")) {
          expect(line.split("\t")).toHaveLength(10);
          expect(line.split("\t")[9]).toMatch(/^[^| \t\n\r]+$/);
        }
      }),
      { numRuns: 500 },
    );
    const deep = deepTree(5000);
    expect(toConllu(readBack(toConllu(deep)))).toBe(toConllu(deep));
  });

  const source = [
    "# sent_id = 1",
    "# text = Du chien.",
    "1-2\tDu\t_\t_\t_\t_\t_\t_\t_\t_",
    "1\tde\tde\tADP\t_\t_\t3\tcase\t_\tGloss=of|Tree=(OLD*)|Ref=1",
    "2\tle\tle\tDET\tDT\tGender=Masc\t3\tdet\t_\t_",
    "2.1\tnul\t_\t_\t_\t_\t_\t_\t_\tCopy=1",
    "3\tchien\tchien\tNOUN",
    "4\t.\t.\tPUNCT\t_\t_\t3\tpunct\t_\tSpaceAfter=No",
  ];

  test("of a sentence that was CoNLL-U everything else is kept", () => {
    const sentence = parseConllu(source);
    const penn = "(X (X (ADP de) (X (DT le) (NOUN chien))) (PUNCT .))";
    expect(sentence?.leaves).toEqual(leaves(parse(penn)));
    const text = toConllu(parse(penn), { source: sentence, comments: { fallback: "so" } });
    expect(text.split("\n")).toEqual([
      "# fallback = so",
      ...source.slice(0, 3),
      "1\tde\tde\tADP\t_\t_\t3\tcase\t_\tGloss=of|Ref=1|Tree=(X(X*",
      "2\tle\tle\tDET\tDT\tGender=Masc\t3\tdet\t_\tTree=(X*",
      source[5],
      "3\tchien\tchien\tNOUN\t_\t_\t_\t_\t_\tTree=*))",
      "4\t.\t.\tPUNCT\t_\t_\t3\tpunct\t_\tSpaceAfter=No|Tree=*)",
    ]);
    expect(readBack(text)).toEqual(parse(penn));
  });

  test("words that are not in the tree have none", () => {
    const partial = parse("(X (ADP de) (X (DT le) (NOUN chien)))");
    const words = leaves(parse("(X (ADP de) (DT le) (NOUN chien) (PUNCT .))"));
    const isInTree = ({ word }: { word: string }) => word !== ".";
    const text = toConllu(partial, { words, isInTree });
    expect(text.split("\n").at(-1)).toBe("4\t.\t_\t_\tPUNCT\t_\t_\t_\t_\t_");
    expect(readBack(text)).toEqual(partial);
  });

  test("the text, and where no blank follows a word", () => {
    const offsets = [[0, 2], [2, 5], [6, 7]] as const; // biome-ignore format: one pair a word
    const text = toConllu(parse("(X (X do n't) !)"), { text: "don't\n!", offsets });
    expect(text.split("\n").map((line) => line.split("\t").at(-1))).toEqual([
      "# text = don't !",
      "SpaceAfter=No|Tree=(X(X*",
      "Tree=*)",
      "Tree=*)",
    ]);
  });

  test.each([
    ["Tree=(S*", "is never closed"],
    ["Tree=*)", "closes nothing"],
    ["Tree=S*", "does not have the form"],
    ["Tree=(S", "does not have the form"],
    ["Tree=(S*)x", "does not have the form"],
    ["Gloss=x", "no word of the sentence has"],
  ])("malformed: %s", (misc, problem) => {
    const row = `1\ta\t_\t_\t_\t_\t_\t_\t_\t${misc}`;
    expect(() => readBack(row)).toThrow(problem);
  });

  test("two trees are not one, a line without a word is named, comments alone are nothing", () => {
    const row = (id: number) => `${id}\ta\t_\t_\t_\t_\t_\t_\t_\tTree=*`;
    expect(() => readBack(`${row(1)}\n${row(2)}`)).toThrow("more than one tree");
    expect(() => parseConllu(["# x", "1\ta", "b"], { line: 7 })).toThrow("line 9 has no word");
    expect(parseConllu(["# newpar"])).toBeUndefined();
  });

  test("is told from brackets and JSON", () => {
    expect(["# text", "\n1\ta", "1-2\tdu", "1.1\tx"].every(looksLikeConllu)).toBe(true);
    expect(["(S a)", '{"tokens"', "1 a", "*x*x"].some(looksLikeConllu)).toBe(false);
  });
});
