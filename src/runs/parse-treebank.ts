/** Parses the sentences of a treebank, tags and punctuation kept: what evaluation compares with. */

import type { Decoding, Precision } from "../model/config.js";
import { loadParser } from "../parser/load-parser.js";
import type { LocatedTree } from "../trees/penn-reader.js";
import { leaves } from "../trees/tree.js";

/** The parse of each tree's leaves, in order. */
export async function* parseTreebank(
  model: string | readonly string[],
  trees: AsyncIterable<LocatedTree>,
  { precision, decoding }: { precision?: Precision; decoding?: Decoding | undefined } = {},
): AsyncGenerator<LocatedTree> {
  const parser = await loadParser(model, { precision });
  const places: Pick<LocatedTree, "file" | "line">[] = [];
  async function* sentences() {
    for await (const { tree, file, line } of trees) {
      places.push({ file, line });
      yield { leaves: leaves(tree) };
    }
  }
  try {
    for await (const { tree } of parser.parseStream(sentences(), { decoding })) {
      const { file, line } = places.shift() as LocatedTree;
      yield { tree, file, line };
    }
  } finally {
    await parser.close();
  }
}
