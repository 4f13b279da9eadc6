/** Dumps and runs over them, written in the tests. */

import { fileURLToPath } from "node:url";
import type { Bracketing } from "../../../src/brackets/record.js";
import {
  addCounts,
  type JobCounts,
  type JobSettings,
  noCounts,
} from "../../../src/extract/links/job.js";
import { type RunOptions, runLinks } from "../../../src/extract/links/run.js";

export const fixture = (name: string) =>
  fileURLToPath(new URL(`fixtures/${name}.xml.bz2`, import.meta.url));

export const SETTINGS: JobSettings = {
  source: "wikipedia",
  kinds: ["link"],
  blocks: ["prose"],
  clean: {},
  keepBare: false,
  skipBad: false,
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
  readonly counts: JobCounts;
}

/** Runs on this thread. */
export async function run(
  files: readonly string[],
  options: Partial<Omit<RunOptions, "settings">> & { settings?: Partial<JobSettings> } = {},
): Promise<RunResult> {
  const counts = noCounts();
  let lines = "";
  const steps = runLinks({
    format: "page",
    extensions: [".md"],
    workers: 1,
    ...options,
    files,
    settings: { ...SETTINGS, ...options.settings },
  });
  for await (const step of steps) {
    lines += step.lines;
    addCounts(counts, step.counts);
  }
  const records = lines
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Bracketing);
  return { lines, records, counts };
}
