/** `bracken evaluate`: scores predicted trees, and tests whether one system is better than another. */

import type { Command } from "commander";
import { Progress } from "../display/progress.js";
import { InputError } from "../errors.js";
import { type Evaluation, evaluateStreams } from "../evaluation/evaluate.js";
import { LABELLED_PROTOCOLS, type LabelledProtocolName } from "../evaluation/protocols.js";
import {
  type ReportOptions,
  reportJson,
  reportText,
  significanceJson,
  significanceText,
} from "../evaluation/report.js";
import { compareSystems } from "../evaluation/significance.js";
import { checkOutput, withOutput } from "../files/output.js";
import type { Decoding, Precision } from "../model/config.js";
import { isModelFolder } from "../model/find-model.js";
import { parseTreebank } from "../runs/parse-treebank.js";
import { tee } from "../streams/tee.js";
import { readEntries, treebankFiles } from "../treebanks/read-treebank.js";
import type { TreebankEntry } from "../trees/penn-reader.js";
import { BadTrees, skipBadOption } from "./bad-trees.js";
import { evaluateGoldSpans } from "./evaluate-gold-spans.js";
import {
  checkSingleStdin,
  collect,
  decodingOption,
  examples,
  precisionOption,
  protocolHelp,
  protocolOption,
  punctuationHelp,
  punctuationOption,
  unlabelledOption,
  wholeNumber,
} from "./options.js";
import { type TrainedOnFlags, TrainedOnTrees, trainedOnOption } from "./trained-on.js";

interface Options extends ReportOptions, TrainedOnFlags {
  readonly protocol: LabelledProtocolName;
  readonly punctuation: string;
  readonly labelled?: boolean;
  readonly oneWord?: boolean;
  readonly goldSpans?: boolean;
  readonly json?: boolean;
  readonly against?: string;
  readonly model?: readonly string[];
  readonly decoding?: Decoding;
  readonly precision: Precision;
  readonly trials: number;
  readonly seed: number;
  readonly unlabelled?: boolean;
  readonly skipBad?: boolean;
  readonly out?: string;
}

export function build(command: Command): void {
  command
    .argument(
      "<gold>",
      "gold trees: a file, folder or pattern (also .gz, .bz2, .xz), or - for standard input",
    )
    .argument("[predicted]", "predicted trees in the same order, with or without punctuation")
    .option(
      "-m, --model <name>",
      "name or folder of a model that parses the gold sentences, in place of PREDICTED; repeat it to parse with several models together",
      collect,
    )
    .addOption(decodingOption())
    .addOption(precisionOption())
    .addOption(protocolOption(LABELLED_PROTOCOLS))
    .addOption(punctuationOption())
    .option("--labelled", "also compare labels (evalb always does)")
    .option("--one-word", "with --labelled: also count one-word phrases (evalb always does)")
    .option("--labels", "recall per label; with --labelled also precision and F1")
    .option(
      "--confusion",
      "with --labelled: table of gold labels against predicted labels, for the spans in both trees",
    )
    .option(
      "--induced",
      "with --labelled or --gold-spans: the predicted labels are induced categories; map them to gold labels",
    )
    .option(
      "--gold-spans",
      "with --model: label the gold spans instead of parsing, and report label accuracy",
    )
    .option("--by-length", "scores by sentence length")
    .option(
      "--against <predicted>",
      "trees of a second parser, or a model, to compare with by paired tests",
    )
    .option("--trials <n>", "number of trials of the paired tests", wholeNumber(1), 10_000)
    .option("--seed <n>", "seed of the paired tests", wholeNumber(0), 1)
    .addOption(unlabelledOption())
    .addOption(skipBadOption())
    .addOption(trainedOnOption())
    .option("--json", "print JSON")
    .option("-o, --out <file>", "write to a file")
    .addHelpText("after", () => protocolHelp(LABELLED_PROTOCOLS))
    .addHelpText("after", punctuationHelp)
    .addHelpText(
      "after",
      examples(
        "bracken evaluate wsj/ predicted.txt --protocol nob --labels",
        "bracken evaluate gold.mrg ours.txt --against theirs.txt --json",
        "bracken evaluate gold.mrg ours.txt --labelled --one-word --labels",
        "bracken evaluate gold.mrg ours.txt --protocol evalb",
        "bracken evaluate wsj/ --model default --protocol nob",
        "bracken evaluate wsj/ --model models/named --gold-spans",
      ),
    )
    .action(run);
}

