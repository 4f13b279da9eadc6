/** `bracken parse` by parts. */

import type { Checkpoint } from "../files/checkpoint.js";
import { AUTO, parseCode } from "../languages/codes.js";
import { commonLanguage } from "../parser/from-text.js";
import { tellParts } from "../runs/input-language.js";
import type { RunInput } from "../runs/inputs.js";
import { LanguageNotes } from "../runs/language-notes.js";
import type { ParseSettings } from "../runs/parse-files.js";
import { runParser } from "../runs/parse-run.js";
import { type WriteOptions, writeOutcome } from "../runs/parse-writer.js";
import { configsOf, openRoutes, RoutedParser, routeNames } from "../runs/routes.js";
import { unitsOf } from "../runs/units.js";
import type { PartRunner, PlanContext, PlannedJob, WorkContext } from "./jobs.js";
import { describeModels, openPlannedModels, type PlannedModel } from "./models.js";
import { planLines } from "./plan-lines.js";

export interface ParseJob extends ParseSettings<WriteOptions> {
  readonly command: "parse";
  readonly models: readonly PlannedModel[];
  /** Whether each model parses the texts in its own languages, instead of all together. */
  readonly routed?: boolean | undefined;
}

/** @throws InputError for inputs that are no files, models that are none, or options that do not fit them. */
export async function planParse(
  inputs: readonly RunInput[],
  named: readonly string[] | undefined,
  settings: ParseSettings<WriteOptions>,
  context: PlanContext,
): Promise<PlannedJob> {
  const names = routeNames(named);
  const routes = await openRoutes(names);
  const language = await commonLanguage(configsOf(routes[0] ?? []));
  await tryOptions(new RoutedParser(routes, settings));
  const asked = settings.language ?? AUTO;
  /** In the order of the inputs, which are read one after the other. */
  const told: (string | undefined)[] = [];
  async function* units(input: RunInput, bytes: Parameters<typeof unitsOf>[1]) {
    const { language: found, parts } = await tellParts(bytes, input.format);
    const code = asked === AUTO ? found : parseCode(asked);
    told.push(code);
    yield* unitsOf({ ...input, language: code }, parts, { markup: settings.constrain, language });
  }
  const lines = await planLines(inputs, units, context);
  const models = describeModels(names.flat(), routes.flat());
  const routed = names.length > 1 ? { routed: true } : {};
  const job = { command: "parse", models, ...routed, ...settings } as const;
  const planned = lines.inputs.map((input, index) => ({ ...input, language: told[index] }));
  return { job, ...lines, inputs: planned };
}

/** Options that do not fit the models are refused now, and not by every worker. */
async function tryOptions(parser: RoutedParser): Promise<void> {
  try {
    await parser.parse([{ leaves: [{ word: "a" }, { word: "b" }] }]);
  } finally {
    await parser.close();
  }
}

export async function openParseJob(
  { models, routed, write, constrain, ...settings }: ParseJob,
  { plan, openBytes, threads, models: elsewhere, onNote }: WorkContext,
): Promise<PartRunner> {
  const folders = await openPlannedModels(models, elsewhere);
  const routes = routed ? folders.map((folder) => [folder]) : [folders];
  const language = await commonLanguage(configsOf(routes[0] ?? []));
  const parser = new RoutedParser(routes, { ...settings, threads, isLong: true });
  const notes = new LanguageNotes(routes, (settings.language ?? AUTO) !== AUTO);
  const inputs = plan.inputs.map(({ name, format = "text", isGuess, language: told }) => ({
    ...{ name, format, isGuess, language: told },
  }));
  const { width } = parser;
  return {
    run: async ({ from, to, start }, { write: put, signal }) => {
      let [sentences, problems] = [0, 0];
      const run = { inputs, constrain, language, openBytes, width };
      const part = { stretch: { from, to }, checkpoint: start as Checkpoint | undefined };
      const parse: RoutedParser["parse"] = (each) => parser.parse(each, signal);
      for await (const { outcomes, done } of runParser({ ...run, ...part, parse })) {
        signal.throwIfAborted();
        const written = outcomes.map((outcome) => writeOutcome(outcome, write));
        const note = notes.join(outcomes, written);
        if (note) onNote(note);
        await put(written.map(({ text }) => text).join(""), done);
        sentences += outcomes.length;
        problems += outcomes.filter(({ problem }) => problem !== undefined).length;
      }
      return { sentences, problems };
    },
    close: () => parser.close(),
  };
}
