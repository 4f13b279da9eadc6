/** Trains a model folder from data sets, and an encoder or a trained model. */

import { rm } from "node:fs/promises";
import type { HubOptions } from "../encoder/index.js";
import { InputError } from "../errors.js";
import { checkFolder } from "../files/folder.js";
import type { ModelConfig } from "../model/config.js";
import { saveModel } from "../model/save.js";
import { sentenceHash } from "../model/trained-on.js";
import { removeCheckpoints } from "./checkpoint.js";
import { type DataSet, readDataSet } from "./examples.js";
import { checkFreeze } from "./freeze.js";
import { checkInduced, induceSets } from "./induced-sets.js";
import { modelCard } from "./model-card.js";
import {
  claimFolder,
  describeRun,
  isRunFinished,
  type RunDescription,
  trainingFolder,
} from "./run-folder.js";
import type { TrainSettings } from "./settings.js";
import { type Start, startFromEncoder, startFromModel } from "./start.js";
import { type RunOptions, TrainingRun } from "./trainer.js";

/** Options of `train`. */
export interface TrainOptions extends Omit<RunOptions, "onCheckpoint"> {
  /** `minilm` (the default), a folder, or a name on the Hugging Face hub. */
  readonly encoder?: string | undefined;
  /**
   * A trained parser to start from, in place of an encoder: a folder, or the name of a bundled model. The new model has
   * its shape and its language. The preset `continue` has settings for it.
   */
  readonly from?: string | undefined;
  /** How the encoder is fetched from the hub. */
  readonly hub?: HubOptions | undefined;
  /** Learn only from brackets of these kinds; by default from all. */
  readonly kinds?: ReadonlySet<string> | undefined;
  /** Keep the last checkpoint of a finished run, so that it can continue with more steps. */
  readonly keepCheckpoint?: boolean | undefined;
  /** Called with messages for the user. */
  readonly onNote?: ((note: string) => void) | undefined;
}

/** How a training run ended. */
export interface TrainOutcome {
  /** Whether the model is finished. If not, the run was stopped and can be continued. */
  readonly finished: boolean;
  /** The last step. */
  readonly step: number;
  /** The share of validation brackets that are spans of the model's trees. */
  readonly bracketRecall: number | undefined;
}

/**
 * Trains a model from Bracketings and writes it to a folder. A run that was stopped continues when you call it
 * again with the same arguments.
 *
 * @param data files of Bracketings; `file@weight` mixes several by weight.
 * @param out the folder of the model.
 * @param settings usually a preset, with changes.
 * @throws InputError if the data, the encoder, the model to start from or the folder cannot be used.
 * @throws WorkFailure if training diverges.
 * @example
 * ```ts no-run
 * import { PRESETS, train } from "bracken/train";
 *
 * const settings = { ...PRESETS.small, steps: 4000 };
 * const { bracketRecall } = await train(["answers.jsonl@3", "links.jsonl"], "models/mine", settings, {
 *   onRecord: ({ step, loss }) => console.log(step, loss),
 * });
 * console.log(bracketRecall);
 * ```
 */
export async function train(
  data: readonly string[],
  out: string,
  settings: TrainSettings,
  options: TrainOptions = {},
): Promise<TrainOutcome> {
  await checkFolder(out);
  const inputs = await readInputs(data, settings, options);
  const lock = await claimFolder(out, inputs.description);
  try {
    return await trainInto(out, inputs, options);
  } finally {
    await lock.release();
  }
}

/**
 * The seconds that a training step takes with this data and these settings, to plan a run by time.
 *
 * @param folder a folder for the trial, which is removed.
 */
export async function timeTraining(
  data: readonly string[],
  folder: string,
  settings: TrainSettings,
  options: TrainOptions = {},
): Promise<number> {
  const { description: _, ...inputs } = await readInputs(data, settings, options);
  try {
    const run = await TrainingRun.open({ ...inputs, settings, folder }, options);
    return await run.timeSteps(TRIAL_STEPS);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The first steps are slow, because memory is taken; the median is not among them. */
const TRIAL_STEPS = 9;

async function readInputs(
  data: readonly string[],
  settings: TrainSettings,
  options: TrainOptions,
): Promise<TrainInputs> {
  const start = await startOf(settings, options);
  const { kinds } = options;
  const { maxTokens, validationShare } = settings;
  const sets: DataSet[] = [];
  for (const argument of data) {
    const isInduced = settings.inducedLabels !== undefined;
    sets.push(await readDataSet(argument, { maxTokens, validationShare, kinds, isInduced }));
  }
  checkInduced(settings, sets);
  const config = start.configFor(settings, sets);
  checkFreeze(settings, config);
  return { start, config, sets, description: describeRun(start.origin, sets, settings) };
}

function startOf({ model }: TrainSettings, { encoder, from, hub }: TrainOptions): Promise<Start> {
  if (from === undefined) return startFromEncoder(encoder ?? "minilm", hub);
  if (encoder === undefined) return startFromModel(from, model);
  throw new InputError(
    "the model to start from has its own encoder, so --encoder cannot be used",
    { file: from },
    "leave out --encoder or --from",
  );
}

interface TrainInputs {
  readonly start: Start;
  readonly config: ModelConfig;
  readonly sets: readonly DataSet[];
  readonly description: RunDescription;
}

async function trainInto(
  out: string,
  { start, config, sets, description }: TrainInputs,
  options: TrainOptions,
): Promise<TrainOutcome> {
  const { settings } = description;
  const folder = trainingFolder(out);
  // With a checkpoint of the last step the model may still be that of an earlier one: it is saved again.
  if (await isRunFinished(out)) {
    return { finished: true, step: settings.steps, bracketRecall: undefined };
  }
  const labelled = await induceSets(out, { sets, start, config, settings }, options);
  if (!labelled) return { finished: false, step: 0, bracketRecall: undefined };
  const trainedOn = new Set([...start.trainedOn, ...goldSentences(sets)]);
  const save = (run: TrainingRun, bracketRecall?: number) =>
    saveModel(out, {
      config,
      parameters: run.store.parameters,
      weight: (parameter) => run.weight(parameter),
      tokenizer: start.tokenizer,
      card: modelCard(description, { step: run.step, bracketRecall, trees: trainedOn.size }),
      trainedOn,
    });
  const run = await TrainingRun.open(
    { config, start, sets: labelled, settings, folder },
    { ...options, onCheckpoint: (begun) => save(begun) },
  );
  await run.run();
  if (!run.isFinished) return { finished: false, step: run.step, bracketRecall: undefined };
  const bracketRecall = (await run.bracketRecall())?.found;
  await save(run, bracketRecall);
  if (!options.keepCheckpoint) await removeCheckpoints(folder);
  return { finished: true, step: run.step, bracketRecall };
}

/** Sentences for validation as well: whoever gave their trees to a run does not mean to measure on them. */
function goldSentences(sets: readonly DataSet[]): string[] {
  return sets.flatMap(({ examples, validation }) =>
    [...examples, ...validation].flatMap(({ words, complete }) => {
      const hash = complete ? sentenceHash(words) : undefined;
      return hash === undefined ? [] : [hash];
    }),
  );
}
