/**
 * From file names to finished records, in the same way for all sources. A plan says what there is to
 * do: question-answer data is read and merged as a whole; documents are processed one by one, in any
 * number of workers, from any place on. Either way sentences end in a Finisher.
 */

import { type MergeBy, mergeSentences } from "../brackets/merge.js";
import type { RawSentence } from "../brackets/raw-sentence.js";
import { type Bracketing, toLine } from "../brackets/record.js";
import { InputError } from "../errors.js";
import { expandInputs } from "../files/expand-inputs.js";
import type { OpenOptions, Part } from "../files/input.js";
import type { DonePlace } from "../files/shard.js";
import { TextInput } from "../files/text-input.js";
import { english } from "../languages/english.js";
import { findLanguage } from "../languages/index.js";
import { abortable } from "../streams/abortable.js";
import { openArchives } from "./archives.js";
import { readExcluded } from "./exclude.js";
import { Finisher } from "./finisher.js";
import type { DocumentInput } from "./links/documents.js";
import { type DocumentRun, runDocuments } from "./links/run.js";
import {
  answerSettings,
  checkExtractOptions,
  documentSettings,
  type ExtractOptions,
  type ExtractSettings,
  namedSource,
} from "./options.js";
import type { ExtractReport } from "./report.js";
import { recogniseSources, SOURCES } from "./sources/index.js";
import {
  type AnswerSource,
  isDocumentSource,
  type Source,
  type SourceContext,
} from "./sources/source.js";
import { trees } from "./sources/trees.js";

interface AnswerJob {
  readonly groups: readonly Group<AnswerSource>[];
  readonly settings: ExtractSettings;
  readonly merge: MergeBy;
}

type ExtractJob = AnswerJob | DocumentRun;

interface Group<Kind> {
  readonly source: Kind;
  readonly inputs: readonly TextInput[];
}

export interface ExtractPlan {
  readonly files: readonly string[];
  readonly jobs: readonly ExtractJob[];
  readonly signal: AbortSignal | undefined;
  /** How many files were found whose source nobody knows. */
  readonly unknown: number;
  /** The only job, if it is over documents: then a run can go on from any place. */
  readonly resumable: DocumentRun | undefined;
}

/** A few finished records: as they are, or as the lines that a worker made of them. */
export interface ExtractStep {
  readonly records: () => Iterable<Bracketing>;
  readonly lines: () => string;
  /** Pages, or sentences where there are no pages. */
  readonly size: number;
  /** Up to where documents are done. */
  readonly done?: DonePlace;
}

/**
 * Checks options and finds sources. `onBytes` is called with the number of bytes read from disk.
 * @throws InputError for wrong options, or files of no known source.
 */
export async function planExtraction(
  names: readonly string[],
  options: ExtractOptions,
  onBytes?: (count: number) => void,
): Promise<ExtractPlan> {
  checkExtractOptions(options);
  options.signal?.throwIfAborted();
  const source = namedSource(options);
  const files = await expandInputs(names, extensionsOf(source));
  const { groups, unknown } = await findGroups(names, files, source, onBytes);
  const exclude = options.exclude && (await readExcluded(options.exclude));
  const jobs = planJobs(groups, options, exclude, onBytes);
  if (options.shard && jobs.length > 1) {
    throw new InputError(
      "files of several sources cannot be cut into shards",
      {},
      "name the source",
    );
  }
  const [only] = jobs.length === 1 ? jobs : [];
  const resumable = only && isDocumentRun(only) ? only : undefined;
  return { files, jobs, signal: options.signal, resumable, unknown };
}

/** The inputs by their sources. Pages in archives are left to those who read pages. */
async function findGroups(
  names: readonly string[],
  files: readonly string[],
  source: Source | undefined,
  onBytes: OpenOptions["onBytes"],
): Promise<{ groups: readonly Group<Source>[]; unknown: number }> {
  if (source && isDocumentSource(source)) {
    const inputs = files.map((file) => new TextInput(file, { onBytes }));
    return { groups: [{ source, inputs }], unknown: 0 };
  }
  const inputs = await openArchives(files, extensionsOf(source), { onBytes });
  if (source) return { groups: [{ source, inputs }], unknown: 0 };
  const named = new Set(names);
  return recogniseSources(inputs, ({ name }) => named.has(name));
}

