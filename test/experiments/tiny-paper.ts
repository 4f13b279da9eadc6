/** Data for the paper's tables, laid out as the real one is, and small enough to learn from within a test. */

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Bracketing } from "../../src/brackets/record.js";
import { dump, page } from "../extract/links/helpers.js";
import { tar } from "../extract/links/tar.js";
import { tinyData } from "../training/tiny-encoder.js";

/** A sentence that both data sets have, so that it must be left out of what is learnt from. */
export const GOLD =
  "(S (NP (DT the) (JJ old) (NN man)) (VP (VBD sat) (PP (IN on) (NP (DT a) (JJ red) (NN bench)))) (. .))\n";
export const GOLD_TOKENS = "the old man sat on a red bench .".split(" ");

/** One extraction with the sentence's brackets as its arguments, as far as they do not overlap. */
function openIe(sentence: Pick<Bracketing, "tokens" | "brackets">, id: number): string {
  const { tokens, brackets } = sentence;
  const labels = tokens.map((_, at) => {
    const argument = brackets.slice(0, 2).findIndex(([begin, end]) => begin <= at && at < end);
    if (argument < 0) return "O";
    return `A${argument}-${brackets[argument]?.[0] === at ? "B" : "I"}`;
  });
  const rows = tokens.map((word, at) => `${at}\t${word}\tsat\t3\t3\t${id}\t${id}\t${labels[at]}`);
  return `${rows.join("\n")}\n\n`;
}

export function writeTinyPaper(data: string): void {
  const write = (path: string, content: string | Uint8Array) => {
    mkdirSync(dirname(join(data, path)), { recursive: true });
    writeFileSync(join(data, path), content);
  };
  const sentences = tinyData(60)
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Bracketing)
    .filter(({ tokens }) => tokens.join() !== GOLD_TOKENS.join());
  const gold = { tokens: GOLD_TOKENS, brackets: [[0, 3] as const, [5, 8] as const] };
  const head = "word_id\tword\tpred\tpred_id\thead_pred_id\tsent_id\trun_id\tlabel\n";
  const columns = head + [gold, ...sentences].map(openIe).join("");
  write("answers/qasrl1-oie/newswire-propbank.train.oie.conll.gz", gzipSync(columns));
  const article = "The [[red dog]] ran by [[the old door]]. A man sat. ";
  write(
    "links/wikipedia-en-small/enwiki-part.xml",
    dump(page(1, `${article}The [[old man]] sat on a [[red bench]].`)),
  );
  write("links/wikipedia-en-small/bgwiki-part.xml", dump(page(2, "A [[big cat]] sat.")));
  write(
    "links/wikipedia-en-wikitext/articles.tar.gz",
    gzipSync(tar({ "A.txt": "The [[old bench]] by the door sat.\n\n* the [[old list]] ran\n" })),
  );
  write("treebanks/wsj-tiny/wsj_0001.mrg", GOLD);
  write(
    "treebanks/wsj-tiny/wsj_0002.mrg",
    "(S (NP (DT a) (NN dog)) (VP (VBD ran) (PP (IN by) (NP (DT the) (NN door)))) (. .))\n",
  );
}
