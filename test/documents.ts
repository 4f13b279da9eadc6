/** The documents, and the code in them. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./cli/run.js";

export interface Block {
  readonly title: string;
  readonly document: string;
  /** The text after the fence: a language, then words such as `no-run`. */
  readonly info: string;
  readonly code: string;
}

/** All Markdown files of the root folder and of docs/, from the root. */
export const DOCUMENTS = [
  ...readdirSync(ROOT).filter((name) => name.endsWith(".md")),
  ...readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name.replaceAll("\\", "/")}`)
    .sort(),
];

export const FENCED = /^```([^\n]*)\n(.*?)^```$/gms;

export const BLOCKS = DOCUMENTS.flatMap((document): Block[] => {
  const found = readFileSync(join(ROOT, document), "utf8").matchAll(FENCED);
  return Array.from(found, ([, info = "", code = ""], index) => ({
    title: `${document}, block ${index + 1}`,
    document,
    info,
    code,
  }));
});

/** Whether the bundled model names phrases. Blocks with the word `labels` are run only then. */
export const hasLabels =
  JSON.parse(readFileSync(join(ROOT, "models/bracken-en/config.json"), "utf8")).bracken?.labels !==
  undefined;

if (!hasLabels) console.warn("SKIPPED: examples of labels, which the bundled model does not have");
