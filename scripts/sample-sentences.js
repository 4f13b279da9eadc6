// Draws sentences from files of Bracketings, for teachers to label: the same ones every time, each once, and as many of
// each file as asked for. Very short and very long sentences teach little and are left out.
// Run: node scripts/sample-sentences.js answers.jsonl=30000 books.jsonl=14000 > sample.jsonl

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";

const [FEWEST, MOST] = [4, 70];

const seen = new Set();

/** The lines of a file with the hashes of their words, without sentences that an earlier file has. */
async function* newLines(file) {
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const { tokens } = JSON.parse(line);
    if (tokens.length < FEWEST || tokens.length > MOST) continue;
    const hash = createHash("sha1").update(tokens.join(" ")).digest("hex");
    if (seen.has(hash)) continue;
    seen.add(hash);
    yield { hash, line };
  }
}

const wanted = process.argv.slice(2).map((argument) => /^(.+)=(\d+)$/.exec(argument));
if (wanted.length === 0 || wanted.includes(null)) {
  console.error("node scripts/sample-sentences.js FILE=COUNT …");
  process.exit(2);
}
for (const [, file, count] of wanted) {
  const lines = [];
  for await (const each of newLines(file)) lines.push(each);
  // In the order of the hashes, which is as good as random.
  lines.sort((a, b) => (a.hash < b.hash ? -1 : 1));
  for (const { line } of lines.slice(0, Number(count))) process.stdout.write(`${line}\n`);
}
