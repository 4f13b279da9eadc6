/**
 * One training run: draws batches, runs forward and backward, steps the optimiser, and writes the log, checkpoints
 * and finally the model. A run that was stopped continues from its last checkpoint and ends with the same bits as
 * an uninterrupted one.
 */

import { join } from "node:path";
import { makeBatch } from "../encoder/batch.js";
import { readWordPieces } from "../encoder/files.js";
import { packBatch } from "../encoder/pack.js";
import { isPretrained } from "../encoder/weights.js";
import type { WordPieces } from "../encoder/wordpiece.js";
import { WorkFailure } from "../errors.js";
import { makeFolder } from "../files/folder.js";
import type { ModelConfig } from "../model/config.js";
import { modelTape, SCORES } from "../model/graph.js";
import { SpanModel } from "../model/span-model.js";
import { Random } from "../random.js";
import type { SessionOptions } from "../tensor/index.js";
import { clipScale, compileTraining, ParameterStore, TrainingSession } from "../tensor/train.js";
import { type BracketRecall, measureBracketRecall } from "./bracket-recall.js";
import { type CheckpointState, loadCheckpoint, saveCheckpoint } from "./checkpoint.js";
import type { DataSet, Example } from "./examples.js";
import { isFrozen } from "./freeze.js";
import { TrainingLog } from "./log.js";
import type { StepRecord } from "./log-record.js";
import { type BatchLoss, Objective } from "./objective.js";
import { Sampler } from "./sampler.js";
import { scheduleFactor, type TrainSettings } from "./settings.js";
import type { Start } from "./start.js";

export interface RunInputs {
  readonly config: ModelConfig;
  /** Gives the weights to start from, and the tokenizer. */
  readonly start: Pick<Start, "fill" | "tokenizer">;
  readonly sets: readonly DataSet[];
  readonly settings: TrainSettings;
  /** For the log and checkpoints. */
  readonly folder: string;
}

export interface RunOptions extends SessionOptions {
  /** Steps between records of the log; 10 by default. */
  readonly logEvery?: number | undefined;
  /** Steps between checkpoints; 500 by default. */
  readonly checkpointEvery?: number | undefined;
  /** Steps between measurements of the bracket recall; 500 by default. */
  readonly validateEvery?: number | undefined;
  /** Called with each record of the log. */
  readonly onRecord?: ((record: StepRecord) => void) | undefined;
  /** Called when a checkpoint is saved, to save the model so far. */
  readonly onCheckpoint?: ((run: TrainingRun) => Promise<void>) | undefined;
  /** Called after each step. If it returns true, the run saves a checkpoint and ends early. */
  readonly isStopped?: (() => boolean) | undefined;
}

export class TrainingRun {
  readonly #inputs: RunInputs;
  readonly #options: RunOptions;
  readonly #wordPieces: WordPieces;
  readonly #session: TrainingSession;
  readonly #objective: Objective;
  readonly #sampler: Sampler;
  readonly #dropout: Random;
  readonly #window = new Window();
  readonly store: ParameterStore;
  step = 0;
  #updates = 0;
  #secondsBefore = 0;
  #started = performance.now();

  private constructor(
    inputs: RunInputs,
    options: RunOptions,
    store: ParameterStore,
    session: TrainingSession,
    wordPieces: WordPieces,
    state: CheckpointState | undefined,
  ) {
    const { settings, sets } = inputs;
    this.#inputs = inputs;
    this.#options = options;
    this.store = store;
    this.#session = session;
    this.#wordPieces = wordPieces;
    this.#objective = new Objective(settings, inputs.config.labels);
    this.#sampler = new Sampler(sets, settings.batch, settings.seed * 3 + 1, state?.sampler);
    this.#dropout = new Random(state?.dropout ?? settings.seed * 3 + 2);
    this.step = state?.step ?? 0;
    this.#updates = state?.updates ?? 0;
    this.#secondsBefore = state?.seconds ?? 0;
  }

