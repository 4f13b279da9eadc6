/** Parses the sentences of a treebank, tags and punctuation kept: what evaluation compares with. */

import type { Decoding } from "../model/config.js";
import { loadParser, type ParserOptions } from "../parser/load-parser.js";
import { isMissing, type LocatedTree, type TreebankEntry } from "../trees/penn-reader.js";
import { leaves } from "../trees/tree.js";

/** How sentences are parsed. */
export interface ParseTreebankOptions extends ParserOptions {
  readonly decoding?: Decoding | undefined;
}

/** The parse of each tree's leaves, in order; places without a tree stay as they are. */
export async function* parseTreebank(
  model: string | readonly string[],
  entries: AsyncIterable<TreebankEntry>,
  { decoding, precision, threads, workers }: ParseTreebankOptions = {},
): AsyncGenerator<TreebankEntry> {
  const parser = await loadParser(model, { precision, threads, workers });
  const read: TreebankEntry[] = [];
  async function* sentences() {
    for await (const entry of entries) {
      read.push(entry);
      if (!isMissing(entry)) yield { leaves: leaves(entry.tree) };
    }
  }
  try {
    for await (const { tree } of parser.parseStream(sentences(), { decoding })) {
      for (let next = read[0]; next && isMissing(next); next = read[0]) {
        read.shift();
        yield next;
      }
      const { file, line } = read.shift() as LocatedTree;
      yield { tree, file, line };
    }
    yield* read;
  } finally {
    await parser.close();
  }
}
