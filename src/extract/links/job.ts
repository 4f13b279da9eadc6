/**
 * The work on documents that threads share: from a batch of them to the lines of the data set and a
 * count of what became of everything. Nothing here depends on what came before, so the result is
 * the same however documents are spread over threads, shards and runs.
 */

import { Cleaner, type CleanOptions } from "../../brackets/clean.js";
import { type RawSentence, toBracketing } from "../../brackets/raw-sentence.js";
import { isMultiToken, toLine } from "../../brackets/record.js";
import { InputError } from "../../errors.js";
import { english } from "../../languages/english.js";
import { findLanguage, type Language } from "../../languages/index.js";
import { type Article, readArticle, type StoredDocument } from "./articles.js";
import { readHtml } from "./html.js";
import { readMarkdown } from "./markdown.js";
import type { BlockKind, MarkedText } from "./marked.js";
import { isInSample, type Sample } from "./sample.js";
import { type SentenceOptions, toSentences } from "./sentences.js";
import { type Site, siteLanguage } from "./site.js";
import { LinkNames, readWikitext } from "./wikitext/index.js";

/** All that decides what comes out; plain values, so that it can be sent to a thread and saved. */
export interface JobSettings {
  readonly source: string;
  /** The code of the text's language; by default the one that a dump names, or else English. */
  readonly language?: string | undefined;
  readonly kinds: readonly string[];
  readonly blocks: readonly BlockKind[];
  readonly sample?: Sample | undefined;
  readonly clean: Omit<CleanOptions, "language" | "kinds" | "exclude" | "dropNearDuplicates">;
  /** Text keys of sentences that must not be in the result. */
  readonly exclude?: ReadonlySet<string> | undefined;
  /** Whether sentences without any bracket stay. */
  readonly keepBare: boolean;
  readonly skipBad: boolean;
}

export interface JobCounts {
  pages: number;
  read: number;
  written: number;
  brackets: number;
  multiToken: number;
  bad: number;
  dropped: Record<string, number>;
}

export interface Batch {
  readonly documents: readonly StoredDocument[];
  readonly site: Site | undefined;
}

export interface BatchResult {
  readonly lines: string;
  readonly counts: JobCounts;
  /** What stopped the work, where malformed documents do: lines end before it. */
  readonly failure?: Failure | undefined;
}

/** An `InputError` in plain values, which is what threads can send each other. */
export type Failure = Pick<InputError, "problem" | "place" | "remedy">;

export function noCounts(): JobCounts {
  return { pages: 0, read: 0, written: 0, brackets: 0, multiToken: 0, bad: 0, dropped: {} };
}

export function countDropped(counts: JobCounts, reason: string, count = 1): void {
  if (count > 0) counts.dropped[reason] = (counts.dropped[reason] ?? 0) + count;
}

export function addCounts(to: JobCounts, { dropped, ...numbers }: JobCounts): void {
  for (const key of Object.keys(numbers) as (keyof typeof numbers)[]) to[key] += numbers[key];
  for (const [reason, count] of Object.entries(dropped)) countDropped(to, reason, count);
}

export function runBatch(batch: Batch, settings: JobSettings): BatchResult {
  const counts = noCounts();
  const lines: string[] = [];
  try {
    writeBatch(batch, settings, counts, lines);
    return { lines: lines.join(""), counts };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const { problem, place, remedy } = error;
    return { lines: lines.join(""), counts, failure: { problem, place, remedy } };
  }
}

/** Adds the lines of the documents' sentences. */
function writeBatch(
  { documents, site }: Batch,
  settings: JobSettings,
  counts: JobCounts,
  lines: string[],
): void {
  const drop = (reason: string, count?: number) => countDropped(counts, reason, count);
  const onSentence = () => {
    counts.read += 1;
  };
  const language = languageOf(settings, site);
  const reader = new DocumentReader(settings, site, { onSentence, drop });
  const { clean, exclude, skipBad } = settings;
  const cleaner = new Cleaner({ ...clean, language, exclude }, drop);
  for (const document of documents) {
    try {
      const sentences = reader.read(document);
      if (!sentences) continue;
      counts.pages += 1;
      for (const sentence of sentences) {
        const line = writeSentence(sentence, cleaner, counts);
        if (line) lines.push(line);
      }
    } catch (error) {
      if (!skipBad || !(error instanceof InputError)) throw error;
      counts.bad += 1;
    }
  }
}

function writeSentence(
  sentence: RawSentence,
  cleaner: Cleaner,
  counts: JobCounts,
): string | undefined {
  const cleaned = cleaner.clean(toBracketing(sentence));
  if (!cleaned) return undefined;
  counts.written += 1;
  counts.brackets += cleaned.brackets.length;
  for (const bracket of cleaned.brackets) {
    if (isMultiToken(bracket, cleaned.tokens.length)) counts.multiToken += 1;
  }
  return toLine(cleaned);
}

function languageOf({ language }: JobSettings, site: Site | undefined): Language {
  if (language !== undefined) return findLanguage(language);
  return site ? siteLanguage(site) : english;
}

type Counters = Pick<SentenceOptions, "onSentence" | "drop">;

/** Documents of one site to sentences. */
export class DocumentReader {
  readonly #settings: JobSettings;
  readonly #names: LinkNames;
  readonly #language: Language;
  readonly #counters: Counters;

  constructor(settings: JobSettings, site: Site | undefined, counters: Counters) {
    this.#settings = settings;
    this.#names = new LinkNames(site?.namespaces);
    this.#language = languageOf(settings, site);
    this.#counters = counters;
  }

  /** The document's sentences; undefined where it is left out. */
  read(document: StoredDocument): Iterable<RawSentence> | undefined {
    const { sample, source, blocks, kinds, keepBare } = this.#settings;
    const article = readArticle(document, {
      isWanted: (id) => !sample || isInSample(id, sample),
      skip: (reason) => this.#counters.drop(reason) as undefined,
    });
    if (!article) return undefined;
    return toSentences(this.#marked(article), {
      source,
      id: article.id,
      title: article.title,
      language: this.#language,
      blocks: new Set(blocks),
      kinds: new Set(kinds),
      keepBare,
      ...this.#counters,
    });
  }

  #marked({ text, markup, id }: Article): MarkedText {
    if (markup === "wikitext") return readWikitext(text, this.#names);
    if (markup === "markdown") return readMarkdown(text, id.endsWith(".mdx"));
    return readHtml(text, markup === "parsoid" ? { names: this.#names } : {});
  }
}
