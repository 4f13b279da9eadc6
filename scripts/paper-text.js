// Takes the running text of papers from COVID-QA's file: those whose head says that their licence is CC BY, without that head,
// without marks of citations, and without lines that are no sentences. Each paragraph is followed by an empty line.
// Run: node scripts/paper-text.js covidqa.json.gz > papers.txt

import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

const [file] = process.argv.slice(2);
if (file === undefined) {
  console.error("node scripts/paper-text.js covidqa.json.gz > papers.txt");
  process.exit(2);
}

/** Shorter lines are headings and leftovers of tables. */
const SHORTEST = 61;

/** How far into a paper its head may reach. */
const HEAD = 3000;

const NUMBERS = String.raw`\d+(?:\s*[,–-]\s*\d+)*`;
const CITATION = String.raw`\[\s*${NUMBERS}\s*\]`;
const CITATIONS = new RegExp(String.raw`\s*${CITATION}(?:\s*,?\s*${CITATION})*`, "g");

function isFree(context) {
  return /Licen[sc]e:\s*cc-by(?=\s)/i.test(context.slice(0, HEAD));
}

function* linesOf(context) {
  const at = context.indexOf("Abstract:");
  const body = at < 0 ? context : context.slice(at + "Abstract:".length);
  for (const line of body.replace(/^\s*(?:Abstract|Text):/gm, "").split("\n")) {
    const text = line.replace(CITATIONS, "").replace(/\s+/g, " ").trim();
    if (text.length >= SHORTEST && /[.?!]$/.test(text)) yield text;
  }
}

const bytes = readFileSync(file);
const { data } = JSON.parse((file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8"));
const papers = data.flatMap(({ paragraphs }) => paragraphs.map(({ context }) => context));
for (const paper of papers.filter(isFree)) {
  for (const line of linesOf(paper)) process.stdout.write(`${line}\n\n`);
}
