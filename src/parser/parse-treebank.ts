/** Parses the sentences of a treebank, tags and punctuation kept: what evaluation compares with. */

import type { LocatedTree } from "../trees/penn-reader.js";
import { leaves } from "../trees/tree.js";
import { ModelFolder } from "./model-folder.js";
import { SpanParser } from "./span-parser.js";

/** How many trees are read ahead, so that sentences of similar length can share a batch. */
const WINDOW = 512;

/** The parse of each tree's leaves, in order. */
export async function* parseTreebank(
  model: string,
  trees: AsyncIterable<LocatedTree>,
): AsyncGenerator<LocatedTree> {
  const parser = await SpanParser.load(await ModelFolder.open(model));
  try {
    let window: LocatedTree[] = [];
    for await (const tree of trees) {
      window.push(tree);
      if (window.length === WINDOW) {
        yield* await parseWindow(parser, window);
        window = [];
      }
    }
    yield* await parseWindow(parser, window);
  } finally {
    await parser.close();
  }
}

async function parseWindow(
  parser: SpanParser,
  window: readonly LocatedTree[],
): Promise<LocatedTree[]> {
  const parsed = await parser.parse(window.map(({ tree }) => leaves(tree)));
  return window.map((located, index) => ({
    ...located,
    tree: parsed[index] as LocatedTree["tree"],
  }));
}
