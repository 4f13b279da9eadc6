/** Lets models name the spans of gold trees, so that their labels are measured apart from their trees. */

import { Confusion, goldSpans } from "../evaluation/confusion.js";
import type { Precision } from "../model/config.js";
import { loadParser } from "../parser/load-parser.js";
import { checkLabels } from "../parser/phrases.js";
import type { Parse, SentenceInput } from "../parser/sentence.js";
import { NO_PHRASE } from "../trees/labels.js";
import { isMissing, type TreebankEntry } from "../trees/penn-reader.js";
import { leaves, type Tree } from "../trees/tree.js";

/** Options of `nameGoldSpans`. */
export interface GoldSpanOptions {
  /** The precision of the weights. */
  readonly precision?: Precision | undefined;
  /** Also name one-word phrases; one that the models take for no phrase is called `-`. */
  readonly oneWord?: boolean | undefined;
}

/**
 * The gold labels of gold spans against the labels that the models give them. Gold spans are required of the
 * models' trees; labels are chosen after the tree, so the rest of the tree does not matter.
 *
 * @throws InputError if the models do not name phrases.
 */
export async function nameGoldSpans(
  model: string | readonly string[],
  entries: AsyncIterable<TreebankEntry>,
  { precision, oneWord = false }: GoldSpanOptions = {},
): Promise<Confusion> {
  const parser = await loadParser(model, { precision });
  const confusion = new Confusion();
  try {
    checkLabels([], parser.labels);
    const trees: Tree[] = [];
    async function* sentences(): AsyncGenerator<SentenceInput> {
      for await (const entry of entries) {
        if (isMissing(entry)) continue;
        trees.push(entry.tree);
        yield { leaves: leaves(entry.tree), required: goldSpans(entry.tree) };
      }
    }
    for await (const parse of parser.parseStream(sentences(), { oneWord })) {
      const labels = topLabels(parse);
      for (const { begin, end, label } of goldSpans(trees.shift() as Tree, { oneWord })) {
        confusion.add(label, labels.get(`${begin},${end}`) ?? NO_PHRASE);
      }
    }
  } finally {
    await parser.close();
  }
  return confusion;
}

/** The label of each span of a tree, the outermost where there are several. */
function topLabels({ spans }: Parse): Map<string, string> {
  const labels = new Map<string, string>();
  for (const { begin, end, label } of spans) {
    const key = `${begin},${end}`;
    if (!labels.has(key)) labels.set(key, label);
  }
  return labels;
}
