/**
 * `bracken parse` and `bracken phrases` without their flags: inputs of any length to a file or standard output, in
 * order and in bounded memory. A run that was killed continues where it stopped.
 */

import type { Progress } from "../display/progress.js";
import { InputError } from "../errors.js";
import { sizeOnDisk } from "../files/input.js";
import type { RunKey } from "../files/resumable.js";
import { type DonePlace, NOTHING_DONE, type Shard } from "../files/shard.js";
import { openSink } from "../files/sink.js";
import { AUTO } from "../languages/codes.js";
import type { Precision } from "../model/config.js";
import { commonLanguage } from "../parser/from-text.js";
import type { ParseOptions } from "../parser/options.js";
import { labelsOf } from "../parser/phrases.js";
import type { RunInput } from "./inputs.js";
import { LanguageNotes } from "./language-notes.js";
import { type Outcome, type ParseRun, runParser } from "./parse-run.js";
import type { Written } from "./parse-writer.js";
import {
  configsOf,
  openRoutes,
  type Route,
  RoutedParser,
  routeNames,
  routesWithLabels,
} from "./routes.js";

/** What is made of the sentences; with the inputs and the models it determines the output. */
export interface ParseSettings<Write> {
  readonly precision: Precision;
  readonly parse: Omit<ParseOptions, "signal">;
  readonly write: Write;
  /** Whether brackets in the input must be in the tree. */
  readonly constrain?: boolean | undefined;
  /** The language of the inputs; `auto`, the default, if each tells its own. */
  readonly language?: string | undefined;
}

export interface ParseFilesOptions<Write> extends ParseSettings<Write> {
  readonly inputs: readonly RunInput[];
  /** Names or folders of models, which decide together; if not given, each installed model has its languages. */
  readonly models?: readonly string[] | undefined;
  /** Whether only models that name phrases are of use. */
  readonly named?: boolean | undefined;
  /** Processors to use; all if not given. */
  readonly threads?: number | undefined;
  readonly shard?: Shard | undefined;
  /** The file to write; standard output if not given. */
  readonly out?: string | undefined;
}

interface ParseProgress {
  readonly done: DonePlace;
}

/** Turns the outcomes of a run into its output. */
export interface OutcomeWriter {
  write(outcome: Outcome): Written;
  /** What stands at the end, such as a table of what all of it held. */
  finish?(): string;
}

/**
 * @param openWriter is called with the labels of the models, once these are known
 * @param onNote called with messages about sentences that were not parsed
 */
export async function parseFiles<Write extends object>(
  options: ParseFilesOptions<Write>,
  openWriter: (labels: readonly string[], options: Write) => OutcomeWriter,
  progress: Progress,
  onNote: (note: string) => void,
): Promise<void> {
  const { shard, out } = options;
  const sizes = await Promise.all(options.inputs.map(sizeOf));
  const opened = await openRoutes(routeNames(options.models));
  const routes = options.named ? routesWithLabels(opened) : opened;
  const configs = configsOf(routes[0] ?? []);
  const writer = openWriter(labelsOf(configs), options.write);
  const { language = AUTO } = options;
  const inputs = options.inputs.map((input) => ({ ...input, language }));
  const sink = await openSink<ParseProgress>(out, {
    inputs: inputs.flatMap(({ name, text }) => (text === undefined ? [name] : [])),
    key: runKey({ ...options, inputs }, routes),
  });
  if (sink.note) onNote(sink.note);
  const parser = new RoutedParser(routes, options);
  const notes = new LanguageNotes(routes, language !== AUTO);
  const meter = new Meter(sizes, shard, progress, sink.resumed !== undefined);
  let done = sink.resumed?.done ?? NOTHING_DONE;
  // Output that is written only at the end is lost with the run, which then starts from the beginning.
  const reached = () => ({ done: writer.finish ? NOTHING_DONE : done });
  const run: ParseRun = {
    inputs,
    parse: (sentences) => parser.parse(sentences),
    width: parser.width,
    constrain: options.constrain,
    language: await commonLanguage(configs),
    shard,
    done: sink.resumed?.done,
    onBytes: (count) => meter.read(count),
  };
  try {
    for await (const step of sink.isWhole ? [] : runParser(run)) {
      for (const outcome of step.outcomes) refuseBadText(outcome, inputs);
      const written = step.outcomes.map((outcome) => writer.write(outcome));
      const note = notes.join(step.outcomes, written);
      if (note) onNote(note);
      done = step.done;
      await sink.write(written.map(({ text }) => text).join(""), reached());
      meter.done(step.outcomes.length);
    }
  } catch (error) {
    throw await sink.stop(error, reached());
  } finally {
    await parser.close();
  }
  if (writer.finish && !sink.isWhole) await sink.write(writer.finish(), { done });
  await sink.finish({ done });
}

/** A text on the command line has no place for an error record: what is wrong with it ends the run. */
function refuseBadText({ input, problem }: Outcome, inputs: readonly RunInput[]): void {
  if (problem === undefined || inputs[input]?.text === undefined) return;
  throw new InputError(problem, { file: inputs[input].name });
}

/** Bytes on disk; not a number where that is not known. */
async function sizeOf({ name, text }: RunInput): Promise<number> {
  if (text !== undefined) return Buffer.byteLength(text);
  return (await sizeOnDisk(name)) ?? Number.NaN;
}

/**
 * What must be the same for a run to go on: all but the output's name and the number of threads. The language is in it
 * only if it was named, so that runs begun before it was told go on.
 */
function runKey(
  {
    out: _,
    threads: __,
    models: ___,
    named: ____,
    language: _____,
    ...rest
  }: ParseFilesOptions<object>,
  routes: readonly Route[],
): RunKey {
  const { write, inputs, ...others } = rest;
  const { columns: ______, ...form } = write as { readonly columns?: number };
  return {
    ...others,
    write: form,
    inputs: inputs.map(({ language, ...input }) =>
      language === AUTO ? input : { ...input, language },
    ),
    models: routes.flatMap((route) => route.map(({ identity }) => identity)),
  };
}

/** Tells the progress how much is done of the bytes that this run has to read. */
class Meter {
  readonly #progress: Progress;
  readonly #end: number;
  /** Where this run's own bytes begin; known once its first sentences are done. */
  #begin: number | undefined;
  #read = 0;

  constructor(
    sizes: readonly number[],
    shard: Shard | undefined,
    progress: Progress,
    isResumed: boolean,
  ) {
    this.#progress = progress;
    const total = sizes.reduce((sum, size) => sum + size, 0);
    this.#end = shard ? (total / shard.of) * shard.number : total;
    const isFirst = shard === undefined || shard.number === 1;
    this.#begin = isFirst && !isResumed ? 0 : undefined;
  }

  read(bytes: number): void {
    this.#read += bytes;
  }

  done(sentences: number): void {
    this.#begin ??= this.#read;
    const share = (this.#read - this.#begin) / (this.#end - this.#begin);
    this.#progress.advance(sentences, Number.isFinite(share) && share > 0 ? share : undefined);
  }
}
