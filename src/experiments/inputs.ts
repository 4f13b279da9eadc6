/**
 * Finds the files of an experiment: those given one by one, and the others by their places in a folder
 * of data. If a file is missing, the error says what was looked for.
 */

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { glob } from "tinyglobby";
import { InputError } from "../errors.js";
import { expandInputs } from "../files/expand-inputs.js";
import { TREEBANK_EXTENSIONS } from "../treebanks/read-treebank.js";
import type { DataName } from "./paper-numbers.js";

export type InputName = DataName | "gold";

export interface NamedInputs {
  /** A folder with answers/, links/ and treebanks/. */
  readonly data?: string | undefined;
  readonly qasrl?: readonly string[] | undefined;
  readonly wikipedia?: readonly string[] | undefined;
  readonly gold?: readonly string[] | undefined;
}

interface Place {
  readonly what: string;
  /** Within the folder of data. */
  readonly patterns: readonly string[];
  /** What a folder that is named itself is searched for. */
  readonly extensions: readonly string[];
}

const treeFile = `*{${TREEBANK_EXTENSIONS.join(",")}}{,.gz,.bz2,.xz}`;

const PLACES: Readonly<Record<InputName, Place>> = {
  qasrl: {
    what: "newswire sentences of QA-SRL 1.0",
    patterns: ["answers/qasrl1-oie/newswire-propbank.*"],
    extensions: [".conll", ".qa", ".jsonl"],
  },
  wikipedia: {
    what: "pages of the English Wikipedia",
    patterns: [
      "links/wikipedia-en-*/enwiki-*",
      "links/wikipedia-minidumps/en.xml*",
      "links/wikipedia-en-wikitext/*.tar*",
    ],
    extensions: [".xml", ".ndjson", ".jsonl", ".tar", ".tgz", ".mediawiki", ".wiki", ".txt"],
  },
  gold: {
    what: "gold trees of the Wall Street Journal",
    patterns: [`treebanks/wsj-*/**/${treeFile}`],
    extensions: TREEBANK_EXTENSIONS,
  },
};

/** The files, in an order that is the same everywhere. */
export async function findInputs(name: InputName, named: NamedInputs): Promise<string[]> {
  const { what, patterns, extensions } = PLACES[name];
  const given = named[name];
  if (given) return (await expandInputs(given, extensions)).map((file) => resolve(file));
  if (named.data === undefined) throw missing(`${what} are not named`, name);
  const isFolder = await stat(named.data).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) {
    throw new InputError("there is no such folder", { file: named.data }, remedyFor(name));
  }
  const found: string[] = [];
  for (const pattern of patterns) {
    const files = await glob(pattern, { cwd: named.data, expandDirectories: false });
    found.push(...files.sort().map((file) => resolve(named.data as string, file)));
  }
  if (found.length > 0) return found;
  throw missing(`no ${what}`, name, join(named.data, patterns[0] as string));
}

function missing(problem: string, name: InputName, file?: string): InputError {
  return new InputError(problem, { file }, remedyFor(name));
}

function remedyFor(name: InputName): string {
  return `give a folder with the layout in docs/experiments.md (--data), or the files themselves (--${name})`;
}

/** What tells whether large files are still the same, without reading them. */
export async function fingerprint(files: readonly string[]): Promise<string> {
  const known = await Promise.all(
    files.map(async (file) => {
      const status = await stat(file);
      if (!status.isFile()) {
        throw new InputError(
          "this input can be read only once",
          { file },
          "write it to a file first",
        );
      }
      return [file, status.size, status.mtimeMs];
    }),
  );
  return createHash("sha256").update(JSON.stringify(known)).digest("hex");
}

/** SHA-256 over the contents of files, wherever they are and whatever they are called. */
export async function contentHash(files: readonly string[]): Promise<string> {
  const hash = createHash("sha256");
  for (const file of files) {
    for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  }
  return hash.digest("hex");
}

/** The last folder that all files are in: what a reader knows a treebank by. */
export function commonName(files: readonly string[]): string {
  const [first = "", ...rest] = files;
  if (rest.length === 0) return basename(first);
  const parts = first.split(/[\\/]/);
  const shared = parts.findIndex((part, index) =>
    rest.some((file) => file.split(/[\\/]/)[index] !== part),
  );
  return parts[shared - 1] ?? basename(first);
}
