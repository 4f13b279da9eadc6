/**
 * What replaces a template. Templates are programs in the wiki, not in the page. Some stand for words
 * that can be read from their arguments; footnotes and notices can be removed; of any other template
 * among words we only know that the sentence is incomplete without it.
 */

import { HOLE } from "../marked.js";

/** Templates that show an argument: its number, counted from 1, or 0 for the last. */
const SHOWN: Record<number, string> = {
  0: "transl transliteration tlit translit",
  1: `nowrap nobr nobreak nobold noitalic small smaller big larger sup sub em strong bold code mono
    kbd samp key keypress abbr tooltip vanchor visible_anchor angbr angle_bracket ill
    interlanguage_link illm math mvar var bigmath smallcaps sc allcaps flag flagcountry flagu script
    not_a_typo as_written unicode polytonic hebrew formatnum nihongo linktext xt lien citation_étrangère`,
  2: "lang lingua langue color font_color hover_title audio",
};
const ARGUMENT = new Map(
  Object.entries(SHOWN).flatMap(([index, names]) =>
    names.split(/\s+/).map((name): [string, number] => [name, Number(index)]),
  ),
);

/** Templates that stand for a sign. */
const SIGNS = new Map([
  ["!", "|"],
  ["=", "="],
  ["ndash", "–"],
  ["en dash", "–"],
  ["–", "–"],
  ["snd", " – "],
  ["spnd", " – "],
  ["spaced ndash", " – "],
  ["spaced en dash", " – "],
  ["dash", " – "],
  ["mdash", "—"],
  ["em dash", "—"],
  ["—", "—"],
  ["spaced mdash", " — "],
  ["'", "'"],
  ["'s", "'s"],
  ["nbsp", " "],
  ["space", " "],
  ["spaces", " "],
  ["pi", "π"],
  ["shy", ""],
  ["zwsp", ""],
  ["wbr", ""],
  ["·", "·"],
  ["•", "•"],
  ["dot", "·"],
  ["euro", "€"],
  ["pound sign", "£"],
  ["degree", "°"],
]);

/** Footnotes, doubts, notices, icons: nothing is missed where they stood. */
const SILENT = new RegExp(
  `^(?:${`cite citation cita cn fact sfn sfnp sfnm harv harvnb harvtxt efn refn ref refs r rp note
    notetag nota when who whom which where why how by according clarify clarification dubious
    disputed page pp specify verify fv failed better vague weasel pov or original self-published
    unreliable non-primary primary third-party medical update full examples definition attribution
    quantify disambiguation dn relevance opinion ambiguous importance contradict inline isbn issn
    doi oclc lccn pmid bibcode arxiv sic dead webarchive anchor anchors flagicon flagdeco
    main see further hatnote selfref clear toc refbegin refend commons wiktionary portal belege
    quelle chiarire senza citazione`
    .split(/\s+/)
    .join("|")})(?![\\p{L}\\p{N}])`,
  "iu",
);

/** Paragraphs of their own. */
const QUOTES = new Set([
  "quote",
  "blockquote",
  "bquote",
  "cquote",
  "quotation",
  "zitat",
  "citazione",
]);
const SHIPS = /^(?:USS|HMS|HMAS|HMCS|SS|RMS|MS|MV|USCGC|SMS|USNS)$/;
/** Numbers with their unit, and dates, as French and Spanish wikis write them. */
const QUANTITIES = new Set(["unité", "unidad", "unitat", "nombre", "nb", "date", "val"]);
const LANGUAGE_OF = /^lang-[a-z-]+$/;

/** The text that replaces a template, given the contents of its braces. */
export function renderTemplate(content: string): string {
  const parts = splitArguments(content);
  const title = (parts[0] as string).trim();
  const name = title.toLowerCase().replaceAll("_", " ");
  const sign = SIGNS.get(name);
  if (sign !== undefined) return sign;
  const positional = positionalArguments(parts);
  const index = ARGUMENT.get(name.replaceAll(" ", "_")) ?? (LANGUAGE_OF.test(name) ? 1 : undefined);
  if (index !== undefined) return (positional.at(index - 1) ?? HOLE).trim();
  if (QUOTES.has(name)) return `\n\n${quoted(parts, positional)}\n\n`;
  if (name === "convert" || name === "cvt") return measure(positional);
  if (QUANTITIES.has(name)) return quantity(positional);
  if (name === "chem" || name === "chem2") return positional.join("") || HOLE;
  if (name === "circa" || name === "c.") return `c. ${positional[0] ?? ""}`;
  if (name === "as of") return asOf(positional);
  if (name === "frac" || name === "sfrac") return fraction(positional);
  if (name === "us$" || name === "usd") return `US$${positional[0] ?? ""}`;
  if (SHIPS.test(title) && positional[0]) return `${title} ${positional[0]}`;
  return SILENT.test(name) ? "" : HOLE;
}

