/** Runs sources on texts written in the tests. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Bracketing } from "../../src/brackets/record.js";
import { type ExtractOptions, ExtractReport, extract } from "../../src/extract/extract.js";
import { SOURCES } from "../../src/extract/sources/index.js";
import { TextInput } from "../../src/files/input.js";

export interface Extraction {
  readonly records: Bracketing[];
  readonly report: ExtractReport;
}

/** Extracts from files with the given contents; the source is recognised unless named. */
export async function extractTexts(
  folder: string,
  files: Record<string, string | Uint8Array>,
  options: Omit<ExtractOptions, "source"> & { source?: string } = {},
): Promise<Extraction> {
  const inputs = Object.entries(files).map(([name, content]) => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return new TextInput(path);
  });
  const report = new ExtractReport();
  const source = SOURCES.find(({ name }) => name === options.source);
  const records: Bracketing[] = [];
  for await (const record of extract(inputs, { ...options, source }, report)) records.push(record);
  return { records, report };
}

/** The brackets as texts, "kind: words" where the kind is not "answer". */
export function shown({ tokens, brackets, kinds }: Bracketing): string[] {
  return brackets.map(([begin, end], index) => {
    const words = tokens.slice(begin, end).join(" ");
    const kind = kinds?.[index] ?? "answer";
    return kind === "answer" ? words : `${kind}: ${words}`;
  });
}
