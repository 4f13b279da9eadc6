/** Trains a model folder from data sets and an encoder. */

import { readFile } from "node:fs/promises";
import { type EncoderFiles, findEncoder, type HubOptions } from "../encoder/index.js";
import { InputError } from "../errors.js";
import { checkFolder } from "../files/folder.js";
import { type Decoding, newModelConfig } from "../model/config.js";
import { saveModel } from "../model/save.js";
import { NO_PHRASE } from "../trees/labels.js";
import { removeCheckpoints } from "./checkpoint.js";
import { type DataSet, type Example, type LabelledSpan, readDataSet } from "./examples.js";
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

/** Options of `train`. */
export interface TrainOptions extends Omit<RunOptions, "onCheckpoint"> {
  /** `minilm` (the default), a folder, or a name on the Hugging Face hub. */
  readonly encoder?: string | undefined;
  /** How the encoder is fetched from the hub. */
  readonly hub?: HubOptions | undefined;
  /** Learn only from brackets of these kinds; by default from all. */
  readonly kinds?: ReadonlySet<string> | undefined;
  /** Keep the last checkpoint of a finished run, so that it can continue with more steps. */
  readonly keepCheckpoint?: boolean | undefined;
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
 * @throws InputError if the data, the encoder or the folder cannot be used.
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
  // With a checkpoint of the last step the model may still be that of an earlier one: it is saved again.
  if (await isRunFinished(out)) {
    return { finished: true, step: settings.steps, bracketRecall: undefined };
  }
  const decoding = decodingFor(settings, sets);
  const labels = settings.labelWeight > 0 ? labelClasses(sets) : undefined;
  const shape = { decoding, ...(labels ? { labels } : {}), ...settings.model } as const;
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
 * The ramp loss teaches only which tree is best. The soft loss teaches probabilities, and the phrase loss teaches
 * which spans are phrases. Soft labels from teachers without phrase probabilities do not teach those.
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

/** The labels that the data votes for, the most frequent first; undefined if there are none. */
function labelClasses(sets: readonly DataSet[]): { classes: string[] } | undefined {
  const counts = new Map<string, number>();
  for (const { votes } of sets.flatMap(({ examples }) => examples).flatMap(labelledOf)) {
    for (const label of Object.keys(votes)) counts.set(label, (counts.get(label) ?? 0) + 1);
  }
  counts.delete(NO_PHRASE);
  if (counts.size === 0) return undefined;
  const labels = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return { classes: [NO_PHRASE, ...labels.map(([label]) => label)] };
}

function labelledOf({ labelled = [] }: Example): readonly LabelledSpan[] {
  return labelled;
}
