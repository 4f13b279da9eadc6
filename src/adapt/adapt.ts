/**
 * From documents to a parser of one's own: gathers what people marked in the documents, lets the model to start from
 * label all their sentences, trains on both, and compares the new parser with the old one on what was held back. The
 * model's own labels keep it from forgetting what it knew. Every step leaves its result in a file, so that a run that was
 * stopped goes on.
 */

import { createHash } from "node:crypto";
import { copyFile, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { InputError } from "../errors.js";
import { checkFolder, makeFolder } from "../files/folder.js";
import { identitiesOf } from "../files/identity.js";
import { lockOutput } from "../files/lock.js";
import { writeWhole } from "../files/output.js";
import { claimPlan } from "../files/plan.js";
import { readSaved } from "../files/saved-json.js";
import { isModelFolder } from "../model/find-model.js";
import { ModelFolder } from "../model/folder.js";
import { openModel } from "../model/open-model.js";
import { copyModel } from "../model/save.js";
import { distil } from "../training/distil.js";
import { parseLog, type StepRecord } from "../training/log-record.js";
import { PRESETS, type TrainSettings } from "../training/settings.js";
import { timeTraining, train } from "../training/train.js";
import { treebankFiles } from "../treebanks/read-treebank.js";
import { type ChangedTree, compareParsers, compareWithGold } from "./compare.js";
import { documentFiles } from "./documents.js";
import { type AdaptData, type AdaptInputs, gather, naturalBrackets, partFile } from "./gather.js";
import { type AdaptReport, isWorse } from "./report.js";
import { adaptHtml } from "./report-html.js";

/** The stages of an adaptation, in order. */
export type AdaptStage = "reading" | "labelling" | "timing" | "training" | "comparing";

/** Options of `adapt`. */
export interface AdaptOptions {
  /** The model to start from: a folder or the name of a bundled model; by default the bundled English model. */
  readonly from?: string | undefined;
  /** How long it may take; 15 minutes by default. */
  readonly minutes?: number | undefined;
  /** The number of training steps, in place of a time. */
  readonly steps?: number | undefined;
  /** Gold trees to learn from as well: files, folders or patterns. */
  readonly trees?: readonly string[] | undefined;
  /** Older text on which the parser should stay as it is: documents or Bracketings. */
  readonly keep?: readonly string[] | undefined;
  /** The share of sentences that is held back to measure on; 0.1 by default. */
  readonly heldBack?: number | undefined;
  /** The source of the documents; by default each file is recognised. */
  readonly source?: string | undefined;
  /** Settings of the training that differ from the preset `continue`. */
  readonly settings?: Partial<Omit<TrainSettings, "model" | "seed" | "steps">> | undefined;
  /** The seed of all random numbers; 1 by default. */
  readonly seed?: number | undefined;
  /** The number of threads. */
  readonly threads?: number | undefined;
  /** Called at the beginning of each stage; `note` says more about it. */
  readonly onStage?: ((stage: AdaptStage, note: string) => void) | undefined;
  /** Called when the number of steps is known, and with each record of the training log. */
  readonly onRecord?: ((record: StepRecord, steps: number) => void) | undefined;
  /** Called after each training step. If it returns true, the run saves a checkpoint and ends early. */
  readonly isStopped?: (() => boolean) | undefined;
}

/** How much each data set counts beside the others. */
const WEIGHTS = { bracketed: 1, soft: 1, trees: 1, keep: 0.5 } as const;

/** The teacher's scores change so much where people's brackets contradict them; as in `bracken distil`. */
const SOFT_LABELS = { costFactor: 3, least: 0.02, maxTokens: 100 } as const;

const [FEWEST_STEPS, MOST_STEPS] = [20, 3_000];

/** The share of the time that is left for comparing the parsers. */
const FOR_COMPARING = 0.1;

/** What a run is made of. */
const PLAN = "plan.json";

const MOST_EXAMPLES = 12;
const LONGEST_EXAMPLE = 30;

/**
 * Adapts a model to documents. A run that was stopped continues when you call it again with the same arguments.
 *
 * @param documents Markdown, HTML, wikitext, dumps of wikis, plain text or Bracketings: files, folders or patterns.
 * @param out the folder of the new model; it has the old model if the new one is worse.
 * @returns the report, which is also written to the folder; undefined if the run was stopped.
 * @throws InputError if the inputs, the model or the folder cannot be used.
 * @example
 * ```ts no-run
 * import { adapt } from "bracken/adapt";
 *
 * const report = await adapt(["docs/"], "models/mine", { minutes: 15 });
 * if (report) console.log(report.kept, report.heldBack.before, report.heldBack.after);
 * ```
 */
export async function adapt(
  documents: readonly string[],
  out: string,
  options: AdaptOptions = {},
): Promise<AdaptReport | undefined> {
  await checkFolder(out);
  const { trees = [], keep = [], heldBack = 0.1, seed = 1, source, threads } = options;
  const inputs: AdaptInputs = {
    files: await documentFiles(documents, options),
    trees: trees.length > 0 ? await treebankFiles(trees) : [],
    keep: keep.length > 0 ? await documentFiles(keep, {}) : [],
    ...{ heldBack, seed, source, threads },
  };
  const name = options.from ?? "default";
  const from = await openModel(name);
  const folder = join(out, "adapt");
  await checkNew(out, folder);
  await makeFolder(folder);
  const lock = await lockOutput(folder);
  try {
    await claimPlan(join(folder, PLAN), await describe(inputs, from, options), "adaptation");
    return await new Adaptation(out, folder, { inputs, name, from }, options).run();
  } finally {
    await lock.release();
  }
}

/** A model that is in the folder already would be lost. */
async function checkNew(out: string, folder: string): Promise<void> {
  const isThere = (file: string) =>
    stat(file).then(
      () => true,
      () => false,
    );
  if (!(await isModelFolder(out)) || (await isThere(join(folder, PLAN)))) return;
  throw new InputError(
    "this folder already has a model",
    { file: out },
    `choose another --out; to start from it, use --from ${out}`,
  );
}

interface AdaptationInputs {
  readonly inputs: AdaptInputs;
  readonly name: string;
  readonly from: ModelFolder;
}

class Adaptation {
  readonly #out: string;
  readonly #folder: string;
  readonly #made: AdaptationInputs;
  readonly #options: AdaptOptions;
  readonly #started = performance.now();

  constructor(out: string, folder: string, made: AdaptationInputs, options: AdaptOptions) {
    this.#out = out;
    this.#folder = folder;
    this.#made = made;
    this.#options = options;
  }

  async run(): Promise<AdaptReport | undefined> {
    const done = await readSaved<AdaptReport>(this.#file("report.json"));
    if (done) return done;
    const { inputs, from } = this.#made;
    this.#options.onStage?.("reading", `${inputs.files.length} documents`);
    const data = await gather(this.#folder, inputs, from.config);
    const sets = await this.#dataSets(data);
    const settings = await this.#settings(sets);
    this.#options.onStage?.("training", `${settings.steps} steps`);
    const trained = await train(sets, this.#file("model"), settings, {
      ...this.#trainOptions,
      isStopped: this.#options.isStopped,
      onRecord: (record) => this.#options.onRecord?.(record, settings.steps),
    });
    if (!trained.finished) return undefined;
    this.#options.onStage?.("comparing", `with ${this.#made.name}`);
    const report = await this.#compare(data, settings);
    await this.#finish(report);
    return report;
  }

  #file(name: string): string {
    return join(this.#folder, name);
  }

  get #seconds(): number {
    return (performance.now() - this.#started) / 1000;
  }

  get #trainOptions() {
    return { from: this.#made.name, threads: this.#options.threads };
  }

  /** The data sets with their weights; the model's own labels are made first. */
  async #dataSets(data: AdaptData): Promise<string[]> {
    const file = (part: Parameters<typeof partFile>[1]) => partFile(this.#folder, part);
    const sets: string[] = [];
    if (data.bracketed.length > 0) sets.push(`${file("bracketed")}@${WEIGHTS.bracketed}`);
    if (data.trees.length > 0) sets.push(`${file("trees")}@${WEIGHTS.trees}`);
    if (data.bracketed.length + data.bare.length > 0) {
      const soft = await this.#softLabels([file("bracketed"), file("bare")], "soft.jsonl");
      sets.push(`${soft}@${WEIGHTS.soft}`);
    }
    if (data.keep.length > 0) {
      sets.push(`${await this.#softLabels([file("keep")], "keep-soft.jsonl")}@${WEIGHTS.keep}`);
    }
    return sets;
  }

  async #softLabels(files: readonly string[], name: string): Promise<string> {
    this.#options.onStage?.("labelling", `sentences with ${this.#made.name}`);
    const { threads } = this.#options;
    await distil(files, [this.#made.from], this.#file(name), { ...SOFT_LABELS, threads });
    return this.#file(name);
  }

  /** As many steps as the time allows; they are written down, so that a run that goes on has the same number. */
  async #settings(sets: readonly string[]): Promise<TrainSettings> {
    const { seed = 1, minutes = 15 } = this.#options;
    const settings: TrainSettings = {
      ...PRESETS.continue,
      validationShare: 0,
      ...this.#options.settings,
      seed,
    };
    const known = this.#options.steps ?? (await readSaved<number>(this.#file("steps.json")));
    const steps = known ?? (await this.#stepsWithin(minutes * 60, sets, settings));
    await writeWhole(this.#file("steps.json"), `${JSON.stringify(steps)}\n`);
    return { ...settings, steps, warmup: Math.min(settings.warmup, Math.ceil(steps / 10)) };
  }

  async #stepsWithin(
    seconds: number,
    sets: readonly string[],
    settings: TrainSettings,
  ): Promise<number> {
    this.#options.onStage?.("timing", "a few steps");
    const trial = this.#file("trial");
    const step = await timeTraining(sets, trial, settings, this.#trainOptions);
    const left = seconds * (1 - FOR_COMPARING) - this.#seconds;
    return Math.min(MOST_STEPS, Math.max(FEWEST_STEPS, Math.floor(left / step)));
  }

  async #compare(data: AdaptData, { steps }: TrainSettings): Promise<AdaptReport> {
    const { inputs, name, from } = this.#made;
    const models = { before: from.folder, after: this.#file("model") };
    const options = { threads: this.#options.threads };
    const { brackets, trees, changed } = await compareParsers(models, data.heldBack, options);
    const gold =
      data.heldBackTrees.length > 0
        ? await compareWithGold(models, data.heldBackTrees, options)
        : undefined;
    const keep =
      data.heldBackKeep.length > 0
        ? await compareParsers(models, data.heldBackKeep, options)
        : undefined;
    const report = { heldBack: brackets, gold };
    return {
      from: { name, sha256: createHash("sha256").update(from.identity).digest("hex") },
      counts: {
        documents: inputs.files.length,
        bracketed: data.bracketed.length,
        brackets: data.bracketed.reduce((sum, each) => sum + naturalBrackets(each).length, 0),
        bare: data.bare.length,
        trees: data.trees.length,
        keep: data.keep.length,
      },
      steps,
      seconds: this.#seconds,
      ...report,
      trees,
      ...(keep ? { keep: { brackets: keep.brackets, trees: keep.trees } } : {}),
      kept: isWorse(report) ? "old" : "new",
      examples: chooseExamples(changed),
    };
  }

  /** The report comes last: with it the run is done. */
  async #finish(report: AdaptReport): Promise<void> {
    const made = this.#file("model");
    const kept = report.kept === "new" ? await ModelFolder.open(made) : this.#made.from;
    await copyModel(kept, this.#out);
    const log = join(made, "training/log.jsonl");
    if (report.kept === "new") {
      await makeFolder(join(this.#out, "training"));
      for (const file of ["settings.json", "log.jsonl"]) {
        await copyFile(join(made, "training", file), join(this.#out, "training", file));
      }
    } else {
      await rm(join(this.#out, "training"), { recursive: true, force: true });
    }
    const records = parseLog(await readFile(log, "utf8"));
    await writeWhole(join(this.#out, "report.html"), adaptHtml(report, this.#out, records));
    await writeWhole(this.#file("report.json"), `${JSON.stringify(report, null, 2)}\n`);
  }
}

/** Where held-back brackets were gained or lost, then others; short sentences, whose trees can be drawn. */
function chooseExamples(changed: readonly ChangedTree[]): ChangedTree[] {
  const rank = ({ gained, lost }: ChangedTree) => (gained.length + lost.length > 0 ? 0 : 1);
  return changed
    .filter(({ words }) => words.length <= LONGEST_EXAMPLE)
    .sort((a, b) => rank(a) - rank(b) || a.words.length - b.words.length)
    .slice(0, MOST_EXAMPLES);
}

/** What must be the same for a run to go on. */
async function describe(
  { files, trees, keep, heldBack, seed, source }: AdaptInputs,
  from: ModelFolder,
  { minutes, steps, settings }: AdaptOptions,
): Promise<object> {
  const identify = async (names: readonly string[]) => {
    const identities = await identitiesOf(names);
    return names.map((name, at) => [name, identities?.[at] ?? null]);
  };
  return {
    documents: await identify(files),
    trees: await identify(trees),
    keep: await identify(keep),
    from: from.identity,
    options: { minutes, steps, heldBack, seed, source, settings },
  };
}