/** Pages of text and treebanks may be beside data of any kind; they are read only on request. */
function extensionsOf(source: Source | undefined): readonly string[] {
  if (source) return source.extensions;
  const others = SOURCES.filter((each) => !isDocumentSource(each) && each !== trees);
  return [...new Set(others.flatMap((each) => each.extensions))];
}

/** All answers together, and the documents of each source, in the order of the inputs. */
function planJobs(
  groups: readonly Group<Source>[],
  options: ExtractOptions,
  exclude: ExtractSettings["exclude"],
  onBytes: DocumentRun["onBytes"],
): ExtractJob[] {
  const answers = groups.filter(
    (group): group is Group<AnswerSource> => !isDocumentSource(group.source),
  );
  const jobs: ExtractJob[] = [];
  for (const { source, inputs } of groups) {
    if (isDocumentSource(source)) {
      const settings = documentSettings(options, source, exclude);
      const { threads = 1, shard } = options;
      jobs.push({
        source,
        inputs: inputs.map(toDocumentInput),
        settings,
        threads,
        shard,
        onBytes,
      });
    } else if (source === answers[0]?.source) {
      const { merge = "text" } = options;
      jobs.push({ groups: answers, settings: answerSettings(options, exclude), merge });
    }
  }
  return jobs;
}

function isDocumentRun(job: ExtractJob): job is DocumentRun {
  return "threads" in job;
}

/** Of a pipe some has been read if its source had to be recognised. */
function toDocumentInput(input: TextInput): DocumentInput {
  const { name } = input;
  return input.isBegun ? { name, parts: asParts(input) } : { name };
}

async function* asParts(input: TextInput): AsyncGenerator<Part> {
  let position = 0;
  for await (const text of input.chunks()) {
    const bytes = Buffer.from(text);
    yield { bytes, position, exact: true };
    position += bytes.length;
  }
}

/** Does what is planned, keeping account of it; documents from where they were done before. */
export async function* extractSteps(
  { jobs, signal, unknown }: ExtractPlan,
  report: ExtractReport,
  done?: DonePlace,
): AsyncGenerator<ExtractStep> {
  report.drop("files of no known source", unknown);
  for (const job of jobs) {
    const steps = isDocumentRun(job)
      ? documentSteps({ ...job, done }, report)
      : answerSteps(job, report, signal);
    yield* abortable(steps, signal);
  }
}

async function* documentSteps(
  run: DocumentRun,
  report: ExtractReport,
): AsyncGenerator<ExtractStep> {
  for await (const { lines, counts, done } of runDocuments(run)) {
    report.add(counts);
    yield { lines: () => lines, records: () => parseLines(lines), size: counts.pages ?? 0, done };
  }
}

function* parseLines(lines: string): Generator<Bracketing> {
  for (let from = 0; from < lines.length; ) {
    const end = lines.indexOf("\n", from);
    yield JSON.parse(lines.slice(from, end)) as Bracketing;
    from = end + 1;
  }
}

async function* answerSteps(
  { groups, settings, merge }: AnswerJob,
  report: ExtractReport,
  signal: AbortSignal | undefined,
): AsyncGenerator<ExtractStep> {
  const language = settings.language === undefined ? undefined : findLanguage(settings.language);
  const finisher = await Finisher.open(settings, language ?? english, report);
  const context = { ...sourceContext(settings, report), language };
  const sentences = readGroups(groups, context, report, signal);
  for await (const sentence of mergeSentences(sentences, { by: merge })) {
    const record = finisher.finish(sentence);
    if (record) yield { records: () => [record], lines: () => toLine(record), size: 1 };
  }
}

async function* readGroups(
  groups: AnswerJob["groups"],
  context: SourceContext,
  report: ExtractReport,
  signal: AbortSignal | undefined,
): AsyncGenerator<RawSentence> {
  for (const { source, inputs } of groups) {
    for await (const sentence of source.read(inputs, context)) {
      signal?.throwIfAborted();
      report.read += 1;
      yield sentence;
    }
  }
}

function sourceContext(settings: ExtractSettings, report: ExtractReport): SourceContext {
  const { predicates, clauses, matchText, labels, skipBad } = settings;
  return {
    predicates: predicates || clauses,
    clauses,
    matchText,
    labels,
    drop: (reason, count) => report.drop(reason, count),
    attempt: (work) => {
      try {
        return work();
      } catch (error) {
        if (!skipBad || !(error instanceof InputError)) throw error;
        report.bad += 1;
        return undefined;
      }
    },
  };
}
