/** The JSON Schemas of `POST /v1/evaluate`; see schemas.ts. */

import { LABELLED_PROTOCOLS, type LabelledProtocolName } from "../evaluation/protocols.js";
import {
  count,
  exactlyOne,
  flag,
  listOf,
  number,
  oneOfTexts,
  record,
  refine,
  type Schema,
  type Shape,
  text,
} from "./schema-types.js";
import type { EvaluateRequest, EvaluateResponse } from "./wire.js";

const measures = {
  sentenceF1: number,
  corpusF1: number,
  precision: number,
  recall: number,
  sentences: count,
  gold: count,
  predicted: count,
  matched: count,
};

const protocol = oneOfTexts(Object.keys(LABELLED_PROTOCOLS) as LabelledProtocolName[]);

export const evaluateRequest: Schema<Shape<EvaluateRequest>> = refine(
  record(
    { gold: refine(text, "Penn-style trees.") },
    {
      predicted: refine(text, "Penn-style trees of the same sentences in the same order."),
      model: refine(text, "The model whose trees of the gold sentences are scored."),
      protocol: refine(protocol, { default: "kim" }),
      punctuation: refine(text, {
        description:
          "What counts as punctuation in gold: auto, the name of a tag set, characters, or a list of tags.",
        default: "auto",
      }),
      labelled: refine(flag, "Compare labels, too; evalb always does."),
      oneWord: refine(flag, "Count one-word phrases when comparing labels; evalb always does."),
      labels: refine(flag, "Recall per phrase label; for labelled scores also precision and F1."),
      byLength: refine(flag, "Scores by sentence length."),
      unlabelled: refine(flag, "The predicted trees have no labels."),
    },
  ),
  exactlyOne("predicted", "model"),
);

const byLength = listOf(record({ from: count, to: count, ...measures }));

const labelScores = listOf(
  record(
    { label: text, f1: number, gold: count, predicted: count, matched: count },
    { recall: number, precision: number },
  ),
);

const evalbMeasures = {
  ...measures,
  completeMatch: number,
  averageCrossing: number,
  noCrossing: number,
  twoOrFewerCrossing: number,
};

export const evaluateResponse: Schema<Shape<EvaluateResponse>> = refine(
  record(
    {
      protocol,
      punctuation: refine(
        text,
        "How punctuation was recognised: the name of a tag set, characters or list.",
      ),
      punctuationTags: listOf(text),
      ...measures,
      skipped: count,
    },
    {
      mismatched: refine(count, "Sentences whose words differ from gold, which evalb leaves out."),
      caution: refine(text, "What a reader must know about the numbers."),
      labelled: record(
        { ...measures, oneWord: flag },
        { labels: labelScores, oneWordLabels: labelScores, byLength },
      ),
      evalb: refine(
        record(
          { all: record(evalbMeasures) },
          { short: record({ ...evalbMeasures, tokens: count }) },
        ),
        "EVALB's summary, for all sentences and for those with at most so many tokens.",
      ),
      labels: listOf(record({ label: text, gold: count, found: count, recall: number })),
      byLength,
    },
  ),
  "F1, precision and recall in percent. The first ones compare spans without labels, except under evalb.",
);
