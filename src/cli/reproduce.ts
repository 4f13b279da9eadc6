/** `bracken reproduce`: the paper's Tables 1, 2 and 3, its numbers beside ours. */

import { resolve } from "node:path";
import { Argument, type Command, InvalidArgumentError, Option } from "commander";
import { DEFAULT_ENCODER } from "../encoder/source.js";
import { InputError } from "../errors.js";
import { countData, type DataRecipe, findData, prepareData } from "../experiments/data.js";
import { findBaselines, measureBaselines, openGold } from "../experiments/gold.js";
import { commonName, findInputs, type NamedInputs } from "../experiments/inputs.js";
import { renderMarkdown, renderText } from "../experiments/render.js";
import {
  collectResults,
  dataNames,
  dataRecipe,
  type Experiment,
  findPrepared,
  readRuns,
  runExperiment,
} from "../experiments/reproduce.js";
import { PROTOCOL } from "../experiments/runs.js";
import {
  PAPER_SEEDS,
  type ScheduleName,
  SETTINGS,
  type Setting,
  trainSettings,
} from "../experiments/schedules.js";
import {
  type DataResult,
  type Table,
  table1,
  table1Rows,
  table2,
  table2Rows,
  table3,
  table3Columns,
} from "../experiments/tables.js";
import { checkOutput, withOutput } from "../files/output.js";
import { examples, threadsOption, wholeNumber } from "./options.js";
import { describePlan, RunDisplay } from "./reproduce-display.js";
import { onEndingSignal } from "./signals.js";

interface Options extends NamedInputs {
  readonly runFolder: string;
  readonly reference?: string[];
  readonly seeds: number;
  readonly schedule: ScheduleName;
  readonly encoder: string;
  readonly steps?: number;
  readonly rate?: number;
  readonly only?: Setting[];
  readonly report?: boolean;
  readonly dryRun?: boolean;
  readonly format: "text" | "markdown";
  readonly json?: boolean;
  readonly out?: string;
  readonly threads?: number;
  readonly checkpointEvery?: number;
}

type TableName = "table1" | "table2" | "table3";

export function build(command: Command): void {
  const names = SETTINGS.map(({ name }) => name).join(", ");
  command
    .addArgument(
      new Argument("<table>", "table1: data sets; table2: F1; table3: recall per label").choices([
        "table1",
        "table2",
        "table3",
      ]),
    )
    .option("--data <folder>", "folder with answers/, links/ and treebanks/")
    .option("--qasrl <files...>", "QA-SRL 1.0, instead of that in --data")
    .option("--wikipedia <files...>", "dumps, articles or Bracketings, instead of those in --data")
    .option("--gold <treebank...>", "gold trees, instead of those in --data")
    .option("--reference <treebank...>", "table1: further trees for the sentences in the data")
    .option(
      "--run-folder <folder>",
      "folder of the runs; a stopped run continues when started again",
      "runs/reproduce",
    )
    .option("--seeds <n>", "number of seeds per setting", wholeNumber(1), PAPER_SEEDS)
    .addOption(
      new Option("--schedule <name>", "paper: 20,000 steps, as in the paper; short: 2,000")
        .choices(["paper", "short"])
        .default("short"),
    )
    .option(
      "--encoder <name>",
      "minilm, a folder, or a name on the Hugging Face hub",
      DEFAULT_ENCODER,
    )
    .option("--steps <n>", "number of training steps, instead of the schedule's", wholeNumber(1))
    .option("--rate <r>", "learning rate, instead of the schedule's", positive)
    .addOption(
      new Option("--only <list>", `only these settings, separated by commas: ${names}`).argParser(
        chosen,
      ),
    )
    .option("--report", "only print the results of finished runs")
    .option("--dry-run", "only list the finished runs and those still to do")
    .addOption(
      new Option("--format <name>", "output format").choices(["text", "markdown"]).default("text"),
    )
    .option("--json", "print JSON")
    .option("-o, --out <file>", "write to a file")
    .addOption(threadsOption())
    .option("--checkpoint-every <n>", "steps between checkpoints", wholeNumber(1))
    .addHelpText(
      "after",
      examples(
        "bracken reproduce table2 --data data/ --seeds 3",
        "bracken reproduce table2 --data data/ --schedule paper --only qasrl-strict --seeds 1",
        "bracken reproduce table3 --data data/ --report --format markdown",
      ),
    )
    .action(run);
}

function positive(text: string): number {
  const value = Number(text);
  if (value > 0 && Number.isFinite(value)) return value;
  throw new InvalidArgumentError("It must be a number above 0.");
}

/** Settings by their names, or by that of their data. */
function chosen(list: string): Setting[] {
  const wanted = list.split(",").map((name) => name.trim());
  for (const name of wanted) {
    if (SETTINGS.some((setting) => setting.name === name || setting.data === name)) continue;
    const known = SETTINGS.map((setting) => setting.name).join(", ");
    throw new InvalidArgumentError(`There is no "${name}"; choose from ${known}.`);
  }
  return SETTINGS.filter(({ name, data }) => wanted.includes(name) || wanted.includes(data));
}

