/** `bracken distil` by parts. */

import type { Checkpoint } from "../files/checkpoint.js";
import { type Part as InputPart, LONGEST_LINE } from "../files/input.js";
import { type LineStart, splitParts } from "../files/lines.js";
import type { Precision } from "../model/config.js";
import { checkTeachers, distilSteps, loadTeachers } from "../training/distil.js";
import type { SoftLabelOptions } from "../training/soft-labels.js";
import type { PartRunner, PlanContext, PlannedJob, WorkContext } from "./jobs.js";
import { describeModels, openModels, openPlannedModels, type PlannedModel } from "./models.js";
import { type LineInput, planLines } from "./plan-lines.js";

export interface DistilSettings extends SoftLabelOptions {
  readonly maxTokens: number;
  readonly precision: Precision;
}

export interface DistilJob extends DistilSettings {
  readonly command: "distil";
  readonly models: readonly PlannedModel[];
}

export async function planDistil(
  files: readonly string[],
  names: readonly string[],
  settings: DistilSettings,
  context: PlanContext,
): Promise<PlannedJob> {
  const folders = await openModels(names);
  await checkTeachers(folders, settings);
  const inputs = files.map((name): LineInput => ({ name }));
  const lines = await planLines(inputs, (_, parts) => unitsOf(parts), context);
  const job = { command: "distil", models: describeModels(names, folders), ...settings } as const;
  return { job, ...lines };
}

/** Each line is read by itself. */
async function* unitsOf(
  parts: AsyncIterable<InputPart>,
): AsyncGenerator<{ position: number; start: LineStart }[]> {
  for await (const pieces of splitParts(parts, LONGEST_LINE)) {
    yield pieces
      .filter(({ begins }) => begins)
      .map((piece) => ({ position: piece.position, start: piece }));
  }
}

export async function openDistilJob(
  { models, ...settings }: DistilJob,
  { plan, openBytes, threads, models: elsewhere }: WorkContext,
): Promise<PartRunner> {
  const folders = await openPlannedModels(models, elsewhere);
  const teachers = await loadTeachers(folders, { threads, precision: settings.precision });
  const files = plan.inputs.map(({ name }) => name);
  return {
    run: async ({ from, to, start }, { write, signal }) => {
      const checkpoint = start as Checkpoint | undefined;
      const run = { files, openBytes, checkpoint, stretch: { from, to } };
      let sentences = 0;
      for await (const step of distilSteps(teachers, run, settings)) {
        signal.throwIfAborted();
        await write(step.lines, step.done);
        sentences += step.sentences;
      }
      return { sentences };
    },
    close: async () => {
      await Promise.all(teachers.map((teacher) => teacher.close()));
    },
  };
}
