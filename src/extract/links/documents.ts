/**
 * Reads documents from XML dumps, JSON lines, lists of articles, archives and single files. Each document has its place,
 * so that a run can be cut into shards and resumed.
 */

import { InputError } from "../../errors.js";
import {
  canSeek,
  LONGEST_LINE,
  type OpenOptions,
  type Part,
  type ReadStart,
  readParts,
  tooLong,
} from "../../files/input.js";
import { splitParts } from "../../files/lines.js";
import type { InputPlace } from "../../files/shard.js";
import { isTar, readTar } from "../../files/tar.js";
import type { DocumentFormat, StoredDocument } from "./articles.js";
import { HTML_ARTICLES, LARGEST_PAGE, MEDIAWIKI_PAGES, readDumpPages } from "./dump-pages.js";
import { readArticleSite, readSite, type Site } from "./site.js";

export interface LocatedDocument extends StoredDocument, InputPlace {
  readonly site: Site | undefined;
}

export interface DocumentInput {
  readonly name: string;
  /** Its contents, if they cannot be read by the name alone. */
  readonly parts?: AsyncIterable<Part> | undefined;
}

export interface DocumentOptions extends OpenOptions {
  /** How single files are stored: "page" stands for dumps of a wiki in any form. */
  readonly format: DocumentFormat;
  /** The endings of file names that are taken from an archive. */
  readonly extensions: readonly string[];
  /** Where to begin. */
  readonly from?: InputPlace | undefined;
  /** How to open the input that it begins in; by its position if not given. */
  readonly start?: ReadStart | undefined;
  bad(error: InputError): void;
  drop(reason: string): void;
}

const NO_SITE: Site = { namespaces: [] };

export async function* readDocuments(
  inputs: readonly DocumentInput[],
  options: DocumentOptions,
): AsyncGenerator<LocatedDocument> {
  for (const [index, input] of inputs.entries()) {
    const { from } = options;
    if (from && index < from.input) continue;
    const position = from?.input === index ? from.position : 0;
    try {
      for await (const document of readInput(input, options, position)) {
        if (document.position >= position) yield { ...document, input: index };
      }
    } catch (error) {
      // What is damaged ends its input; whether it ends everything is the caller's to say.
      if (!(error instanceof InputError)) throw error;
      options.bad(error);
    }
  }
}

type InputDocument = Omit<LocatedDocument, "input">;

async function* readInput(
  input: DocumentInput,
  options: DocumentOptions,
  from: number,
): AsyncGenerator<InputDocument> {
  const parts = (input.parts ?? readParts(input.name, options))[Symbol.asyncIterator]();
  const first = await parts.next();
  if (first.done) return;
  const head = first.value.bytes;
  const whole = resume(first.value, parts);
  if (isTar(head)) yield* readArchive(input, whole, options);
  else if (options.format === "html" && isArticles(head))
    yield* readArticles(input, whole, options);
  else if (options.format !== "page") yield* readSingle(input, whole, options);
  else if (isJson(head)) yield* readLines(input.name, whole);
  else if (isUtf16(head)) yield* readDump(input, transcode(whole), NO_SITE, options, false);
  else {
    const site = readSite(decodeHead(head));
    const seeks = from > 0 && !input.parts && (await canSeek(input.name, options));
    if (seeks) await parts.return?.();
    const rest = seeks ? readParts(input.name, options, options.start ?? from) : whole;
    yield* readDump(input, rest, site, options, seeks);
  }
}

async function* resume(first: Part, rest: AsyncIterator<Part>): AsyncGenerator<Part> {
  try {
    yield first;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

function decodeHead(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes.subarray(0, 1 << 16));
}

function isJson(bytes: Uint8Array): boolean {
  return decodeHead(bytes).trimStart().startsWith("{");
}

/** Not a page that has an article in it, but articles one after the other. */
function isArticles(bytes: Uint8Array): boolean {
  return /^\s*<article[\s>]/.test(decodeHead(bytes));
}

function isUtf16([first, second]: Uint8Array): boolean {
  return first === 0xff && second === 0xfe;
}

/** A dump in UTF-16 is one piece: its bytes have no places that could be found again. */
async function* transcode(parts: AsyncIterable<Part>): AsyncGenerator<Part> {
  const decoder = new TextDecoder("utf-16le");
  for await (const { bytes } of parts) {
    const text = decoder.decode(bytes, { stream: true });
    yield { bytes: Buffer.from(text, "utf8"), position: 0, exact: false };
  }
}

async function* readDump(
  { name }: DocumentInput,
  parts: AsyncIterable<Part>,
  known: Site,
  { bad, drop }: DocumentOptions,
  inside: boolean,
): AsyncGenerator<InputDocument> {
  let site = known;
  const form = MEDIAWIKI_PAGES;
  const watched = async function* () {
    for await (const part of parts) {
      if (site === NO_SITE) site = readSite(decodeHead(part.bytes));
      yield part;
    }
  };
  for await (const page of readDumpPages(watched(), { file: name, form, inside, bad, drop })) {
    yield { format: "page", file: name, name: "", site, ...page };
  }
}

/** HTML articles one after the other, each a document. */
async function* readArticles(
  { name: file }: DocumentInput,
  parts: AsyncIterable<Part>,
  { format, bad, drop }: DocumentOptions,
): AsyncGenerator<InputDocument> {
  let count = 0;
  for await (const page of readDumpPages(parts, { file, form: HTML_ARTICLES, bad, drop })) {
    yield { format, file, name: `${file}#${count}`, site: undefined, ...page };
    count += 1;
  }
}

/** Files of an archive; of a wiki's those with one article per line. */
async function* readArchive(
  { name: file }: DocumentInput,
  parts: AsyncIterable<Part>,
  options: DocumentOptions,
): AsyncGenerator<InputDocument> {
  for await (const entry of readTar(parts, file)) {
    const isDump = options.format === "page";
    const extensions = isDump ? [".ndjson", ".jsonl", ".json"] : options.extensions;
    if (!extensions.some((extension) => entry.name.endsWith(extension))) {
      options.drop("files of other kinds in archives");
    } else if (isDump) {
      yield* readLines(file, entry.parts());
    } else {
      yield* readSingle({ name: file }, entry.parts(), options, entry.name, entry.position);
    }
  }
}

async function* readSingle(
  { name: file }: DocumentInput,
  parts: AsyncIterable<Part>,
  { format, drop }: DocumentOptions,
  name = file,
  position = 0,
): AsyncGenerator<InputDocument> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const { bytes } of parts) {
    size += bytes.length;
    if (size <= LARGEST_PAGE) pieces.push(bytes);
  }
  if (size > LARGEST_PAGE) drop(`pages over ${LARGEST_PAGE / 1e6} MB`);
  else yield { format, file, name, bytes: Buffer.concat(pieces), position, site: undefined };
}

async function* readLines(file: string, parts: AsyncIterable<Part>): AsyncGenerator<InputDocument> {
  let site: Site | undefined;
  for await (const lines of splitParts(parts, LONGEST_LINE)) {
    for (const { bytes, position, line, ends } of lines) {
      if (!ends) throw tooLong(`a line of over ${LONGEST_LINE} bytes`, { file, line });
      const isBlank = bytes.length < 2 || Buffer.from(bytes).toString("latin1").trim() === "";
      if (isBlank) continue;
      site ??= readArticleSite(new TextDecoder().decode(bytes));
      yield { format: "article", file, name: "", site, bytes, position };
    }
  }
}
