// Reading QA-SRL's JSON lines into Bracketings, beside the bare JSON.parse of the same lines.
// Run: npm run build && npm run bench:extract [FILE.jsonl.gz …]

import { extract } from "../dist/extract/index.js";
import { expandInputs } from "../dist/files/expand-inputs.js";
import { readLines } from "../dist/files/input.js";

const names =
  process.argv.length > 2 ? process.argv.slice(2) : ["../shared/data/answers/qasrl-bank-2.1"];
const files = await expandInputs(names, [".jsonl"]);

async function timed(work) {
  const started = performance.now();
  const result = await work();
  return [performance.now() - started, result];
}

async function parseOnly() {
  let characters = 0;
  for (const file of files) {
    for await (const { text } of readLines(file)) {
      characters += text.length;
      JSON.parse(text);
    }
  }
  return characters;
}

async function extractAll() {
  const extraction = extract(files, { source: "qasrl", predicates: true });
  for await (const _ of extraction);
  return extraction.report;
}

await parseOnly();
const [parseTime, characters] = await timed(parseOnly);
const [extractTime, report] = await timed(extractAll);
const megabytes = characters / 1e6;
console.log(
  `${files.length} files, ${megabytes.toFixed(0)} MB of JSON, ${report.written} sentences`,
);
console.log(`JSON.parse alone  ${(megabytes / (parseTime / 1000)).toFixed(0)} MB/s`);
console.log(
  `extract           ${(megabytes / (extractTime / 1000)).toFixed(0)} MB/s, ${(extractTime / parseTime).toFixed(2)} x the time`,
);
console.log(`peak memory       ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB`);
