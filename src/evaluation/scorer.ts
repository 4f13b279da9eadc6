/** Scores the predictions of one sentence under a protocol, labels compared if asked to. */

import type { LocatedTree } from "../trees/penn-reader.js";
import { alignPrediction } from "./align.js";
import { type LabelledScore, scoreLabelled } from "./labelled.js";
import {
  LABELLED_PROTOCOLS,
  type LabelledProtocol,
  type LabelledProtocolName,
  PROTOCOLS,
  type Protocol,
  withPunctuation,
} from "./protocols.js";
import { PENN, type Punctuation } from "./punctuation.js";
import { prepareGold, readGold, type SentenceScore, scoreSpans } from "./score.js";

/** The counts of one sentence, those with labels beside them. */
export interface SentenceResult extends SentenceScore {
  /** Undefined where labels are not compared. */
  readonly labelled?: LabelledScore | undefined;
}

type Score = (
  gold: LocatedTree,
  predictions: readonly LocatedTree[],
) => SentenceResult[] | undefined;

export class Scorer {
  readonly #options: { readonly labelled: boolean; readonly oneWord: boolean };
  /** One score for each prediction; undefined if the protocol skips the sentence. */
  readonly score: Score;

  constructor(
    name: LabelledProtocolName,
    options: { readonly labelled?: boolean | undefined; readonly oneWord?: boolean | undefined },
    punctuation: Punctuation = PENN,
  ) {
    this.#options = { labelled: options.labelled ?? false, oneWord: options.oneWord ?? false };
    this.score =
      name === "evalb"
        ? scoreEvalb(withPunctuation(LABELLED_PROTOCOLS.evalb, punctuation))
        : this.#scoreSpans(withPunctuation(PROTOCOLS[name], punctuation));
  }

  #scoreSpans(protocol: Protocol): Score {
    return (gold, predictions) => {
      const prepared = prepareGold(gold, protocol);
      return (
        prepared &&
        predictions.map((predicted) => {
          const phrases = alignPrediction(prepared.located, predicted, protocol.punctuation);
          const score = scoreSpans(prepared, phrases, protocol);
          if (!this.#options.labelled) return score;
          return { ...score, labelled: scoreLabelled(prepared, phrases, protocol, this.#options) };
        })
      );
    };
  }
}

/** Under EVALB's rules there are no scores but the labelled ones. */
function scoreEvalb(protocol: LabelledProtocol): Score {
  return (gold, predictions) => {
    const read = readGold(gold, protocol);
    if (!read) return undefined;
    const { words, hasUnaryRoot } = read;
    return predictions.map((predicted) => {
      const phrases = alignPrediction(read.located, predicted, protocol.punctuation);
      const labelled = scoreLabelled(read, phrases, protocol, { oneWord: true });
      return { ...labelled, words, hasUnaryRoot, labels: [], labelled };
    });
  };
}
