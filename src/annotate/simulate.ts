/**
 * Learning curves without people: questions are answered from gold trees, and after so many answers, or so many trees, a
 * parser is trained and measured on other gold trees. This is how ways to choose questions are compared.
 */

import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Bracketing } from "../brackets/record.js";
import { InputError } from "../errors.js";
import { type Evaluation, evaluateStreams } from "../evaluation/evaluate.js";
import type { ProtocolName } from "../evaluation/protocols.js";
import { reportJson } from "../evaluation/report.js";
import { extract } from "../extract/index.js";
import { checkFolder, makeFolder } from "../files/folder.js";
import { identitiesOf } from "../files/identity.js";
import { lockOutput } from "../files/lock.js";
import { writeWhole } from "../files/output.js";
import { claimPlan } from "../files/plan.js";
import { findModel } from "../model/find-model.js";
import { openModel } from "../model/open-model.js";
import { sentenceHash } from "../model/trained-on.js";
import { Random, shuffled } from "../random.js";
import { parseTreebank } from "../runs/parse-treebank.js";
import { readEntries, treebankFiles } from "../treebanks/read-treebank.js";
import { isMissing, type TreebankEntry } from "../trees/penn-reader.js";
import { words } from "../trees/tree.js";
import { type LearnOptions, learn, writeGuard } from "./learn.js";
import { SimulatedAnswers } from "./simulated-answers.js";

/** Ways to learn from gold trees: answers to questions that are chosen or drawn, or whole trees. */
export const STRATEGIES = ["active", "random", "trees"] as const;

/** A way to learn from gold trees. */
export type Strategy = (typeof STRATEGIES)[number];

/** Options of `simulate`. */
export interface SimulateOptions extends LearnOptions {
  /** Gold trees to take answers and trees from. */
  readonly gold: readonly string[];
  /** Gold trees to measure on. */
  readonly test: readonly string[];
  readonly strategies: readonly Strategy[];
  /** After how many answers, or trees, a parser is trained. */
  readonly points: readonly number[];
  /** How many times, with seeds from 1 on. */
  readonly draws: number;
  /** The model to start from; "default" if neither it nor an encoder is given. */
  readonly from?: string | undefined;
  /** An encoder to start from, for trees only. */
  readonly encoder?: string | undefined;
  /** The most sentences to ask about. */
  readonly pool: number;
  /** How many sentences of the pool the model to start from labels, against forgetting; 0 for none. */
  readonly guard: number;
  readonly protocol: ProtocolName;
  /** Other treebanks to measure on, to see what is forgotten. */
  readonly also?: readonly string[] | undefined;
  readonly keepModels?: boolean | undefined;
  /** Called with each result, and with what is done next. */
  readonly onResult?: ((result: SimulatedPoint) => void) | undefined;
  readonly onStage?: ((stage: string) => void) | undefined;
}

/** The score of a parser after some answers or trees. */
export interface SimulatedPoint {
  readonly strategy: Strategy;
  /** The number of the draw, from 1. */
  readonly draw: number;
  /** How many answers or trees it has learnt from. */
  readonly count: number;
  /** The mean F1 of the sentences. */
  readonly f1: number;
  /** The same on each of the other treebanks. */
  readonly also: readonly number[];
}

/**
 * Simulates annotation. Results are kept in the folder, so a run that was stopped goes on.
 *
 * @returns the results; undefined if the run was stopped.
 */
export async function simulate(
  out: string,
  options: SimulateOptions,
): Promise<SimulatedPoint[] | undefined> {
  checkOptions(options);
  await checkFolder(out);
  await makeFolder(out);
  const lock = await lockOutput(out);
  try {
    return await new Simulation(out, options).run();
  } finally {
    await lock.release();
  }
}

function checkOptions({ encoder, from, strategies }: SimulateOptions): void {
  if (encoder === undefined) return;
  const other = strategies.find((strategy) => strategy !== "trees");
  if (from === undefined && other === undefined) return;
  throw new InputError(
    other ? `the strategy ${other} needs a model to ask` : "give a model or an encoder, not both",
    {},
    "use --from MODEL, or --encoder with --strategy trees",
  );
}

class Simulation {
  readonly #out: string;
  readonly #options: SimulateOptions;
  readonly #results: SimulatedPoint[] = [];
  #gold: readonly Bracketing[] = [];
  #trainedOn: ReadonlySet<string> = new Set();

  constructor(out: string, options: SimulateOptions) {
    this.#out = out;
    this.#options = options;
  }