  /** Begins a run, or goes on with the one whose checkpoint is in the folder. */
  static async open(inputs: RunInputs, options: RunOptions = {}): Promise<TrainingRun> {
    const { config, settings, folder } = inputs;
    await makeFolder(folder);
    const isTrainable = (name: string) => !isFrozen(name, settings);
    const program = compileTraining(
      modelTape(config, { training: true, packed: true, isTrainable }),
    );
    const averages = settings.average > 0;
    const store = new ParameterStore(program.parameters, { averages });
    // Also before a checkpoint is read: it does not have the weights that are not updated.
    await inputs.start.fill(store, new Random(settings.seed * 3), settings);
    if (averages) store.updateAverages(0);
    const state = await loadCheckpoint(folder, store, averages);
    const session = await TrainingSession.create(program, store, options);
    const wordPieces = await readWordPieces(inputs.start.tokenizer);
    return new TrainingRun(inputs, options, store, session, wordPieces, state);
  }

  get isFinished(): boolean {
    return this.step >= this.#inputs.settings.steps;
  }

  /** Trains to the last step, or until it is stopped. */
  async run(): Promise<void> {
    const { folder } = this.#inputs;
    const { logEvery = 10, checkpointEvery = 500, validateEvery = 500, isStopped } = this.#options;
    const log = await TrainingLog.open(join(folder, "log.jsonl"), this.step);
    this.#started = performance.now();
    let saved = this.step;
    while (!this.isFinished && !isStopped?.()) {
      await this.#trainStep(this.#sampler.next());
      const measured = this.step % validateEvery === 0 || this.isFinished;
      if (this.step % logEvery === 0 || measured) {
        const bracketRecall = measured ? await this.bracketRecall() : undefined;
        const record = this.#window.take(this.step, this.#rate(), this.#seconds, bracketRecall);
        await log.add(record);
        this.#options.onRecord?.(record);
      }
      if (this.step % checkpointEvery === 0 || this.isFinished) {
        await this.#save();
        saved = this.step;
      }
    }
    if (saved !== this.step) await this.#save();
    await this.#session.release();
  }

  /** The seconds that a step takes, by the median of some; the run is of no use after that. */
  async timeSteps(count: number): Promise<number> {
    const seconds: number[] = [];
    for (let step = 0; step < count; step++) {
      const begun = performance.now();
      await this.#trainStep(this.#sampler.next());
      seconds.push((performance.now() - begun) / 1000);
    }
    await this.#session.release();
    return seconds.sort((a, b) => a - b)[count >> 1] as number;
  }

