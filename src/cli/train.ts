/** `bracken train`: trains a parser on Bracketings. */

import { join } from "node:path";
import { type Command, InvalidArgumentError, Option } from "commander";
import { alignColumns, percent } from "../display/columns.js";
import { clearStatus } from "../display/status-line.js";
import { DEFAULT_LANGUAGE } from "../languages/codes.js";
import { canonicalCode } from "../languages/index.js";
import { PRESETS, type PresetName, type TrainSettings } from "../training/settings.js";
import { type TrainOptions, type TrainOutcome, train } from "../training/train.js";
import {
  examples,
  languageOption,
  MOST_CATEGORIES,
  numberThat,
  threadsOption,
  wholeNumber,
} from "./options.js";
import { onEndingSignal } from "./signals.js";
import { TrainingDisplay } from "./training-display.js";

type SettingOptions = Partial<Omit<TrainSettings, "model">>;

interface Options extends SettingOptions {
  readonly out: string;
  readonly encoder?: string;
  readonly from?: string;
  readonly preset?: PresetName;
  readonly runs?: number;
  readonly language?: string | readonly string[];
  readonly layers?: number;
  readonly mix?: boolean;
  readonly dropout?: number;
  readonly kinds?: string;
  readonly labels?: number;
  readonly threads?: number;
  readonly checkpointEvery?: number;
  readonly keepCheckpoint?: boolean;
}

export function build(command: Command): void {
  const positive = numberThat((value) => value > 0, "a number above 0");
  const least0 = numberThat((value) => value >= 0, "a number, 0 or more");
  const share = numberThat((value) => value >= 0 && value < 1, "a number from 0 to 1, but not 1");
  command
    .argument(
      "<data...>",
      "Bracketings (JSON lines, also .gz, .bz2, .xz); FILE@WEIGHT mixes several by weight",
    )
    .requiredOption(
      "-o, --out <folder>",
      "folder of the model; a stopped run continues when started again",
    )
    .option("--encoder <name>", "minilm, a folder, or a name on the Hugging Face hub")
    .option(
      "--from <model>",
      "start from a trained parser instead of an encoder: its folder, or a bundled model such as bracken-en",
    )
    .addOption(
      new Option(
        "--preset <name>",
        'set of hyper-parameters, which other options can change (default: "small", with --from "continue")',
      ).choices(Object.keys(PRESETS)),
    )
    .addOption(new Option("--loss <name>", "loss").choices(["ramp", "soft"]))
    .addOption(
      new Option("--cost <name>", "cost of spans that disagree with brackets").choices([
        "loose",
        "strict",
        "counted",
      ]),
    )
    .option("--strictness <share>", "loose cost: share of the strict cost to mix in", share)
    .option("--weighted", "counted cost: weight brackets by the number of their annotators")
    .option("--cost-factor <lambda>", "soft loss: factor of the costs", positive)
    .option("--temperature <t>", "soft loss: temperature", positive)
    .addOption(
      new Option(
        "--labels <source>",
        "where labels come from: named: the votes in the data; induced:K: K categories of brackets, without names (default: named)",
      ).argParser(labelSource),
    )
    .option(
      "--label-weight <w>",
      "weight of the label loss, if the data has votes for labels; 0: no labels",
      numberThat((value) => value >= 0, "a number, 0 or more"),
    )
    .option(
      "--phrase-weight <w>",
      "soft loss: weight of the phrase loss; 0: only binary trees",
      least0,
    )
    .option("--steps <n>", "number of training steps", wholeNumber(1))
    .option("--warmup <n>", "steps until the full learning rate is reached", wholeNumber(0))
    .addOption(
      new Option("--decay <name>", "learning rate after the warm-up").choices([
        "constant",
        "linear",
        "cosine",
      ]),
    )
    .option("--batch <n>", "sentences per step", wholeNumber(1))
    .option("--rate <r>", "learning rate of the encoder", positive)
    .option("--head-rate <r>", "learning rate of the span scorer", positive)
    .option(
      "--freeze <n>",
      "do not train the embeddings and the first n layers; steps are faster",
      wholeNumber(0),
    )
    .option("--clip <norm>", "clip the gradient to this norm", positive)
    .option("--average <decay>", "save a moving average of the weights, with this decay", share)
    .addOption(
      languageOption(
        `language of the data, such as de or pt-BR, or several: en,de,ja; the model splits text by its rules (default: "${DEFAULT_LANGUAGE}")`,
        "<codes>",
      ).argParser(languageCodes),
    )
    .option("--layers <n>", "number of the encoder's layers to keep", wholeNumber(0))
    .option("--mix", "make word vectors a learnt mix of the layers")
    .option("--dropout <p>", "dropout of the span scorer", share)
    .option("--kinds <list>", "keep only brackets of these kinds, separated by commas")
    .option("--max-tokens <n>", "leave out longer sentences", wholeNumber(2))
    .option(
      "--validation-share <share>",
      "share of the sentences to hold back for validation",
      share,
    )
    .option("--seed <n>", "seed", wholeNumber(0))
    .option("--runs <n>", "train n models, with seeds from --seed on", wholeNumber(1))
    .addOption(threadsOption())
    .option("--checkpoint-every <n>", "steps between checkpoints", wholeNumber(1))
    .option("--keep-checkpoint", "keep the last checkpoint, so that --steps can be raised later")
    .addHelpText(
      "after",
      examples(
        "bracken train answers.jsonl --out models/mine",
        "bracken train links.jsonl --from bracken-en --out models/mine",
        "bracken train answers.jsonl --from bracken-en --labels induced:20 --out models/induced",
        "bracken train qasrl.jsonl --preset paper --encoder bert-base-uncased --runs 5 --out runs/paper",
      ),
    )
    .action(run);
}

