/** Scores the predictions of one sentence under a protocol, labels compared if asked to. */

import type { LocatedTree } from "../trees/penn-reader.js";
import { alignPrediction } from "./align.js";
import { type LabelledScore, scoreLabelled } from "./labelled.js";
import { LABELLED_PROTOCOLS, type LabelledProtocolName, PROTOCOLS } from "./protocols.js";
import { prepareGold, readGold, type SentenceScore, scoreSpans } from "./score.js";

/** The counts of one sentence, those with labels beside them. */
export interface SentenceResult extends SentenceScore {
  /** Undefined where labels are not compared. */
  readonly labelled?: LabelledScore | undefined;
}

export class Scorer {
  readonly #name: LabelledProtocolName;
  readonly #options: { readonly labelled: boolean; readonly oneWord: boolean };

  constructor(
    name: LabelledProtocolName,
    options: { readonly labelled?: boolean | undefined; readonly oneWord?: boolean | undefined },
  ) {
    this.#name = name;
    this.#options = { labelled: options.labelled ?? false, oneWord: options.oneWord ?? false };
  }

  /** One score for each prediction; undefined if the protocol skips the sentence. */
  score(gold: LocatedTree, predictions: readonly LocatedTree[]): SentenceResult[] | undefined {
    return this.#name === "evalb"
      ? this.#scoreEvalb(gold, predictions)
      : this.#scoreSpans(gold, predictions, this.#name);
  }

  /** Under EVALB's rules there are no scores but the labelled ones. */
  #scoreEvalb(gold: LocatedTree, predictions: readonly LocatedTree[]) {
    const protocol = LABELLED_PROTOCOLS.evalb;
    const read = readGold(gold, protocol);
    if (!read) return undefined;
    const { words, hasUnaryRoot } = read;
    return predictions.map((predicted) => {
      const phrases = alignPrediction(read.located, predicted);
      const labelled = scoreLabelled(read, phrases, protocol, { oneWord: true });
      return { ...labelled, words, hasUnaryRoot, labels: [], labelled };
    });
  }

  #scoreSpans(
    gold: LocatedTree,
    predictions: readonly LocatedTree[],
    name: keyof typeof PROTOCOLS,
  ): SentenceResult[] | undefined {
    const protocol = PROTOCOLS[name];
    const prepared = prepareGold(gold, protocol);
    return (
      prepared &&
      predictions.map((predicted) => {
        const phrases = alignPrediction(prepared.located, predicted);
        const score = scoreSpans(prepared, phrases, protocol);
        if (!this.#options.labelled) return score;
        return { ...score, labelled: scoreLabelled(prepared, phrases, protocol, this.#options) };
      })
    );
  }
}