  get #seconds(): number {
    return this.#secondsBefore + (performance.now() - this.#started) / 1000;
  }

  #rate(): number {
    return this.#inputs.settings.rate * scheduleFactor(this.step, this.#inputs.settings);
  }

  async #trainStep(examples: readonly Example[]): Promise<void> {
    const { settings, config } = this.#inputs;
    const sentences = examples.map(({ words }) => words);
    const { maximumPieces, firstPosition, heads } = config.bert;
    const padded = makeBatch(sentences, this.#wordPieces, maximumPieces, { firstPosition });
    const batch = packBatch(padded, heads);
    const result = await this.#session.forward(batch.feeds, this.#dropout);
    const longest = batch.feeds.words.dims[1] as number;
    const scores = result[SCORES]?.data as Float32Array;
    this.step += 1;
    // Sums of large numbers are no numbers sooner than the numbers: this looks at all scores at once.
    if (!Number.isFinite(sumOfSquares(scores))) throw this.#divergence("the scores are no numbers");
    const { loss, violations, gradients } = this.#objective.compute(result, examples, longest);
    if (!(loss < EXPLODED)) throw this.#divergence(`the loss is ${loss}`);
    // Where nothing is violated the ramp loss has no gradient, and the paper's code makes no update.
    const norm = loss > 0 ? await this.#update(gradients) : 0;
    if (!Number.isFinite(norm)) throw this.#divergence(`the gradient's norm is ${norm}`);
    if (settings.average > 0) this.store.updateAverages(averageDecay(settings.average, this.step));
    this.#window.add(loss, violations, norm, sentences);
  }

  #divergence(problem: string): WorkFailure {
    return new WorkFailure(
      `training diverged at step ${this.step}: ${problem}`,
      "the last checkpoint is kept; try lower learning rates (--rate, --head-rate) in a new folder",
    );
  }

  /** One step of the optimiser; returns the norm of the gradient before clipping. */
  async #update(gradients: BatchLoss["gradients"]): Promise<number> {
    const { settings } = this.#inputs;
    await this.#session.backward(gradients);
    const norm = this.store.gradientNorm();
    if (!Number.isFinite(norm)) return norm;
    const factor = scheduleFactor(this.step, settings);
    this.#updates += 1;
    this.store.adam({
      step: this.#updates,
      rate: (name) => factor * (isPretrained(name) ? settings.rate : settings.headRate),
      gradientScale: clipScale(norm, settings.clip),
      epsilon: settings.epsilon,
    });
    return norm;
  }

  /** The weights that the model will have: their average where one is kept. */
  weight(name: string): Float32Array {
    const isAveraged = this.#inputs.settings.average > 0 && this.store.isTrainable(name);
    return isAveraged ? this.store.average(name) : this.store.value(name);
  }

  /** Recall of the validation brackets of all data sets; undefined if there are none. */
  async bracketRecall(): Promise<BracketRecall | undefined> {
    const validation = this.#inputs.sets.flatMap((set) => set.validation);
    if (validation.length === 0) return undefined;
    const parser = await SpanModel.fromWeights(
      this.#inputs.config,
      this.#wordPieces,
      (name) => this.weight(name),
      this.#options,
    );
    try {
      return await measureBracketRecall(parser, validation);
    } finally {
      await parser.close();
    }
  }

  async #save(): Promise<void> {
    const state: CheckpointState = {
      step: this.step,
      updates: this.#updates,
      seconds: this.#seconds,
      dropout: this.#dropout.state,
      sampler: this.#sampler.state,
    };
    await saveCheckpoint(this.#inputs.folder, this.store, state, this.#inputs.settings.average > 0);
    if (!this.isFinished) await this.#options.onCheckpoint?.(this);
  }
}

/** A sentence's loss is some tens at first; at this size nothing good will come any more. */
const EXPLODED = 1e7;

function sumOfSquares(values: Float32Array): number {
  let sum = 0;
  for (const value of values) sum += value * value;
  return sum;
}

/** At first the average follows closely: it must not remember the starting values for long. */
function averageDecay(decay: number, step: number): number {
  return Math.min(decay, (1 + step) / (10 + step));
}

/** Means over the steps since the last record. */
class Window {
  #steps = 0;
  #loss = 0;
  #violations = 0;
  #norm = 0;
  #tokens = 0;
  #since = performance.now();

  add(
    loss: number,
    violations: number,
    norm: number,
    sentences: readonly (readonly string[])[],
  ): void {
    this.#steps += 1;
    this.#loss += loss;
    this.#violations += violations;
    this.#norm += norm;
    for (const words of sentences) this.#tokens += words.length;
  }

  take(
    step: number,
    rate: number,
    seconds: number,
    bracketRecall: BracketRecall | undefined,
  ): StepRecord {
    const steps = Math.max(1, this.#steps);
    const record: StepRecord = {
      step,
      loss: this.#loss / steps,
      violations: this.#violations / steps,
      gradientNorm: this.#norm / steps,
      rate,
      tokensPerSecond: (1000 * this.#tokens) / (performance.now() - this.#since),
      seconds,
      ...(bracketRecall ? { bracketRecall: bracketRecall.found } : {}),
      ...(bracketRecall?.labels === undefined ? {} : { labelAgreement: bracketRecall.labels }),
    };
    [this.#steps, this.#loss, this.#violations, this.#norm, this.#tokens] = [0, 0, 0, 0, 0];
    this.#since = performance.now();
    return record;
  }
}
