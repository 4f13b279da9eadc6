/**
 * Reads documents of any kind as sentences with brackets: each file by the source that its content or its name tells,
 * everything that people marked in it, and the sentences in which they marked nothing.
 */

import type { Bracketing } from "../brackets/record.js";
import { InputError } from "../errors.js";
import { type ExtractOptions, extract, SOURCES, type Source } from "../extract/index.js";
import { BLOCK_KINDS, MARK_KINDS } from "../extract/links/marked.js";
import { isDocumentSource } from "../extract/sources/source.js";
import { text as plainText } from "../extract/sources/text.js";
import { expandInputs } from "../files/expand-inputs.js";
import { TextInput } from "../files/text-input.js";
import { findLanguage } from "../languages/index.js";
import type { ModelConfig } from "../model/config.js";

/** The names of archives, which may hold documents of any kind. */
const ARCHIVES = [".tar", ".tgz"];

/** What people mark within sentences: code has words of another language. */
const KINDS = MARK_KINDS.filter((kind) => !["code", "list-item", "caption"].includes(kind));

/** How documents are read. */
export interface DocumentOptions {
  /** The source of all files; by default each is recognised. */
  readonly source?: string | undefined;
  /** Threads that read documents. */
  readonly threads?: number | undefined;
}

/** The files that the names stand for. */
export function documentFiles(
  names: readonly string[],
  { source }: DocumentOptions,
): Promise<string[]> {
  const wanted = source === undefined ? SOURCES.filter(isTaken) : [sourceNamed(source)];
  const extensions = wanted.flatMap((each) => each.extensions);
  return expandInputs(
    names,
    [...new Set(extensions)].filter((each) => !ARCHIVES.includes(each)),
  );
}

/** Gold trees are never taken for documents. */
function isTaken(source: Source): boolean {
  return isDocumentSource(source) || source.name === "jsonl";
}

/** The sentences of the files, with and without brackets, in the order of the files. */
export async function* readDocuments(
  files: readonly string[],
  { labels, language }: ModelConfig,
  { source, threads }: DocumentOptions,
): AsyncGenerator<Bracketing> {
  const { code, grammar } = findLanguage(language);
  const rules: ExtractOptions = grammar ? { english: true, labels: labels !== undefined } : {};
  for (const group of await groupBySource(files, source)) {
    const documents: ExtractOptions = { kinds: KINDS, blocks: BLOCK_KINDS, threads };
    yield* extract(group.files, {
      ...CLEANING,
      ...rules,
      ...(isDocumentSource(group.source) ? documents : {}),
      source: group.source,
      language: code,
    });
  }
}

const CLEANING: ExtractOptions = {
  allSentences: true,
  trimPunctuation: true,
  dropSingle: true,
  dropWhole: true,
  dropUnbalanced: true,
  maxTokens: 100,
};

interface Group {
  readonly source: Source;
  readonly files: string[];
}

/** Files one after the other that have the same source are read together. */
async function groupBySource(files: readonly string[], named?: string): Promise<Group[]> {
  const groups: Group[] = [];
  for (const file of files) {
    const source = named === undefined ? await sourceOf(file) : sourceNamed(named);
    const last = groups.at(-1);
    if (last?.source === source) last.files.push(file);
    else groups.push({ source, files: [file] });
  }
  return groups;
}

function sourceNamed(name: string): Source {
  const source = SOURCES.find((each) => each.name === name);
  if (source) return source;
  throw new InputError(
    `there is no source "${name}"`,
    {},
    `sources are ${SOURCES.map((each) => each.name).join(", ")}`,
  );
}

/** By its content, else by its name; what nothing is known about is plain text. */
async function sourceOf(file: string): Promise<Source> {
  const path = file.replace(/\.(gz|bz2)$/, "").toLowerCase();
  if (ARCHIVES.some((ending) => path.endsWith(ending))) {
    throw new InputError(
      "an archive can hold documents of any kind",
      { file },
      "give their source, for example --source markdown",
    );
  }
  const head = await new TextInput(file).head();
  const known = SOURCES.find((source) => source.recognises(head));
  if (known) return known;
  const named = [plainText, ...SOURCES].find(
    (source) =>
      isDocumentSource(source) && source.extensions.some((ending) => path.endsWith(ending)),
  );
  return named ?? plainText;
}
