/** Options that several commands share, so that they have the same words everywhere, and parsers of values. */

import { InvalidArgumentError, Option } from "commander";
import { InputError } from "../errors.js";
import { PROTOCOLS, type ProtocolName } from "../evaluation/protocols.js";
import { TAG_SETS } from "../evaluation/tag-sets.js";
import type { Shard } from "../files/shard.js";
import { isStdin } from "../files/stdin.js";
import { AUTO } from "../languages/codes.js";
import { canonicalCode } from "../languages/index.js";
import { DECODINGS, PRECISIONS, type Precision } from "../model/config.js";
import { MOST_THREADS } from "../options.js";
import { TREE_FORMATS, type TreeFormatName } from "../trees/formats.js";

type Protocols = Readonly<Record<string, { readonly name: string; readonly summary: string }>>;

export function protocolOption(protocols: Protocols = PROTOCOLS): Option {
  return new Option("-p, --protocol <name>", "scoring convention")
    .choices(Object.keys(protocols))
    .default("kim" satisfies ProtocolName);
}

export function protocolHelp(protocols: Protocols = PROTOCOLS): string {
  const rows = Object.values(protocols).map(
    ({ name, summary }) => `  ${name.padEnd(11)} ${summary}`,
  );
  return `\nProtocols:\n${rows.join("\n")}`;
}

export function punctuationOption(): Option {
  return new Option(
    "--punctuation <set>",
    "which tags are punctuation: auto, a tag set, or a list of tags",
  ).default("auto");
}

export function punctuationHelp(): string {
  const rows = Object.entries(TAG_SETS).map(([name, { summary }]) => [name, summary] as const);
  const all = [
    ["auto", "recognises the tag set; otherwise as characters, with a warning"],
    ...rows,
    ["characters", "tags of tokens that are mostly punctuation characters"],
    ["LIST", 'tags separated by blanks or commas: "PU SYM"; F* is every tag that begins with F'],
  ] as const;
  return `\nPunctuation:\n${all.map(([name, summary]) => `  ${name.padEnd(11)} ${summary}`).join("\n")}`;
}

export function unlabelledOption(): Option {
  return new Option("--unlabelled", "the trees have no labels: ((the cat) sat)");
}

/** Parses a whole number from `least` to `most`. */
export function wholeNumber(
  least: number,
  most = Number.MAX_SAFE_INTEGER,
): (value: string) => number {
  const range =
    most === Number.MAX_SAFE_INTEGER ? `, ${least} or more` : ` from ${least} to ${most}`;
  return (value) => {
    const number = Number(value);
    if (/^\d+$/.test(value) && number >= least && number <= most) return number;
    throw new InvalidArgumentError(`It must be a whole number${range}.`);
  };
}

export function threadsOption(scope = "", byDefault = "one per processor"): Option {
  return new Option("--threads <n>", `${scope}number of threads (default: ${byDefault})`).argParser(
    wholeNumber(1, MOST_THREADS),
  );
}

/** More categories than this nobody can read. */
export const MOST_CATEGORIES = 1000;

/** The description of `-o`, for commands whose runs can be resumed. */
export const RESUMABLE_OUT = "write to a file; a killed run continues when started again";

/** How trees and other inputs are named. */
export const INPUT_FILES =
  "files, folders or patterns (also .gz, .bz2, .xz), or - for standard input";

export function formatOption(): Option {
  return new Option("-f, --format <name>", "output format")
    .choices(Object.keys(TREE_FORMATS))
    .default("penn" satisfies TreeFormatName);
}

export function formatHelp(title: string): string {
  const rows = Object.entries(TREE_FORMATS).map(
    ([name, { summary }]) => `  ${name.padEnd(11)} ${summary}`,
  );
  return `\n${title}:\n${rows.join("\n")}`;
}

/** The language of texts that may tell it themselves. */
export function textLanguageOption(): Option {
  return new Option(
    "--language <code>",
    "language of the text, such as de; auto detects it for each document",
  )
    .default(AUTO)
    .argParser((code: string) => (code === AUTO ? AUTO : canonicalCode(code)));
}

/** A language code, in its standard form. */
export function languageOption(description: string, value = "<code>"): Option {
  return new Option(`--language ${value}`, description).argParser(canonicalCode);
}

export function precisionOption(): Option {
  return new Option(
    "--precision <name>",
    "precision of the weights; int8 is faster and slightly less accurate",
  )
    .choices([...PRECISIONS])
    .default("fp32" satisfies Precision);
}

export function decodingOption(): Option {
  return new Option(
    "--decoding <name>",
    "which tree: best: the binary tree with the highest score; risk: the binary tree with the most spans expected to be right; phrases: the tree with the highest expected F1, binary or flat (default: the model's own)",
  ).choices([...DECODINGS]);
}

/** Parses a number that must be of a certain kind, which `what` describes. */
export function numberThat(
  isGood: (value: number) => boolean,
  what: string,
): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() !== "" && isGood(value)) return value;
    throw new InvalidArgumentError(`It must be ${what}.`);
  };
}

export const probability = numberThat((value) => value >= 0 && value <= 1, "a number from 0 to 1");

/** Collects the values of an option that may be repeated. */
export function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

export function shardOption(description: string): Option {
  return new Option("--shard <i/n>", description).argParser(shard);
}

function shard(value: string): Shard {
  const [number = 0, of = 0] = /^\d+\/\d+$/.test(value) ? value.split("/").map(Number) : [];
  if (number >= 1 && number <= of) return { number, of };
  throw new InvalidArgumentError("It must be a part and the number of parts, such as 1/4 … 4/4.");
}

const OTHER_PICTURES = /\.(?:png|jpe?g|gif|webp|avif|bmp|tiff?|pdf|e?ps)$/i;

/** Pictures are always SVG, so a file name for another format is refused. */
export function checkPictureName(file: string | undefined): void {
  if (file === undefined || !OTHER_PICTURES.test(file)) return;
  throw new InputError(
    "the picture is written as SVG, but this file name is for another format",
    { file },
    `write to ${file.replace(OTHER_PICTURES, ".svg")}, and convert it with another program`,
  );
}

/** Standard input can be read only once. */
export function checkSingleStdin(names: readonly (string | undefined)[]): void {
  if (names.filter((name) => name !== undefined && isStdin(name)).length > 1) {
    throw new InputError("standard input (-) is given twice", {}, "write one of the two to a file");
  }
}

export function examples(...lines: string[]): string {
  return `\nExamples:\n${lines.map((line) => `  ${line}`).join("\n")}`;
}