/** The number of categories to induce; none for the votes in the data. */
function labelSource(value: string): number | undefined {
  if (value === "named") return undefined;
  const count = /^induced:(\d+)$/.exec(value)?.[1];
  if (count === undefined)
    throw new InvalidArgumentError("It must be named, or for example induced:20.");
  return wholeNumber(2, MOST_CATEGORIES)(count);
}

async function run(data: string[], options: Options): Promise<void> {
  let stopped = false;
  onEndingSignal(() => {
    stopped = true;
  });
  const seeds = Array.from(
    { length: options.runs ?? 1 },
    (_, index) => (options.seed ?? 1) + index,
  );
  const outcomes: { seed: number; outcome: TrainOutcome }[] = [];
  for (const seed of seeds) {
    const out = options.runs === undefined ? options.out : join(options.out, `seed-${seed}`);
    const settings = settingsFrom({ ...options, seed });
    const display = new TrainingDisplay(settings.steps);
    const outcome = await train(data, out, settings, {
      ...trainOptions(options),
      isStopped: () => stopped,
      onNote: (note) => process.stderr.write(`${note}\n`),
      onRecord: (record) => display.show(record),
    });
    clearStatus();
    outcomes.push({ seed, outcome });
    if (!outcome.finished) {
      process.stderr.write(
        outcome.step === 0
          ? "stopped before the first step; the same command begins again\n"
          : `stopped at step ${outcome.step}, with the model so far in ${out}; the same command continues\n`,
      );
      process.exitCode = 1;
      return;
    }
    process.stderr.write(`${out}: ${describe(outcome)}\n`);
  }
  if (options.runs !== undefined) process.stdout.write(`${summarise(outcomes)}\n`);
}

/** One code, or several with commas between them. */
function languageCodes(text: string): string | readonly string[] {
  const [first, ...others] = text.split(",").map(canonicalCode);
  return others.length > 0 ? [first as string, ...others] : (first as string);
}

function settingsFrom(options: Options & { seed: number }): TrainSettings {
  const preset = PRESETS[options.preset ?? (options.from === undefined ? "small" : "continue")];
  const given = Object.fromEntries(
    Object.entries(options).filter(([name, value]) => name in preset && value !== undefined),
  ) as SettingOptions;
  const { from, freeze, labels, language, layers, mix, dropout } = options;
  return {
    ...preset,
    ...given,
    ...(freeze === undefined ? {} : { freeze }),
    ...(labels === undefined ? {} : { inducedLabels: labels }),
    model: {
      // Not the default, so that a run begun before languages were recorded can go on.
      ...(language === undefined || (language === DEFAULT_LANGUAGE && !from) ? {} : { language }),
      ...(layers === undefined ? {} : { layers }),
      ...(mix ? { mix } : {}),
      ...(dropout === undefined ? {} : { scorer: { dropout } }),
    },
  };
}

function trainOptions({
  encoder,
  from,
  kinds,
  threads,
  checkpointEvery,
  keepCheckpoint,
}: Options): TrainOptions {
  return {
    encoder,
    from,
    threads,
    checkpointEvery,
    keepCheckpoint,
    kinds: kinds === undefined ? undefined : new Set(kinds.split(",")),
  };
}

function describe({ step, bracketRecall }: TrainOutcome): string {
  const found =
    bracketRecall === undefined ? "" : `, ${percent(bracketRecall)} % of validation brackets found`;
  return `finished after ${step} steps${found}`;
}

/** Mean and maximum over the seeds of what can be known without gold trees. */
function summarise(outcomes: readonly { seed: number; outcome: TrainOutcome }[]): string {
  const known = outcomes.flatMap(({ outcome }) =>
    outcome.bracketRecall === undefined ? [] : [outcome.bracketRecall],
  );
  const rows = outcomes.map(({ seed, outcome }) => [
    `seed ${seed}`,
    outcome.bracketRecall === undefined ? "-" : percent(outcome.bracketRecall),
  ]);
  if (known.length === 0) return alignColumns([["run", "validation brackets found"], ...rows]);
  const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
  return alignColumns([
    ["run", "validation brackets found"],
    ...rows,
    ["mean", percent(mean)],
    ["max", percent(Math.max(...known))],
  ]);
}
