/** `--allow-trained-on`: gold trees that a model was trained on say little about it, so they are refused. */

import { Option } from "commander";
import { InputError } from "../errors.js";
import { findModel } from "../model/find-model.js";
import { ModelFolder } from "../model/folder.js";
import { readTrainedOn, sentenceHash } from "../model/trained-on.js";
import { isMissing, type TreebankEntry } from "../trees/penn-reader.js";
import { words } from "../trees/tree.js";

export interface TrainedOnFlags {
  readonly allowTrainedOn?: boolean;
}

export function trainedOnOption(): Option {
  return new Option(
    "--allow-trained-on",
    "with --model: also score gold trees that the model was trained on, and say how many there are",
  );
}

/** The gold trees of an evaluation that its models were trained on. */
export class TrainedOnTrees {
  readonly #hashes: ReadonlySet<string>;
  readonly #isAllowed: boolean;
  #trees = 0;
  #found = 0;

  private constructor(hashes: ReadonlySet<string>, isAllowed: boolean) {
    this.#hashes = hashes;
    this.#isAllowed = isAllowed;
  }

  static async of(models: readonly string[], flags: TrainedOnFlags): Promise<TrainedOnTrees> {
    const hashes = new Set<string>();
    for (const name of models) {
      const folder = await ModelFolder.open(await findModel(name), { thorough: false });
      for (const hash of await readTrainedOn(folder)) hashes.add(hash);
    }
    return new TrainedOnTrees(hashes, flags.allowTrainedOn === true);
  }

  /**
   * Passes the trees on.
   * @throws InputError at the first that a model was trained on, unless they are allowed.
   */
  async *watch(entries: AsyncIterable<TreebankEntry>): AsyncGenerator<TreebankEntry> {
    for await (const entry of entries) {
      if (!isMissing(entry)) this.#see(entry);
      yield entry;
    }
  }

  #see({ tree, file, line }: Exclude<TreebankEntry, { problem: unknown }>): void {
    this.#trees += 1;
    if (this.#hashes.size === 0) return;
    const hash = sentenceHash(words(tree));
    if (hash === undefined || !this.#hashes.has(hash)) return;
    this.#found += 1;
    if (this.#isAllowed) return;
    throw new InputError(
      "the model was trained on this tree, so its score would say little about other text",
      { file, line },
      "score other trees, or count these as well with --allow-trained-on",
    );
  }

  /** Says how many there were. */
  finish(): void {
    if (this.#found === 0) return;
    process.stderr.write(`the model was trained on ${this.#found} of these ${this.#trees} trees\n`);
  }
}
