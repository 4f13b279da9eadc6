/** Dumps and runs over them, written in the tests. */

import { fileURLToPath } from "node:url";
import type { Bracketing } from "../../../src/brackets/record.js";
import { type DocumentRun, runDocuments } from "../../../src/extract/links/run.js";
import type { DocumentSettings } from "../../../src/extract/options.js";
import { ExtractReport, type ReportCounts } from "../../../src/extract/report.js";
import { wikipedia } from "../../../src/extract/sources/wikipedia.js";

export const fixture = (name: string) =>
  fileURLToPath(new URL(`fixtures/${name}.xml.bz2`, import.meta.url));

export const SETTINGS: DocumentSettings = {
  source: "wikipedia",
  kinds: ["link"],
  blocks: ["prose"],
};

const escapeXml = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

export function page(id: number, text: string, inside = "<ns>0</ns>"): string {
  return `<page><title>Page ${id}</title>${inside}<id>${id}</id><revision><id>9</id><text bytes="1" xml:space="preserve">${escapeXml(text)}</text></revision></page>\n`;
}

export function dump(...pages: string[]): string {
  return `<mediawiki xml:lang="en">\n<siteinfo><dbname>enwiki</dbname></siteinfo>\n${pages.join("")}</mediawiki>\n`;
}

export interface RunResult {
  readonly lines: string;
  readonly records: Bracketing[];
  readonly counts: ReportCounts & { readonly pages: number };
}

type Changes = Partial<Omit<DocumentRun, "settings" | "source">> & {
  settings?: Partial<DocumentSettings>;
  format?: DocumentRun["source"]["format"];
  extensions?: readonly string[];
};

/** A run on this thread. */
export function plan(
  files: readonly string[],
  { settings, format = "page", extensions = [".md"], ...changes }: Changes = {},
): DocumentRun {
  return {
    source: { ...wikipedia, format, extensions },
    threads: 1,
    ...changes,
    inputs: files.map((name) => ({ name })),
    settings: { ...SETTINGS, ...settings },
  };
}

export async function run(files: readonly string[], changes: Changes = {}): Promise<RunResult> {
  const report = new ExtractReport();
  let lines = "";
  for await (const step of runDocuments(plan(files, changes))) {
    lines += step.lines;
    report.add(step.counts);
  }
  const records = lines
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Bracketing);
  return { lines, records, counts: { pages: 0, ...report.toJSON() } };
}