async function run(gold: string, predicted: string | undefined, options: Options): Promise<void> {
  if (options.goldSpans) return evaluateGoldSpans(gold, predicted, options);
  if ((predicted === undefined) === (options.model === undefined)) {
    throw new InputError(
      "give either predicted trees or a model",
      {},
      "bracken evaluate GOLD PREDICTED, or bracken evaluate GOLD --model FOLDER",
    );
  }
  checkLabelled(options);
  const named = [gold, predicted, options.against].filter((name) => name !== undefined);
  checkSingleStdin(named);
  if (predicted !== undefined && (await isModelFolder(predicted))) {
    throw new InputError(
      "this is a model, not a file of predicted trees",
      { file: predicted },
      `bracken evaluate ${gold} --model ${predicted}`,
    );
  }
  const progress = new Progress({ unit: "trees" });
  const bad = new BadTrees(options);
  const { skipBad, unlabelled } = options;
  const read = (name: string) => readEntries(name, { unlabelled, skipBad, onMissing: bad.see });
  const trees = readEntries(gold, {
    skipBad,
    onMissing: bad.see,
    onProgress: (fraction) => progress.advance(0, fraction),
  });
  const { against } = options;
  const rival = against !== undefined && (await isModelFolder(against)) ? against : undefined;
  const files = rival ? named.slice(0, -1) : named;
  await checkOutput(options.out, await treebankFiles(files));
  // What models parse are the gold trees' own sentences, which are read once only.
  const models = [...(options.model ? [options.model] : []), ...(rival ? [[rival]] : [])];
  const trainedOn = await TrainedOnTrees.of(models.flat(), options);
  const [goldTrees, ...sentences] = tee(trainedOn.watch(trees), 1 + models.length);
  const parsed = models.map((model, at) =>
    parseTreebank(model, sentences[at] as AsyncIterable<TreebankEntry>, options),
  );
  const systems = [
    ...(predicted === undefined ? [] : [read(predicted)]),
    ...parsed,
    ...(against === undefined || rival ? [] : [read(against)]),
  ];
  const evaluations = await evaluateStreams(
    progress.count(goldTrees as AsyncIterable<TreebankEntry>),
    systems,
    options.protocol,
    options,
  );
  progress.finish();
  bad.finish();
  trainedOn.finish();
  await withOutput(options.out, (output) => output.write(`${render(evaluations, options)}\n`));
}

function checkLabelled(options: Options): void {
  if (options.labelled || options.protocol === "evalb") return;
  const given = {
    "--one-word": options.oneWord,
    "--confusion": options.confusion,
    "--induced": options.induced,
  };
  const flag = Object.entries(given).find(([, isGiven]) => isGiven)?.[0];
  if (!flag) return;
  throw new InputError(
    `${flag} is for labelled scores`,
    {},
    "add --labelled, or use --protocol evalb",
  );
}

function render([first, second]: readonly Evaluation[], options: Options): string {
  if (!first) return "";
  const compared = second && compare(first, second, options);
  if (options.json) {
    const report = reportJson(first, options);
    if (!second || !compared) return JSON.stringify(report, null, 2);
    const { spans, labelled } = compared;
    const significance = {
      ...significanceJson(spans),
      ...(labelled ? { labelled: significanceJson(labelled) } : {}),
    };
    return JSON.stringify(
      { ...report, against: reportJson(second, options), significance },
      null,
      2,
    );
  }
  if (!second || !compared) return reportText(first, options);
  return [
    `first\n${reportText(first, options)}`,
    `second\n${reportText(second, options)}`,
    significanceText(compared.spans),
    ...(compared.labelled ? [significanceText(compared.labelled, ", labelled")] : []),
  ].join("\n\n");
}

/** Under evalb the first comparison is the labelled one. */
function compare(first: Evaluation, second: Evaluation, { trials, seed, protocol }: Options) {
  const spans = compareSystems(first.sentences, second.sentences, { trials, seed });
  if (protocol === "evalb" || !first.labelled || !second.labelled) return { spans };
  const [a, b] = [first.labelled.tally.sentences, second.labelled.tally.sentences];
  return { spans, labelled: compareSystems(a, b, { trials, seed }) };
}
