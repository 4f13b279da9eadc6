/**
 * The options of an extraction, which the library and the command line share, and the settings for a source that
 * follow from them: plain values, which can be sent to workers and saved with a run.
 */

import type { CleanOptions } from "../brackets/clean.js";
import type { MergeBy } from "../brackets/merge.js";
import type { RecordOptions } from "../brackets/raw-sentence.js";
import { InputError } from "../errors.js";
import type { Shard } from "../files/shard.js";
import { parseCode } from "../languages/codes.js";
import { findLanguage, grammarOf } from "../languages/index.js";
import { labelRulesOf } from "../languages/label-rules.js";
import {
  checkOptions,
  FLAG,
  listOf,
  MOST_THREADS,
  type OptionChecks,
  oneOf,
  SIGNAL,
  TEXTS,
  wholeNumber,
} from "../options.js";
import { BLOCK_KINDS, type BlockKind, MARK_KINDS } from "./links/marked.js";
import type { Sample } from "./links/sample.js";
import { SOURCES } from "./sources/index.js";
import {
  type DocumentSource,
  isDocumentSource,
  type Source,
  type SourceOptions,
} from "./sources/source.js";

/** Options of `extract`. */
export interface ExtractOptions
  extends SourceOptions,
    RecordOptions,
    Omit<CleanOptions, "language" | "kinds" | "exclude"> {
  /**
   * Where the files are from: a name in `SOURCES`, or a source of your own. By default ("auto") each file is
   * recognised by its content.
   */
  readonly source?: string | Source | undefined;
  /** Turn on all cleaning that needs no value, and `maxTokens: 100`. Options that you give win over it. */
  readonly clean?: boolean | undefined;
  /** Turn on the rules for English phrases: `clauses`, `takeDeterminers`, `addParts` and `markFlat`. */
  readonly english?: boolean | undefined;
  /**
   * When sentences of several files are merged: if they have the same tokens ("text", the default), or the
   * same id and tokens ("id"). Sentences of documents are never merged.
   */
  readonly merge?: MergeBy | undefined;
  /** Count malformed parts of the input and continue. */
  readonly skipBad?: boolean | undefined;
  /** Keep only brackets of these kinds. For documents, the marks that become brackets; by default links. */
  readonly kinds?: readonly string[] | undefined;
  /** Leave out the sentences of these treebanks, data sets or texts. */
  readonly exclude?: readonly string[] | undefined;
  /**
   * Keep sentences without any bracket. For documents, also keep those over 100 tokens or without a bracket of
   * two or more tokens.
   */
  readonly allSentences?: boolean | undefined;
  /** Documents: the blocks from which sentences are taken. */
  readonly blocks?: readonly BlockKind[] | undefined;
  /** The language of the text, such as "de"; by default that of the dump, or English. */
  readonly language?: string | undefined;
  /** Leave out sentences that are surely in another language: not all pages of a site may be translated. */
  readonly sameLanguage?: boolean | undefined;
  /** Split words at their hyphens, as newer treebanks do, and leave out sentences without such words. */
  readonly splitHyphens?: boolean | undefined;
  /** Documents: the share of pages to read, above 0 and up to 1. */
  readonly sample?: number | undefined;
  /** Documents: the seed of the sample; 1 by default. */
  readonly seed?: number | undefined;
  /** Documents: one of several parts of the input, which together are the whole. */
  readonly shard?: Shard | undefined;
  /** Documents: worker threads. With 1, the default, the caller's own thread does the work. */
  readonly threads?: number | undefined;
  /** Ends the work early: the iteration throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** The settings that determine the record of a sentence. */
export interface ExtractSettings
  extends SourceOptions,
    RecordOptions,
    Omit<CleanOptions, "language" | "kinds" | "exclude"> {
  readonly kinds?: readonly string[] | undefined;
  /** Text keys of sentences that must not be in the result. */
  readonly exclude?: ReadonlySet<string> | undefined;
  readonly allSentences?: boolean | undefined;
  readonly skipBad?: boolean | undefined;
  readonly language?: string | undefined;
  readonly sameLanguage?: boolean | undefined;
  readonly splitHyphens?: boolean | undefined;
}

/** The settings that determine the records of documents. */
export interface DocumentSettings extends ExtractSettings {
  /** The name in the records. */
  readonly source: string;
  readonly kinds: readonly string[];
  readonly blocks: readonly BlockKind[];
  readonly sample?: Sample | undefined;
}

/** What `clean` turns on. */
const CLEAN: Partial<ExtractOptions> = {
  trimPunctuation: true,
  dropSingle: true,
  dropWhole: true,
  dropUnbalanced: true,
  maxTokens: 100,
  requireMulti: true,
  dropNearDuplicates: true,
};

/** What `english` turns on. */
const ENGLISH: Partial<ExtractOptions> = {
  clauses: true,
  takeDeterminers: true,
  addParts: true,
  markFlat: true,
};

/** The paper's filters for links. */
const DOCUMENTS: Partial<ExtractOptions> = { maxTokens: 100, requireMulti: true };

const CHECKS: OptionChecks<ExtractOptions> = {
  source: [isSource, `"auto", a source of your own, or one of ${sourceNames()}`],
  clean: FLAG,
  english: FLAG,
  merge: oneOf(["text", "id", "none"] satisfies MergeBy[]),
  predicates: FLAG,
  clauses: FLAG,
  matchText: FLAG,
  labels: FLAG,
  skipBad: FLAG,
  keepAnnotators: FLAG,
  keepQuestions: FLAG,
  takeDeterminers: FLAG,
  addParts: FLAG,
  markFlat: FLAG,
  trimPunctuation: FLAG,
  dropSingle: FLAG,
  dropWhole: FLAG,
  dropUnbalanced: FLAG,
  dropNearDuplicates: FLAG,
  sameLanguage: FLAG,
  splitHyphens: FLAG,
  requireMulti: FLAG,
  maxTokens: wholeNumber(1),
  minAnnotators: [(value) => typeof value === "number" && value > 0, "a number above 0"],
  kinds: TEXTS,
  exclude: TEXTS,
  allSentences: FLAG,
  blocks: listOf(BLOCK_KINDS),
  language: [
    (value) => typeof value === "string" && parseCode(value) !== undefined,
    "a code such as de",
  ],
  sample: [(value) => typeof value === "number" && value > 0 && value <= 1, "a number from 0 to 1"],
  seed: wholeNumber(0),
  shard: [isShard, "of the form { number: 1, of: 4 }, number counted from 1"],
  threads: wholeNumber(1, MOST_THREADS),
  signal: SIGNAL,
};

/**
 * Checks the options of a caller.
 * @throws InputError that names the option, if it is unknown or its value is invalid, or if the language does not
 * have the rules for phrases that an option needs.
 */
export function checkExtractOptions(options: ExtractOptions): void {
  checkOptions(options, CHECKS);
  const { language, clauses, takeDeterminers, addParts, markFlat, labels, splitHyphens } =
    plainOptions(options);
  if (language === undefined) return;
  const found = findLanguage(language);
  const needsRules = (addParts || markFlat) && !found.particles;
  if (clauses || takeDeterminers || splitHyphens || needsRules) grammarOf(found);
  if (labels) labelRulesOf(found);
}

/** The source that is named, if one is. */
export function namedSource({ source }: ExtractOptions): Source | undefined {
  return typeof source === "string" ? SOURCES.find(({ name }) => name === source) : source;
}

/** The settings for question-answer data. */
export function answerSettings(
  options: ExtractOptions,
  exclude: ExtractSettings["exclude"],
): ExtractSettings {
  for (const name of ["sample", "seed", "blocks", "shard"] as const) {
    if (options[name] === undefined) continue;
    throw new InputError(
      `option "${name}" is for documents, but these files are question-answer data`,
      {},
      `leave it out; sources of documents are ${sourceNames(isDocumentSource)}`,
    );
  }
  return { ...plainOptions(options), exclude };
}

/** The settings for the documents of a source. */
export function documentSettings(
  options: ExtractOptions,
  source: DocumentSource,
  exclude: ExtractSettings["exclude"],
): DocumentSettings {
  const { sample, seed = 1, allSentences, merge, dropNearDuplicates } = options;
  const { kinds = source.kinds ?? ["link"] } = options;
  if ((merge !== undefined && merge !== "none") || dropNearDuplicates) {
    throw new InputError(
      "pages are processed one by one, so their sentences cannot be compared with each other",
      {},
      "do this afterwards: bracken extract jsonl PAGES.jsonl --merge text --drop-near-duplicates",
    );
  }
  checkOptions({ kinds }, { kinds: listOf(MARK_KINDS) });
  return {
    ...(allSentences ? {} : DOCUMENTS),
    ...plainOptions(options),
    dropNearDuplicates: false,
    source: source.name,
    kinds,
    blocks: options.blocks ?? source.blocks,
    sample: sample === undefined ? undefined : { share: sample, seed },
    exclude,
  };
}

/** The options that can be sent to workers, including those that `clean` and `english` turn on. */
function plainOptions(options: ExtractOptions): Omit<ExtractSettings, "exclude"> {
  const { clean, english, source, merge, exclude, shard, threads, signal, ...rest } = options;
  const { sample, seed, blocks, ...given } = rest;
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  const implied = { ...(clean ? CLEAN : {}), ...(english ? ENGLISH : {}) };
  return { ...implied, ...Object.fromEntries(entries) };
}

function isSource(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return "read" in value || "format" in value;
  return value === "auto" || SOURCES.some(({ name }) => name === value);
}

function isShard(value: unknown): boolean {
  const { number, of } = (value ?? {}) as Partial<Shard>;
  return (
    Number.isInteger(number) &&
    Number.isInteger(of) &&
    1 <= Number(number) &&
    Number(number) <= Number(of)
  );
}

function sourceNames(isWanted: (source: Source) => boolean = () => true): string {
  return SOURCES.filter(isWanted)
    .map(({ name }) => name)
    .join(", ");
}
