/**
 * Finds the gold tree of a sentence by its tokens or, if the ids of a data set are such names, by the name of
 * the tree's file and its number there: `wsj_0001:2`.
 */

import type { Bracketing } from "../brackets/record.js";
import { tokenKey } from "../brackets/sentence-keys.js";
import { isMissing } from "../trees/penn-reader.js";
import type { Tree } from "../trees/tree.js";
import { words } from "../trees/tree.js";
import { readEntries, type TreebankOptions } from "./read-treebank.js";

/** The trees of treebanks, to be found by sentence. */
export class GoldTrees {
  readonly #byTokens = new Map<string, Tree>();
  readonly #byName = new Map<string, Tree>();

  /** Reads all trees of the treebanks. A place without a tree counts in the numbers. */
  static async read(names: readonly string[], options?: TreebankOptions): Promise<GoldTrees> {
    const trees = new GoldTrees();
    let [file, number]: [string | undefined, number] = [undefined, 0];
    for await (const entry of readEntries(names, options)) {
      if (isMissing(entry) && entry.reason === "stray") continue;
      number = entry.file === file ? number + 1 : 1;
      file = entry.file;
      if (isMissing(entry)) continue;
      const { tree } = entry;
      const stem = file?.split("/").at(-1)?.split(".")[0] ?? "";
      trees.#byTokens.set(tokenKey(words(tree)), tree);
      trees.#byName.set(`${stem}:${number}`, tree);
    }
    return trees;
  }

  /** The tree of a sentence; undefined if there is none. */
  find({ tokens, id }: Bracketing): Tree | undefined {
    const found = this.#byTokens.get(tokenKey(tokens)) ?? this.#byName.get(id);
    return found && words(found).length === tokens.length ? found : undefined;
  }
}
