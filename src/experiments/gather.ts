/**
 * Collects everything in the given files as Bracketings in one file, without cleaning: this is what
 * Table 1 of the paper counts. From Wikipedia it takes every sentence of prose, with or without links.
 */

import { availableParallelism } from "node:os";
import { readBracketings } from "../brackets/read-bracketings.js";
import { toLine } from "../brackets/record.js";
import { Progress } from "../display/progress.js";
import { InputError } from "../errors.js";
import { extract } from "../extract/extract.js";
import { extractSteps, planExtraction } from "../extract/pipeline.js";
import { ExtractReport } from "../extract/report.js";
import { jsonl } from "../extract/sources/jsonl.js";
import type { DocumentSource } from "../extract/sources/source.js";
import { wikipedia } from "../extract/sources/wikipedia.js";
import { wikitext } from "../extract/sources/wikitext.js";
import { readParts } from "../files/input.js";
import type { Output } from "../files/output.js";
import { isTar, readTar } from "../files/tar.js";
import { TextInput } from "../files/text-input.js";

/** Writes the Bracketings of question-answer data; returns how many there are. */
export async function gatherAnswers(files: readonly string[], output: Output): Promise<number> {
  const progress = new Progress({ unit: "sentences" });
  const extraction = extract(files);
  for await (const record of extraction) {
    await output.write(toLine(record));
    progress.advance();
  }
  progress.finish();
  return extraction.report.written;
}

/** Writes the sentences of Wikipedia; returns how many there are. */
export async function gatherLinks(files: readonly string[], output: Output): Promise<number> {
  const groups = new Map<DocumentSource | undefined, string[]>();
  for (const file of files) {
    const source = await linkSourceOf(file);
    groups.set(source, [...(groups.get(source) ?? []), file]);
  }
  const progress = new Progress({ unit: "sentences" });
  let written = 0;
  const take = async (lines: string, count: number) => {
    await output.write(lines);
    progress.advance(count);
    written += count;
  };
  for (const [source, members] of groups) {
    if (source) await gatherPages(source, members, take);
    else for (const file of members) await gatherRecords(file, take);
  }
  progress.finish();
  return written;
}

type Take = (lines: string, count: number) => Promise<void>;

async function gatherPages(source: DocumentSource, files: readonly string[], take: Take) {
  // Of articles in files of their own, too: what a dump would give of them.
  const asDump = { ...source, name: wikipedia.name, blocks: wikipedia.blocks };
  const threads = availableParallelism();
  const plan = await planExtraction(files, { source: asDump, allSentences: true, threads });
  const report = new ExtractReport();
  let before = 0;
  for await (const { lines } of extractSteps(plan, report)) {
    await take(lines(), report.written - before);
    before = report.written;
  }
}

/** Bracketings that were extracted before, a sample of a full dump for instance. */
async function gatherRecords(file: string, take: Take): Promise<void> {
  for await (const bracketing of readBracketings(new TextInput(file))) {
    await take(toLine(bracketing), 1);
  }
}

/** How a file of Wikipedia is stored; undefined if it holds Bracketings. */
async function linkSourceOf(file: string): Promise<DocumentSource | undefined> {
  const { value: first } = await readParts(file).next();
  if (!first) throw new InputError("the file is empty", { file }, "download it again");
  if (isTar(first.bytes)) return (await holdsDump(file)) ? wikipedia : wikitext;
  const head = new TextDecoder().decode(first.bytes.subarray(0, 1 << 16));
  if (jsonl.recognises(head)) return undefined;
  const isDump = wikipedia.recognises(head) || head.trimStart().startsWith("{");
  return isDump ? wikipedia : wikitext;
}

/** Archives are of an HTML dump, with many articles a file, or of articles as files. */
async function holdsDump(file: string): Promise<boolean> {
  for await (const { name } of readTar(readParts(file), file)) return /\.(nd)?jsonl?$/.test(name);
  return false;
}