async function run(name: TableName, options: Options): Promise<void> {
  if (options.report && options.dryRun) {
    throw new InputError("--report and --dry-run exclude each other", {}, "leave out one of them");
  }
  await checkOutput(options.out, []);
  if (name === "table1") await runTable1(options);
  else await runScores(name, options);
}

async function runTable1(options: Options): Promise<void> {
  const out = resolve(options.runFolder);
  const gold = options.data || options.gold ? await findInputs("gold", options) : [];
  const reference = [
    ...gold,
    ...(options.reference ? await findInputs("gold", { gold: options.reference }) : []),
  ];
  const recipes: DataRecipe[] = [];
  for (const name of dataNames(options.only ?? SETTINGS)) {
    recipes.push(await dataRecipe(out, options, name, gold));
  }
  if (options.dryRun) return printPlan(await planData(recipes));
  const results: DataResult[] = [];
  for (const recipe of recipes) {
    const data = options.report ? await findData(recipe) : await prepareData(recipe);
    results.push({
      data: recipe.name,
      trainingSentences: data?.trainingSentences,
      statistics: data && (await countData(data, reference, recipe.folder)),
    });
  }
  const notes = [
    ...recipes.map(({ name, files }) => `ours, ${name}: ${files.map(shortName).join(", ")}`),
    reference.length > 0
      ? `reference trees of ours: ${commonName(reference)}; shares are of sentences that have one`
      : "ours has no reference trees (--gold, --reference)",
  ];
  const rows = table1Rows(results);
  const files = Object.fromEntries(recipes.map(({ name, files: own }) => [name, own]));
  await print(table1(rows, notes), { table: 1, files, rows }, options);
}

function shortName(file: string): string {
  return file.split(/[\\/]/).at(-1) ?? file;
}

async function planData(recipes: readonly DataRecipe[]) {
  const plan = [];
  for (const recipe of recipes) plan.push({ recipe, prepared: await findData(recipe) });
  return describePlan(plan, [], 0);
}

async function printPlan(plan: string): Promise<void> {
  await withOutput(undefined, (output) => output.write(`${plan}\n`));
}

async function runScores(name: "table2" | "table3", options: Options): Promise<void> {
  const experiment = await experimentFrom(options);
  const { steps } = trainSettings(experiment.schedule, SETTINGS[0] as Setting, 1);
  const data = options.report ? [] : await findPrepared(experiment);
  if (options.dryRun) return printPlan(describePlan(data, await readRuns(experiment), steps));
  if (!options.report) {
    // First, since they take no time and a report of what is finished has them, too.
    if (name === "table2") await measureBaselines(experiment.out, experiment.gold);
    if (!(await runWatched(experiment, steps))) return;
  }
  await printScores(name, experiment, options);
}

async function experimentFrom(options: Options): Promise<Experiment> {
  const { schedule, encoder, steps, rate, seeds, threads, checkpointEvery } = options;
  const gold = await findInputs("gold", options);
  const settings = options.only ?? SETTINGS;
  return {
    out: resolve(options.runFolder),
    inputs: options,
    gold: await openGold(gold),
    schedule: { name: schedule, encoder, steps, rate },
    settings,
    seeds,
    threads,
    checkpointEvery,
  };
}

/** Runs all that is missing; false if it was stopped. */
async function runWatched(experiment: Experiment, steps: number): Promise<boolean> {
  let stopped = false;
  const signals = onEndingSignal(() => {
    stopped = true;
  });
  const display = new RunDisplay(steps, () => stopped);
  const outcome = await runExperiment(experiment, display);
  signals.release();
  if (outcome.failures > 0 || outcome.stopped) process.exitCode = 1;
  if (!outcome.stopped) return true;
  display.stopped(outcome.stopped.run, outcome.stopped.step);
  return false;
}

async function printScores(
  name: "table2" | "table3",
  experiment: Experiment,
  options: Options,
): Promise<void> {
  const { out, gold, schedule } = experiment;
  const results = collectResults(experiment, await readRuns(experiment));
  const { steps, rate, decay } = trainSettings(schedule, SETTINGS[0] as Setting, 1);
  const baselines = await findBaselines(out, gold);
  const sentences =
    baselines?.sentences ?? results.flatMap(({ runs }) => runs)[0]?.scores.sentences;
  const scored = sentences === undefined ? "" : ` (${sentences} sentences)`;
  const notes = [
    `ours: ${gold.name}${scored}; ${steps} steps, learning rate ${rate}, ${decay} (schedule ${schedule.name})`,
    "the paper: WSJ section 23; BERT-base, 20,000 steps, learning rate 1e-5, constant; five seeds",
  ];
  const common = {
    protocol: PROTOCOL,
    gold: { name: gold.name, sentences, sha256: gold.hash },
    schedule: { ...schedule, steps, rate },
  };
  if (name === "table2") {
    const rows = table2Rows(baselines, results);
    await print(table2(rows, notes), { table: 2, ...common, rows }, options);
  } else {
    const columns = table3Columns(results);
    await print(table3(columns, notes), { table: 3, ...common, columns }, options);
  }
}

async function print(table: Table, json: object, options: Options): Promise<void> {
  const render = options.format === "markdown" ? renderMarkdown : renderText;
  const shown = options.json ? JSON.stringify(json, null, 2) : render(table);
  await withOutput(options.out, (output) => output.write(`${shown}\n`));
}
