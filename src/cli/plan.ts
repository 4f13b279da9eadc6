/** `bracken plan`: cuts a large run into parts that any number of machines can do. */

import type { Command } from "commander";
import { Progress } from "../display/progress.js";
import { InputError } from "../errors.js";
import { expandInputs } from "../files/expand-inputs.js";
import { checkFolder } from "../files/folder.js";
import { planDistil } from "../plans/distil-job.js";
import { planExtract } from "../plans/extract-job.js";
import type { PlanContext, PlannedJob } from "../plans/jobs.js";
import { type MadePlan, makePlan } from "../plans/make-plan.js";
import { storeAt } from "../plans/open-plan.js";
import { planParse } from "../plans/parse-job.js";
import { AnyRanges } from "../plans/remote-inputs.js";
import { FolderStore } from "../plans/store.js";
import { addDistilOptions, type DistilFlags } from "./distil.js";
import { addExtractOptions, type ExtractFlags } from "./extract.js";
import { findInputs } from "./inputs.js";
import { examples, wholeNumber } from "./options.js";
import { addParseOptions, type ParseFlags, parseSettings } from "./parse.js";

interface PlanOptions {
  readonly parts: number;
  readonly out: string;
}

/** More than file names have digits for. */
const MOST_PARTS = 999_999;

export function build(command: Command): void {
  const add = (name: string, summary: string) =>
    command.command(name).summary(summary).description(`${summary}.`);
  addPlanOptions(addParseOptions(add("parse", "Plan bracken parse"))).action(parse);
  addPlanOptions(addExtractOptions(add("extract", "Plan bracken extract, for documents"))).action(
    extract,
  );
  addPlanOptions(addDistilOptions(add("distil", "Plan bracken distil"))).action(distil);
  command.addHelpText(
    "after",
    examples(
      "bracken plan parse --lines corpus.txt --parts 400 -o plan/",
      "bracken plan extract wikipedia enwiki-pages-articles.xml.bz2 --parts 200 -o plan/",
      "bracken plan distil sentences.jsonl -m models/teacher --parts 50 -o plan/",
    ),
  );
}

function addPlanOptions(command: Command): Command {
  return command
    .requiredOption(
      "--parts <n>",
      "number of parts, about equal in work",
      wholeNumber(1, MOST_PARTS),
    )
    .requiredOption(
      "-o, --out <folder>",
      "folder for the plan, and for the results of its parts; also s3://bucket/folder",
    );
}

async function parse(names: string[], options: ParseFlags & PlanOptions): Promise<void> {
  await plan(options, async (context) => {
    const inputs = await findInputs(names, options);
    if (inputs.some(({ text }) => text !== undefined)) throw notFile(names);
    return planParse(inputs, options.model, parseSettings(options), context);
  });
}

function notFile(names: readonly string[]): InputError {
  return new InputError("a plan needs files", { file: names[0] }, "write the text to a file first");
}

async function extract(
  source: string,
  names: string[],
  { parts, out, ...flags }: ExtractFlags & PlanOptions,
): Promise<void> {
  await plan({ parts, out }, (context) => planExtract(names, source, flags, context));
}

async function distil(names: string[], options: DistilFlags & PlanOptions): Promise<void> {
  const { model, costFactor, least, maxTokens, labels, english, precision } = options;
  const rules = english ? { english } : {};
  const settings = { costFactor, least, maxTokens, labels, ...rules, precision };
  await plan(options, async (context) =>
    planDistil(await expandInputs(names, [".jsonl"]), model, settings, context),
  );
}

async function plan(
  { parts, out }: PlanOptions,
  planJob: (context: PlanContext) => Promise<PlannedJob>,
): Promise<void> {
  const store = storeAt(out);
  if (store instanceof FolderStore) await checkFolder(out);
  const ranges = new AnyRanges();
  const progress = new Progress({ unit: "MB read" });
  let bytes = 0;
  const onBytes = (count: number) => {
    const before = Math.floor(bytes / 1e6);
    bytes += count;
    progress.advance(Math.floor(bytes / 1e6) - before);
  };
  try {
    const job = await planJob({ openRanges: ranges.open, onBytes });
    if (store instanceof FolderStore) await store.prepare();
    report(await makePlan(store, job, parts), out);
  } finally {
    progress.finish();
    await ranges.close();
  }
}

function report({ parts, inputs, work, wasThere, notes }: MadePlan, out: string): void {
  for (const note of notes) process.stderr.write(`note: ${note}\n`);
  const size = (bytes: number) => `${(bytes / 1e6).toFixed(bytes < 1e8 ? 1 : 0)} MB`;
  const files = inputs.length === 1 ? "1 file" : `${inputs.length} files`;
  const each = size(work / parts.length);
  const what = `${parts.length} parts of about ${each}: ${size(work)} in ${files}`;
  process.stdout.write(`${wasThere ? "this plan already exists: " : ""}${what}\n`);
  process.stdout.write(`next: run bracken work ${out} on as many machines as you like\n`);
}
