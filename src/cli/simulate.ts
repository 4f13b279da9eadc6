/** `bracken simulate`: learning curves of answers and trees, with gold trees in place of people. */

import { join } from "node:path";
import { type Command, InvalidArgumentError, Option } from "commander";
import { curveOf, curveText, drawCurve } from "../annotate/learning-curve.js";
import { type SimulateOptions, STRATEGIES, type Strategy, simulate } from "../annotate/simulate.js";
import { clearStatus } from "../display/status-line.js";
import { PROTOCOLS, type ProtocolName } from "../evaluation/protocols.js";
import { withOutput, writeWhole } from "../files/output.js";
import type { TrainSettings } from "../training/settings.js";
import {
  examples,
  numberThat,
  protocolHelp,
  protocolOption,
  threadsOption,
  wholeNumber,
} from "./options.js";
import { onEndingSignal } from "./signals.js";
import { TrainingDisplay } from "./training-display.js";

interface Options {
  readonly gold: readonly string[];
  readonly test: readonly string[];
  readonly strategy: readonly Strategy[];
  readonly points: readonly number[];
  readonly draws: number;
  readonly from?: string;
  readonly encoder?: string;
  readonly pool: number;
  readonly guard: number;
  readonly also?: readonly string[];
  readonly protocol: ProtocolName;
  readonly steps?: number;
  readonly rate?: number;
  readonly headRate?: number;
  readonly threads?: number;
  readonly keepModels?: boolean;
  readonly json?: boolean;
  readonly out: string;
}

export function build(command: Command): void {
  const positive = numberThat((value) => value > 0, "a number above 0");
  command
    .requiredOption("--gold <trees...>", "gold trees to take answers and trees from")
    .requiredOption("--test <trees...>", "gold trees to measure on")
    .addOption(
      new Option(
        "--strategy <names...>",
        "what to learn from: answers chosen as most useful (active) or drawn at random, or whole trees",
      )
        .choices([...STRATEGIES])
        .default(["active", "random"]),
    )
    .addOption(
      new Option("--points <list>", "numbers of answers or trees, separated by commas")
        .argParser(points)
        .default([100, 300, 1000], "100,300,1000"),
    )
    .option(
      "--draws <n>",
      "number of times to repeat each point, with seeds from 1 on",
      wholeNumber(1),
      3,
    )
    .option("--from <model>", "model to start from: bundled, or a folder")
    .option("--encoder <name>", "encoder to start from, in place of a model; for trees only")
    .option("--pool <n>", "ask about at most this many sentences", wholeNumber(1), 1000)
    .option(
      "--guard <n>",
      "number of other sentences to label with the old model and learn as well, against forgetting; 0: none",
      wholeNumber(0),
      500,
    )
    .option("--also <trees...>", "other treebanks to measure on, to see what is forgotten")
    .addOption(protocolOption(PROTOCOLS))
    .option(
      "--steps <n>",
      "steps of each training (default: depends on the amount of data)",
      wholeNumber(1),
    )
    .option("--rate <r>", "learning rate of the encoder", positive)
    .option("--head-rate <r>", "learning rate of the scorers", positive)
    .addOption(threadsOption())
    .option("--keep-models", "keep the trained models")
    .option("--json", "print JSON")
    .requiredOption(
      "-o, --out <folder>",
      "folder for the results; a stopped run continues when started again",
    )
    .addHelpText("after", () => protocolHelp(PROTOCOLS))
    .addHelpText(
      "after",
      examples(
        "bracken simulate --gold take/ --test other/ --strategy active random -p nob -o curves",
        "bracken simulate --gold take/ --test other/ --strategy trees --points 10,50,100 -p nob -o trees",
      ),
    )
    .action(run);
}

function points(value: string): number[] {
  const numbers = value.split(",").map(Number);
  const isGood = numbers.every((number, at) => {
    return Number.isInteger(number) && number > (at === 0 ? 0 : (numbers[at - 1] as number));
  });
  if (isGood) return numbers;
  throw new InvalidArgumentError("It must be increasing numbers such as 100,300,1000.");
}

async function run(options: Options): Promise<void> {
  let stopped = false;
  onEndingSignal(() => {
    stopped = true;
  });
  let display: TrainingDisplay | undefined;
  const results = await simulate(options.out, {
    ...simulateOptions(options),
    isStopped: () => stopped,
    onStage: (stage) => {
      clearStatus();
      display = undefined;
      process.stderr.write(`${stage}\n`);
    },
    onRecord: (record, steps) => {
      display ??= new TrainingDisplay(steps);
      display.show(record);
    },
    onResult: ({ strategy, count, f1 }) => {
      process.stderr.write(`${strategy} ${count}: F1 ${f1.toFixed(2)}\n`);
    },
  });
  clearStatus();
  if (!results) {
    process.stderr.write("stopped; the same command continues\n");
    process.exitCode = 1;
    return;
  }
  const curve = curveOf(results);
  const picture = join(options.out, "curves.svg");
  await writeWhole(picture, drawCurve(curve));
  const text = options.json ? JSON.stringify(curve, null, 2) : curveText(curve, options.also ?? []);
  await withOutput(undefined, (output) => output.write(`${text}\n`));
  if (!options.json) process.stderr.write(`picture: ${picture}\n`);
}

function simulateOptions(options: Options): SimulateOptions {
  const { strategy, steps, rate, headRate, ...others } = options;
  const settings: Partial<TrainSettings> = {
    ...(steps === undefined ? {} : { steps }),
    ...(rate === undefined ? {} : { rate }),
    ...(headRate === undefined ? {} : { headRate }),
  };
  return { ...others, strategies: strategy, settings };
}
