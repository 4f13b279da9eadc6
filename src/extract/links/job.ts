/**
 * The work on documents that threads share: from a batch of documents to lines of the data set and a
 * report. Nothing depends on earlier batches, so the result is the same however documents are spread
 * over threads, shards and runs.
 */

import type { RawSentence } from "../../brackets/raw-sentence.js";
import { type Bracketing, toLine } from "../../brackets/record.js";
import { InputError } from "../../errors.js";
import { parseCode } from "../../languages/codes.js";
import { english } from "../../languages/english.js";
import { findLanguage, type Language } from "../../languages/index.js";
import { Finisher } from "../finisher.js";
import type { DocumentSettings } from "../options.js";
import { ExtractReport, type ReportCounts } from "../report.js";
import { type Article, readArticle, type StoredDocument } from "./articles.js";
import { readCnxml } from "./cnxml.js";
import { readHtml } from "./html.js";
import { readMarkdown } from "./markdown.js";
import type { MarkedText } from "./marked.js";
import { readPlainText } from "./plain.js";
import { isInSample } from "./sample.js";
import { toSentences } from "./sentences.js";
import { type Site, siteLanguage } from "./site.js";
import { LinkNames, readWikitext } from "./wikitext/index.js";

export interface Batch {
  readonly documents: readonly StoredDocument[];
  readonly site: Site | undefined;
}

export interface BatchResult {
  readonly lines: string;
  readonly counts: ReportCounts;
  /** What stopped the work, where malformed documents do: lines end before it. */
  readonly failure?: Failure | undefined;
}

/** An `InputError` in plain values, which is what threads can send each other. */
export type Failure = Pick<InputError, "problem" | "place" | "remedy">;

export async function runBatch(batch: Batch, settings: DocumentSettings): Promise<BatchResult> {
  const report = new ExtractReport();
  const lines: string[] = [];
  const result = () => ({ lines: lines.join(""), counts: report.toJSON() });
  try {
    const language = languageOf(settings, batch.site);
    const reader = new DocumentReader(settings, language, batch.site, report);
    const finisher = await Finisher.open(settings, language, report);
    const records = finishDocuments(batch.documents, reader, finisher, settings, report);
    for (const record of records) lines.push(toLine(record));
    return result();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const { problem, place, remedy } = error;
    return { ...result(), failure: { problem, place, remedy } };
  }
}

function* finishDocuments(
  documents: Batch["documents"],
  reader: DocumentReader,
  finisher: Finisher,
  settings: DocumentSettings,
  report: ExtractReport,
): Generator<Bracketing> {
  for (const document of documents) {
    try {
      const sentences = reader.read(document);
      if (!sentences) continue;
      report.pages += 1;
      for (const sentence of sentences) {
        const record = finisher.finish(sentence);
        if (record) yield record;
      }
    } catch (error) {
      if (!settings.skipBad || !(error instanceof InputError)) throw error;
      report.bad += 1;
    }
  }
}

function languageOf({ language }: DocumentSettings, site: Site | undefined): Language {
  if (language !== undefined) return findLanguage(language);
  return site ? siteLanguage(site) : english;
}

/** Documents of one site to sentences. */
class DocumentReader {
  readonly #settings: DocumentSettings;
  readonly #names: LinkNames;
  readonly #language: Language;
  /** The code of the language, if the site says it. */
  readonly #code: string | undefined;
  readonly #report: ExtractReport;

  constructor(
    settings: DocumentSettings,
    language: Language,
    site: Site | undefined,
    report: ExtractReport,
  ) {
    this.#settings = settings;
    this.#names = new LinkNames(site?.namespaces);
    this.#language = language;
    this.#code = site?.language === undefined ? undefined : parseCode(site.language);
    this.#report = report;
  }

  /** The document's sentences; undefined if it is left out. */
  read(document: StoredDocument): Iterable<RawSentence> | undefined {
    const { sample, source, blocks, kinds, allSentences = false } = this.#settings;
    const drop = (reason: string, count?: number) => this.#report.drop(reason, count);
    const article = readArticle(document, {
      isWanted: (id) => !sample || isInSample(id, sample),
      skip: (reason) => drop(reason) as undefined,
    });
    if (!article) return undefined;
    const code = article.language ?? this.#code;
    const told = this.#settings.language === undefined ? article.language : undefined;
    return toSentences(this.#marked(article), {
      source,
      id: article.id,
      title: article.title,
      language: told === undefined ? this.#language : findLanguage(told),
      code,
      blocks: new Set(blocks),
      kinds: new Set(kinds),
      keepBare: allSentences,
      onSentence: () => {
        this.#report.read += 1;
      },
      drop,
    });
  }

  #marked({ text, markup, id }: Article): MarkedText {
    if (markup === "wikitext") return readWikitext(text, this.#names);
    if (markup === "cnxml") return readCnxml(text);
    if (markup === "markdown") return readMarkdown(text, id.endsWith(".mdx"));
    if (markup === "text") return readPlainText(text);
    return readHtml(text, markup === "parsoid" ? { names: this.#names } : {});
  }
}
