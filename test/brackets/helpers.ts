/** Runs sources on texts written in the tests. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Bracketing } from "../../src/brackets/record.js";
import { extract } from "../../src/extract/extract.js";
import type { ExtractOptions } from "../../src/extract/options.js";
import type { ExtractReport } from "../../src/extract/report.js";

export interface Extracted {
  readonly records: Bracketing[];
  readonly report: ExtractReport;
}

/** Extracts from files with the given contents; the source is recognised unless named. */
export async function extractTexts(
  folder: string,
  files: Record<string, string | Uint8Array>,
  options: ExtractOptions = {},
): Promise<Extracted> {
  const paths = Object.entries(files).map(([name, content]) => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  });
  const extraction = extract(paths, options);
  const records: Bracketing[] = [];
  for await (const record of extraction) records.push(record);
  return { records, report: extraction.report };
}

/** The brackets as texts, "kind: words" where the kind is not "answer". */
export function shown({ tokens, brackets, kinds }: Bracketing): string[] {
  return brackets.map(([begin, end], index) => {
    const words = tokens.slice(begin, end).join(" ");
    const kind = kinds?.[index] ?? "answer";
    return kind === "answer" ? words : `${kind}: ${words}`;
  });
}
