/** From data sets and an encoder to a model folder, in one run or several with different seeds. */

import { readFile } from "node:fs/promises";
import { type EncoderFiles, findEncoder, type HubOptions } from "../encoder/index.js";
import { InputError } from "../errors.js";
import { checkFolder } from "../files/folder.js";
import { type Decoding, newModelConfig } from "../model/config.js";
import { saveModel } from "../model/save.js";
import { removeCheckpoints } from "./checkpoint.js";
import { type DataSet, type Example, readDataSet } from "./examples.js";
import { modelCard } from "./model-card.js";
import {
  claimFolder,
  describeRun,
  isRunFinished,
  type RunDescription,
  trainingFolder,
} from "./run-folder.js";
import type { TrainSettings } from "./settings.js";
import { type RunOptions, TrainingRun } from "./trainer.js";

/** Where the encoder comes from, which brackets count, and who is told of progress. */
export interface TrainOptions extends Omit<RunOptions, "onCheckpoint"> {
  readonly encoder?: string | undefined;
  readonly hub?: HubOptions | undefined;
  readonly kinds?: ReadonlySet<string> | undefined;
  /** Keep the last checkpoint of a finished run, so that it can go on with more steps. */
  readonly keepCheckpoint?: boolean | undefined;
}

/** How a training run ended. */
export interface TrainOutcome {
  /** Whether the model is there; otherwise the run was stopped and can go on. */
  readonly finished: boolean;
  readonly step: number;
  /** The share of validation brackets found. */
  readonly bracketRecall: number | undefined;
}

/**
 * Trains a model from Bracketings and writes it to a folder. A run that was stopped goes on.
 *
 * @param data files of Bracketings; `file@weight` mixes several by weight.
 * @param out the folder of the model.
 * @throws InputError if data, encoder or folder do not fit; WorkFailure if training diverges.
 * @example
 * ```ts
 * await train(["answers.jsonl"], "models/mine", PRESETS.small);
 * ```
 */
export async function train(
  data: readonly string[],
  out: string,
  settings: TrainSettings,
  options: TrainOptions = {},
): Promise<TrainOutcome> {
  const { encoder: name = "minilm", hub, kinds } = options;
  await checkFolder(out);
  const encoder = await findEncoder(name, hub);
  const sets: DataSet[] = [];
  for (const argument of data) {
    const { maxTokens, validationShare } = settings;
    sets.push(await readDataSet(argument, { maxTokens, validationShare, kinds }));
  }
  const description = describeRun(name, sets, settings);
  const lock = await claimFolder(out, description);
  try {
    return await trainInto(out, { encoder, sets, description }, options);
  } finally {
    await lock.release();
  }
}

interface TrainInputs {
  readonly encoder: EncoderFiles;
  readonly sets: readonly DataSet[];
  readonly description: RunDescription;
}

async function trainInto(
  out: string,
  { encoder, sets, description }: TrainInputs,
  options: TrainOptions,
): Promise<TrainOutcome> {
  const { settings } = description;
  const folder = trainingFolder(out);
  if (await isRunFinished(out, settings.steps)) {
    return { finished: true, step: settings.steps, bracketRecall: undefined };
  }
  const decoding = decodingFor(settings, sets);
  const shape = { decoding, ...settings.model } as const;
  const config = newModelConfig(await readPublished(encoder), shape, encoder.config);
  const { tokenizer, weights } = encoder;
  const save = (run: TrainingRun, bracketRecall?: number) =>
    saveModel(out, {
      config,
      parameters: run.store.parameters,
      weight: (parameter) => run.weight(parameter),
      tokenizer,
      card: modelCard(description, run.step, bracketRecall),
    });
  const run = await TrainingRun.open(
    { config, tokenizer, weights, sets, settings, folder },
    { ...options, onCheckpoint: (begun) => save(begun) },
  );
  await run.run();
  if (!run.isFinished) return { finished: false, step: run.step, bracketRecall: undefined };
  const bracketRecall = (await run.bracketRecall())?.found;
  await save(run, bracketRecall);
  if (!options.keepCheckpoint) await removeCheckpoints(folder);
  return { finished: true, step: run.step, bracketRecall };
}

/**
 * The ramp loss teaches only which tree is best, the soft loss probabilities, and the phrase loss which
 * spans are phrases. Soft labels of teachers without phrase probabilities do not teach those.
 */
function decodingFor({ loss, phraseWeight }: TrainSettings, sets: readonly DataSet[]): Decoding {
  if (loss === "ramp") return "best";
  const tellsPhrases = (each: Example) => !each.isSoft || each.phraseProbabilities !== undefined;
  return phraseWeight > 0 && sets.some(({ examples }) => examples.some(tellsPhrases))
    ? "phrases"
    : "risk";
}

async function readPublished(encoder: EncoderFiles): Promise<Record<string, unknown>> {
  try {
    return JSON.parse(await readFile(encoder.config, "utf8")) as Record<string, unknown>;
  } catch (error) {
    throw new InputError(
      (error as Error).message,
      { file: encoder.config },
      "check the encoder's folder",
    );
  }
}