/** At the bars that are not within a link. */
function splitArguments(content: string): string[] {
  if (!content.includes("[[")) return content.split("|");
  const parts: string[] = [];
  let [from, depth] = [0, 0];
  for (const { 0: sign, index } of content.matchAll(/\[\[|\]\]|\|/g)) {
    if (sign === "[[") depth += 1;
    else if (sign === "]]") depth = Math.max(0, depth - 1);
    else if (depth === 0) {
      parts.push(content.slice(from, index));
      from = index + 1;
    }
  }
  parts.push(content.slice(from));
  return parts;
}

const NAMED = /^\s*([\p{L}\p{N} _-]{1,30}?)\s*=/u;

function positionalArguments(parts: readonly string[]): string[] {
  const found: string[] = [];
  for (const part of parts.slice(1)) {
    const name = NAMED.exec(part);
    if (!name) found.push(part);
    else if (/^\d{1,2}$/.test(name[1] as string)) {
      found[Number(name[1]) - 1] = part.slice(name[0].length);
    }
  }
  return Array.from(found, (value) => value ?? "");
}

function quoted(parts: readonly string[], positional: readonly string[]): string {
  const named = parts.find((part) => /^\s*(?:text|quote|1|testo|Text)\s*=/.test(part));
  return named ? named.slice(named.indexOf("=") + 1) : (positional[0] ?? "");
}

const RANGE = /^(?:to|and|or|by|x|×|-|–|\+\/-|±|to\(-\)|and\(-\))$/;

/** `{{convert|10|to|20|km|mi}}`: the measure as written, without its conversion. */
function measure(values: readonly string[]): string {
  const trimmed = values.map((value) => value.trim());
  const shown = [trimmed[0] ?? ""];
  let at = 1;
  while (RANGE.test(trimmed[at] ?? "") && trimmed[at + 1]) {
    shown.push(trimmed[at] as string, trimmed[at + 1] as string);
    at += 2;
  }
  return [...shown, unit(trimmed[at] ?? "")].join(" ").trim() || HOLE;
}

const POWERS = new Map([
  ["e3", "thousand "],
  ["e6", "million "],
  ["e9", "billion "],
]);
const LONG_UNITS = new Map([
  ["acre", "acres"],
  ["acres", "acres"],
  ["sqmi", "square miles"],
  ["sqft", "square feet"],
  ["sqkm", "square kilometres"],
  ["miles", "miles"],
  ["feet", "feet"],
  ["knots", "knots"],
  ["tonnes", "tonnes"],
]);
const SHORT_UNIT = /^[°a-zµ]{1,3}[23]?(?:\/[a-z]{1,3}[23]?)?$/i;

/** What a reader would call it: the template has codes of its own, such as `e6acre`. */
function unit(code: string): string {
  const [power = ""] = /^e\d+/.exec(code) ?? [];
  const name = code.slice(power.length);
  const shown = LONG_UNITS.get(name) ?? (SHORT_UNIT.test(name) ? name : HOLE);
  return `${power && (POWERS.get(power) ?? HOLE)}${shown}`;
}

function fraction(values: readonly string[]): string {
  const [below = "", above = "1", whole] = values.slice(0, 3).reverse();
  return `${whole ? `${whole} ` : ""}${above}/${below}`;
}

function quantity(values: readonly string[]): string {
  return values.filter((value) => value.trim() !== "").join(" ") || HOLE;
}

const MONTHS = `January February March April May June July August September October November
  December`.split(/\s+/);

function asOf([year = "", month = "", day = ""]: readonly string[]): string {
  const name = MONTHS[Number(month) - 1] ?? month;
  return `As of ${[day, name, year].filter((part) => part.trim() !== "").join(" ")}`;
}
