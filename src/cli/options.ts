/** Options that several commands share, and the parsing of their values. */

import { InvalidArgumentError, Option } from "commander";
import { InputError } from "../errors.js";
import { PROTOCOLS, type ProtocolName } from "../evaluation/protocols.js";
import type { Shard } from "../files/shard.js";
import { isStdin } from "../files/stdin.js";
import { canonicalCode } from "../languages/index.js";
import { DECODINGS, PRECISIONS, type Precision } from "../model/config.js";

type Protocols = Readonly<Record<string, { readonly name: string; readonly summary: string }>>;

export function protocolOption(protocols: Protocols = PROTOCOLS): Option {
  return new Option("-p, --protocol <name>", "the scoring convention")
    .choices(Object.keys(protocols))
    .default("kim" satisfies ProtocolName);
}

export function protocolHelp(protocols: Protocols = PROTOCOLS): string {
  const rows = Object.values(protocols).map(
    ({ name, summary }) => `  ${name.padEnd(11)} ${summary}`,
  );
  return `\nProtocols:\n${rows.join("\n")}`;
}

export function unlabelledOption(): Option {
  return new Option("--unlabelled", "trees have no labels: ((the cat) sat)");
}

/** An option's value as a whole number from `least` to `most`. */
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

/** More threads than any machine of today has processors. */
export const MOST_THREADS = 256;

/** A language's code, in its standard form. */
export function languageOption(description: string): Option {
  return new Option("--language <code>", description).argParser(canonicalCode);
}

export function precisionOption(): Option {
  return new Option("--precision <name>", "int8 is faster, and a little less exact")
    .choices([...PRECISIONS])
    .default("fp32" satisfies Precision);
}

export function decodingOption(): Option {
  return new Option(
    "--decoding <name>",
    "the binary tree with the best score, the binary one with the least risk, or the best phrases",
  ).choices([...DECODINGS]);
}

/** An option's value as a number of a kind that `what` describes. */
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

/** Gathers the values of an option that is given more than once. */
export function collect(value: string, before: readonly string[]): string[] {
  return [...before, value];
}

export function shardOption(description: string): Option {
  return new Option("--shard <i/n>", description).argParser(shard);
}

function shard(value: string): Shard {
  const [number = 0, of = 0] = /^\d+\/\d+$/.test(value) ? value.split("/").map(Number) : [];
  if (number >= 1 && number <= of) return { number, of };
  throw new InvalidArgumentError("It must be of the form 1/4 … 4/4.");
}

const OTHER_PICTURES = /\.(?:png|jpe?g|gif|webp|avif|bmp|tiff?|pdf|e?ps)$/i;

/** Pictures are SVG, whatever the file is called: a name that says otherwise is refused. */
export function checkPictureName(file: string | undefined): void {
  if (file === undefined || !OTHER_PICTURES.test(file)) return;
  throw new InputError(
    "the picture is SVG, and this name says that it is not",
    { file },
    `name it ${file.replace(OTHER_PICTURES, ".svg")}; other programs turn SVG into other formats`,
  );
}

/** Standard input can be read once only. */
export function checkSingleStdin(names: readonly (string | undefined)[]): void {
  if (names.filter((name) => name !== undefined && isStdin(name)).length > 1) {
    throw new InputError("standard input (-) is named twice", {}, "write one of the two to a file");
  }
}

export function examples(...lines: string[]): string {
  return `\nExamples:\n${lines.map((line) => `  ${line}`).join("\n")}`;
}
