/**
 * From a stored document to an article: name, title, text. Pages that are not articles (other
 * namespaces, redirects) are recognised by their head, before the rest is decoded.
 */

import { decodeXML } from "entities";
import { InputError, type Place } from "../../errors.js";
import { parseCode } from "../../languages/codes.js";
import { field, isObject, isString, parseJson } from "../sources/source.js";

/** How a document is stored. */
export type DocumentFormat =
  /** `<page>…</page>` of a MediaWiki XML dump. */
  | "page"
  /** A line of a Wikimedia Enterprise HTML dump. */
  | "article"
  | "wikitext"
  | "html"
  | "markdown"
  | "text"
  /** A module of a textbook of OpenStax. */
  | "cnxml";

export interface StoredDocument {
  readonly format: DocumentFormat;
  /** The file that it is from. */
  readonly file: string;
  /** Its path within an archive or folder, where it has one. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface Article {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly markup: "wikitext" | "parsoid" | "html" | "markdown" | "text" | "cnxml";
  /** The code of its language, if it says it itself. */
  readonly language?: string | undefined;
}

export type Skip = (reason: string) => undefined;

export interface ArticleContext {
  /** Whether the article is in the sample. */
  isWanted(id: string): boolean;
  skip: Skip;
}

/** The article in a document; undefined, and counted, if it is not an article or not wanted. */
export function readArticle(
  document: StoredDocument,
  context: ArticleContext,
): Article | undefined {
  const place = { file: document.file };
  if (document.format === "page") return readPage(document.bytes, place, context);
  if (document.format === "article") return readEnterprise(document.bytes, place, context);
  const { name, bytes, format } = document;
  if (!context.isWanted(name)) return context.skip("pages not in the sample");
  const text = decode(bytes);
  return { id: name, title: name, text, markup: format, language: readLanguage(text, format) };
}

/** What the first tags of a page say; only pages in tags do. */
function readLanguage(text: string, format: DocumentFormat): string | undefined {
  if (format !== "html" && format !== "cnxml") return undefined;
  const head = text.slice(0, HEAD);
  const code =
    /<(?:html|article|document)\b[^>]*?\s(?:xml:)?lang\s*=\s*["']([\w-]{2,20})["']/i.exec(
      head,
    )?.[1] ?? /<md:language>\s*([\w-]{2,20})\s*<\/md:language>/.exec(head)?.[1];
  return code === undefined ? undefined : parseCode(code);
}

function decode(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const encoding = first === 0xff && second === 0xfe ? "utf-16le" : "utf-8";
  return new TextDecoder(encoding).decode(bytes);
}

/** Where title, namespace, id and language are, whatever the page's length. */
const HEAD = 4096;

function readPage(bytes: Uint8Array, place: Place, { isWanted, skip }: ArticleContext) {
  const head = decode(bytes.subarray(0, HEAD));
  const title = decodeXML(element(head, "title", place));
  const malformed = (what: string) =>
    new InputError(
      `malformed dump: the page “${title}” ${what}`,
      place,
      "download the file again, or skip such pages with --skip-bad",
    );
  const namespace = /<ns>\s*(-?\d+)\s*<\/ns>/.exec(head)?.[1] ?? "0";
  const id = /<id>\s*(\d+)\s*<\/id>/.exec(head)?.[1];
  if (namespace !== "0") return skip("pages of other namespaces");
  if (head.includes("<redirect")) return skip("redirects");
  if (id === undefined) throw malformed("has no <id>");
  if (!isWanted(id)) return skip("pages not in the sample");
  const page = decode(bytes);
  const model = /<model>([^<]*)<\/model>/.exec(page)?.[1] ?? "wikitext";
  if (model !== "wikitext") return skip("pages that are not wikitext");
  // Of a page with its history the last revision counts.
  const opening = page.lastIndexOf("<text");
  const begin = page.indexOf(">", opening) + 1;
  if (opening < 0 || begin === 0) throw malformed("has no <text>");
  if (page.charAt(begin - 2) === "/") return skip("empty pages");
  const end = page.indexOf("</text>", begin);
  if (end < 0) throw malformed("has a <text> that is never closed");
  const escaped = page.slice(begin, end);
  if (escaped.includes("<")) throw malformed("has a < within its <text>");
  const text = unescapeXml(escaped);
  if (/^\s*#redirect\b/i.test(text)) return skip("redirects");
  return { id, title, text, markup: "wikitext" as const };
}

function element(head: string, name: string, place: Place): string {
  const found = new RegExp(`<${name}>([^<]*)</${name}>`).exec(head)?.[1];
  if (found !== undefined) return found;
  throw new InputError(
    `malformed dump: a page has no <${name}>`,
    place,
    "download the file again, or skip such pages with --skip-bad",
  );
}

const XML_ENTITIES = new Map([
  ["&lt;", "<"],
  ["&gt;", ">"],
  ["&quot;", '"'],
  ["&amp;", "&"],
  ["&apos;", "'"],
]);

/** What dumps escape; an entity of HTML in the text is escaped itself and stays one. */
function unescapeXml(text: string): string {
  return text.replace(/&(?:lt|gt|quot|amp|apos|#\d+|#x[\da-f]+);/gi, (entity) => {
    return XML_ENTITIES.get(entity) ?? decodeXML(entity);
  });
}

function readEnterprise(bytes: Uint8Array, place: Place, { isWanted, skip }: ArticleContext) {
  const record = parseJson(decode(bytes), place);
  const title = field(record, "name", isString, place);
  const id = String(field(record, "identifier", isIdentifier, place));
  const { namespace } = record as Record<string, unknown>;
  if (isObject(namespace) && namespace.identifier !== 0) return skip("pages of other namespaces");
  if (!isWanted(id)) return skip("pages not in the sample");
  const body = field(record, "article_body", isObject, place);
  if (isString(body.html)) return { id, title, text: body.html, markup: "parsoid" as const };
  const text = field(body, "wikitext", isString, place);
  return { id, title, text, markup: "wikitext" as const };
}

function isIdentifier(value: unknown): value is string | number {
  return typeof value === "string" || typeof value === "number";
}
