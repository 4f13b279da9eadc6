/** Plans whose parts are the lines of a file, and workers that only pretend to parse: they copy them. */

import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CutPlaces } from "../../src/plans/cut.js";
import { locate, readThrough } from "../../src/plans/inputs.js";
import type { PartRunner, PlannedJob } from "../../src/plans/jobs.js";
import type { Part } from "../../src/plans/plan.js";
import { CONTEXT, writeParts } from "./run-plan.js";

/** Makes a plan with a part for each line, in a folder of its own below this one. */
export async function makeLinePlan(root: string, lines = 6): Promise<string> {
  const folder = mkdtempSync(join(root, "plan-"));
  const name = join(folder, "input.txt");
  writeFileSync(name, Array.from({ length: lines }, (_, at) => `line ${at}\n`).join(""));
  const at = await locate(name);
  const read = await readThrough(at, CONTEXT, async () => {});
  const places = new CutPlaces();
  for (let line = 0; line < lines; line++)
    places.add({ input: 0, position: line * 7, before: line * 7 });
  const inputs = [{ name, at, ...read, size: read.bytes }];
  const options = { costFactor: 3, least: 0.02, maxTokens: 100, precision: "fp32" } as const;
  const job: PlannedJob = {
    ...{ inputs, places, work: lines * 7 },
    job: { command: "distil", models: [], ...options },
  };
  await writeParts(join(folder, "plan"), job, lines);
  return join(folder, "plan");
}

export const textOf = ({ part }: Pick<Part, "part">) => `line ${part - 1}\n`;

/** Writes the part's text; `before` is called first and may fail or wait. */
export function pretender(before: (part: Part) => Promise<void> | void = () => {}): PartRunner {
  return {
    run: async (part, { write, signal }) => {
      await before(part);
      signal.throwIfAborted();
      await write(textOf(part), { ...part.from, count: 1 });
      return { sentences: 1 };
    },
    close: async () => {},
  };
}

export const expectedLines = (lines = 6) =>
  Array.from({ length: lines }, (_, at) => `line ${at}\n`).join("");
