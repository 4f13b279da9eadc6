/** `bracken evaluate --gold-spans`: a model names the spans of gold trees, and only its labels are scored. */

import { Progress } from "../display/progress.js";
import { InputError } from "../errors.js";
import type { Confusion } from "../evaluation/confusion.js";
import { areCategories } from "../evaluation/induced.js";
import { inducedJson, inducedText } from "../evaluation/report-induced.js";
import { labelAccuracyJson, labelAccuracyText } from "../evaluation/report-labelled.js";
import { checkOutput, withOutput } from "../files/output.js";
import type { Precision } from "../model/config.js";
import { nameGoldSpans } from "../runs/name-gold-spans.js";
import { readEntries, treebankFiles } from "../treebanks/read-treebank.js";
import { BadTrees } from "./bad-trees.js";
import { type TrainedOnFlags, TrainedOnTrees } from "./trained-on.js";

/** The options of `bracken evaluate` that matter here; those for trees are refused. */
export interface GoldSpanFlags extends TrainedOnFlags {
  readonly model?: readonly string[];
  readonly precision: Precision;
  readonly oneWord?: boolean;
  readonly induced?: boolean | undefined;
  readonly json?: boolean;
  readonly out?: string;
  readonly skipBad?: boolean;
  readonly against?: string;
  readonly byLength?: boolean | undefined;
  readonly decoding?: string;
}

export async function evaluateGoldSpans(
  gold: string,
  predicted: string | undefined,
  options: GoldSpanFlags,
): Promise<void> {
  const { model, precision, oneWord, skipBad } = options;
  if (model === undefined || predicted !== undefined) {
    throw new InputError(
      "--gold-spans needs a model to label the gold spans",
      {},
      "bracken evaluate GOLD --model FOLDER --gold-spans",
    );
  }
  refuseTreeOptions(options);
  await checkOutput(options.out, await treebankFiles([gold]));
  const progress = new Progress({ unit: "trees" });
  const bad = new BadTrees(options);
  const trees = readEntries(gold, {
    skipBad,
    onMissing: bad.see,
    onProgress: (fraction) => progress.advance(0, fraction),
  });
  const trainedOn = await TrainedOnTrees.of(model, options);
  const entries = progress.count(trainedOn.watch(trees));
  const confusion = await nameGoldSpans(model, entries, { precision, oneWord });
  progress.finish();
  bad.finish();
  trainedOn.finish();
  if (confusion.total === 0) throw noSpans();
  // Without a label in common, accuracy is 0 whatever the model has learnt.
  const induced = options.induced ?? areCategories(confusion);
  const text = options.json
    ? JSON.stringify(report(confusion, induced), null, 2)
    : [
        labelAccuracyText(confusion, WHERE),
        ...(induced ? [inducedText(confusion, WHERE)] : []),
      ].join("\n\n");
  await withOutput(options.out, (output) => output.write(`${text}\n`));
}

const WHERE = "gold spans";

function report(confusion: Confusion, induced = false) {
  return {
    goldSpans: labelAccuracyJson(confusion),
    ...(induced ? { induced: inducedJson(confusion) } : {}),
  };
}

function refuseTreeOptions({ against, byLength, decoding }: GoldSpanFlags): void {
  const given = { "--against": against, "--by-length": byLength, "--decoding": decoding };
  const flag = Object.entries(given).find(([, value]) => value !== undefined)?.[0];
  if (!flag) return;
  throw new InputError(
    `${flag} is for trees, and --gold-spans compares labels only`,
    {},
    "leave out one of the two",
  );
}

function noSpans(): InputError {
  return new InputError(
    "the gold trees have no span of two or more words inside a sentence",
    {},
    "check that this is the treebank you meant; --one-word also names phrases of one word",
  );
}
