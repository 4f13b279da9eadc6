/** `bracken parse` by parts. */

import type { Checkpoint } from "../files/checkpoint.js";
import { commonLanguage } from "../parser/from-text.js";
import type { RunInput } from "../runs/inputs.js";
import { LazyParser } from "../runs/lazy-parser.js";
import type { ParseSettings } from "../runs/parse-files.js";
import { runParser } from "../runs/parse-run.js";
import { type WriteOptions, writeOutcome } from "../runs/parse-writer.js";
import { unitsOf } from "../runs/units.js";
import type { PartRunner, PlanContext, PlannedJob, WorkContext } from "./jobs.js";
import { describeModels, openModels, openPlannedModels, type PlannedModel } from "./models.js";
import { planLines } from "./plan-lines.js";

export interface ParseJob extends ParseSettings<WriteOptions> {
  readonly command: "parse";
  readonly models: readonly PlannedModel[];
}

/** @throws InputError for inputs that are no files, models that are none, or options that do not fit them. */
export async function planParse(
  inputs: readonly RunInput[],
  names: readonly string[],
  settings: ParseSettings<WriteOptions>,
  context: PlanContext,
): Promise<PlannedJob> {
  const folders = await openModels(names);
  const language = await commonLanguage(folders.map(({ config }) => config));
  await tryOptions(new LazyParser(folders, settings));
  const options = { markup: settings.constrain, language };
  const units = (input: RunInput, parts: Parameters<typeof unitsOf>[1]) =>
    unitsOf(input, parts, options);
  const lines = await planLines(inputs, units, context);
  const job = { command: "parse", models: describeModels(names, folders), ...settings } as const;
  return { job, ...lines };
}

/** Options that do not fit the models are refused now, and not by every worker. */
async function tryOptions(parser: LazyParser): Promise<void> {
  try {
    await parser.parse([{ leaves: [{ word: "a" }, { word: "b" }] }]);
  } finally {
    await parser.close();
  }
}

export async function openParseJob(
  { models, write, constrain, ...settings }: ParseJob,
  { plan, openBytes, threads, models: elsewhere, onNote }: WorkContext,
): Promise<PartRunner> {
  const folders = await openPlannedModels(models, elsewhere);
  const language = await commonLanguage(folders.map(({ config }) => config));
  const parser = new LazyParser(folders, { ...settings, threads, isLong: true });
  const inputs = plan.inputs.map(({ name, format = "text", isGuess }) => ({
    ...{ name, format, isGuess },
  }));
  const { width } = parser;
  return {
    run: async ({ from, to, start }, { write: put, signal }) => {
      let [sentences, problems] = [0, 0];
      const run = { inputs, constrain, language, openBytes, width };
      const part = { stretch: { from, to }, checkpoint: start as Checkpoint | undefined };
      const parse: LazyParser["parse"] = (each) => parser.parse(each, signal);
      for await (const { outcomes, done } of runParser({ ...run, ...part, parse })) {
        signal.throwIfAborted();
        const written = outcomes.map((outcome) => writeOutcome(outcome, write));
        for (const { note } of written) if (note) onNote(note);
        await put(written.map(({ text }) => text).join(""), done);
        sentences += outcomes.length;
        problems += outcomes.filter(({ problem }) => problem !== undefined).length;
      }
      return { sentences, problems };
    },
    close: () => parser.close(),
  };
}