  async run(): Promise<SimulatedPoint[] | undefined> {
    await this.#open();
    const { strategies, draws } = this.#options;
    if (this.#options.encoder === undefined) {
      for (const strategy of strategies) await this.#measureStart(strategy);
    }
    for (const strategy of strategies) {
      for (let draw = 1; draw <= draws; draw++) {
        if (!(await this.#runDraw(strategy, draw))) return undefined;
      }
    }
    return this.#results;
  }

  get #from(): string {
    return this.#options.from ?? "default";
  }

  /** Reads gold trees, and results of an earlier run with the same options. */
  async #open(): Promise<void> {
    const { gold, test, pool, guard, protocol, settings, also = [] } = this.#options;
    const identify = async (names: readonly string[]) => identitiesOf(await treebankFiles(names));
    const start = this.#options.encoder ?? (await openModel(this.#from)).identity;
    const plan = {
      ...{ gold: await identify(gold), test: await identify(test) },
      ...{ start, pool, guard, protocol, settings, also },
    };
    await claimPlan(join(this.#out, "plan.json"), plan, "simulation");
    const records: Bracketing[] = [];
    for await (const record of extract(gold, { source: "trees", maxTokens: 100 })) {
      if (record.tokens.length > 2) records.push(record);
    }
    this.#gold = records;
    const hashes = records.flatMap(({ tokens }) => sentenceHash(tokens) ?? []);
    this.#trainedOn = new Set(hashes);
    const text = await readFile(this.#resultsFile, "utf8").catch(() => "");
    for (const line of text.split("\n").filter((each) => each !== "")) {
      this.#results.push(JSON.parse(line) as SimulatedPoint);
    }
  }

  get #resultsFile(): string {
    return join(this.#out, "results.jsonl");
  }

  #find(strategy: Strategy, draw: number, count: number): SimulatedPoint | undefined {
    return this.#results.find(
      (each) => each.strategy === strategy && each.draw === draw && each.count === count,
    );
  }

  async #measureStart(strategy: Strategy): Promise<void> {
    if (this.#find(strategy, 0, 0)) return;
    const other = this.#results.find(({ count }) => count === 0);
    const scores = other ?? (await this.#measure(await findModel(this.#from)));
    await this.#add({ ...scores, strategy, draw: 0, count: 0 });
  }

  /** False if it was stopped. */
  async #runDraw(strategy: Strategy, draw: number): Promise<boolean> {
    const sentences = shuffled([...this.#gold], new Random(draw));
    const answers =
      strategy === "trees"
        ? undefined
        : new SimulatedAnswers(sentences.slice(0, this.#options.pool), strategy, draw);
    let model = this.#options.encoder === undefined ? await findModel(this.#from) : "";
    for (const count of this.#options.points) {
      if (count > this.#gold.length && !answers) break;
      const folder = join(this.#out, "runs", `${strategy}-${draw}-${count}`);
      const known = this.#find(strategy, draw, count);
      // Answers depend on the models before, so all are needed as long as one of a draw is missing.
      const isLast = this.#options.points.every((each) => this.#find(strategy, draw, each));
      if (isLast) return true;
      this.#options.onStage?.(`${strategy}, draw ${draw}: ${count}`);
      if (answers) await answers.ask(count, model, this.#options.threads);
      const records = answers?.records() ?? sentences.slice(0, count);
      const { finished } = await learn(folder, await this.#lesson(records, draw), this.#options);
      if (!finished) return false;
      model = join(folder, "model");
      if (known) continue;
      await this.#add({ strategy, draw, count, ...(await this.#measure(model)) });
    }
    if (!this.#options.keepModels) await this.#removeModels(strategy, draw);
    return true;
  }

  async #removeModels(strategy: Strategy, draw: number): Promise<void> {
    for (const count of this.#options.points) {
      const folder = join(this.#out, "runs", `${strategy}-${draw}-${count}`);
      await rm(folder, { recursive: true, force: true });
    }
  }

  async #lesson(records: readonly Bracketing[], seed: number) {
    const { encoder, guard, threads } = this.#options;
    if (encoder !== undefined) return { encoder, records, seed };
    if (guard === 0) return { from: this.#from, records, seed };
    const file = join(this.#out, "guard.jsonl");
    await writeGuard(
      file,
      shuffled([...this.#gold], new Random(0)).slice(0, guard),
      this.#from,
      threads,
    );
    return { from: this.#from, records, seed, guard: file };
  }

  async #measure(model: string): Promise<Pick<SimulatedPoint, "f1" | "also">> {
    this.#options.onStage?.("measuring");
    const { test, also = [] } = this.#options;
    const others: number[] = [];
    for (const treebank of also) others.push(await this.#f1(model, [treebank]));
    return { f1: await this.#f1(model, test), also: others };
  }

  /** On trees that nothing was taken from. */
  async #f1(model: string, treebank: readonly string[]): Promise<number> {
    const gold = () => this.#unseen(readEntries(treebank, { skipBad: true }));
    const { protocol, threads } = this.#options;
    const parsed = parseTreebank(model, gold(), { threads, workers: 0 });
    const [evaluation] = await evaluateStreams(gold(), [parsed], protocol);
    return reportJson(evaluation as Evaluation, {}).sentenceF1;
  }

  async *#unseen(entries: AsyncIterable<TreebankEntry>): AsyncGenerator<TreebankEntry> {
    for await (const entry of entries) {
      if (isMissing(entry)) continue;
      const hash = sentenceHash(words(entry.tree));
      if (hash === undefined || !this.#trainedOn.has(hash)) yield entry;
    }
  }

  async #add(result: SimulatedPoint): Promise<void> {
    this.#results.push(result);
    const lines = this.#results.map((each) => `${JSON.stringify(each)}\n`);
    await writeWhole(this.#resultsFile, lines.join(""));
    this.#options.onResult?.(result);
  }
}
