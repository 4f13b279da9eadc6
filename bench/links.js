// From a Wikipedia dump to Bracketings, beside bzip2 alone and beside wtf_wikipedia, in one run.
// Run: npm run build && node bench/links.js [DUMP.xml.bz2] [COPIES]
// The dump is repeated so that starting up counts little; without one, a real dump of shared/data.

import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import wtf from "wtf_wikipedia";
import { readArticle } from "../dist/extract/links/articles.js";
import { readDumpPages } from "../dist/extract/links/dump-pages.js";
import { inflateSegment } from "../dist/files/bzip2.js";
import { scanBlocks } from "../dist/files/bzip2-scan.js";
import { readParts } from "../dist/files/input.js";

const GENSIM = "../shared/data/links/wikipedia-en-gensim";
const NAME = "enwiki-latest-pages-articles1.xml-p000000010p000030302-shortened.bz2";
const [dump = `${GENSIM}/${NAME}`, copies = "12"] = process.argv.slice(2);
const MAIN = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "bracken-bench-"));

/** A multistream dump of as many copies: header, pages, pages, …, end. */
function repeat() {
  const xml = spawnSync("bzip2", ["-dc", dump], { maxBuffer: 1 << 30 }).stdout;
  const begin = xml.indexOf("<page>");
  const end = xml.lastIndexOf("</page>") + 7;
  const pack = (input) => spawnSync("bzip2", ["-c"], { input, maxBuffer: 1 << 30 }).stdout;
  const pages = pack(xml.subarray(begin, end));
  const parts = [pack(xml.subarray(0, begin)), ...Array(Number(copies)).fill(pages)];
  const file = join(folder, "dump.xml.bz2");
  writeFileSync(file, Buffer.concat([...parts, pack(xml.subarray(end))]));
  return { file, characters: (end - begin) * Number(copies) };
}

async function timed(work) {
  const started = performance.now();
  const result = await work();
  return [(performance.now() - started) / 1000, result];
}

async function decode(file) {
  const { createReadStream } = await import("node:fs");
  let size = 0;
  for await (const segment of scanBlocks(createReadStream(file)))
    size += inflateSegment(segment).length;
  return size;
}

/** wtf_wikipedia's own reading of the pages: sentences and their links, without their places. */
async function readWithLibrary(file) {
  let [pages, links] = [0, 0];
  const options = { file, bad: () => {}, drop: () => {} };
  for await (const { bytes } of readDumpPages(readParts(file), options)) {
    const context = { isWanted: () => true, skip: () => undefined };
    const article = readArticle({ format: "page", file, name: "", bytes }, context);
    if (!article) continue;
    pages += 1;
    for (const sentence of wtf(article.text).sentences()) links += sentence.links().length;
  }
  return { pages, links };
}

/** The command in a process of its own, with its peak memory. */
function extract(file, workers, ...options) {
  const output = join(folder, "out.jsonl");
  const common = ["extract", "wikipedia", file, "-o", output, "--json", "--threads", workers];
  const args = [MAIN, ...common, ...options];
  const script = `process.on("exit",()=>process.stderr.write("rss "+process.resourceUsage().maxRSS))`;
  const hook = `data:text/javascript,${encodeURIComponent(script)}`;
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ["--import", hook, ...args], {
      stdio: ["ignore", "inherit", "pipe"],
    });
    let text = "";
    child.stderr.on("data", (chunk) => (text += chunk));
    child.on("error", reject);
    child.on("close", () => {
      const [report, rss] = text.split("\n");
      resolve({ ...JSON.parse(report), memory: Number(rss?.split(" ").at(-1)) / 1024, output });
    });
  });
}

const { file, characters } = repeat();
const packed = statSync(file).size / 1e6;
const megabytes = characters / 1e6;
const rate = (seconds) => `${(megabytes / seconds).toFixed(1)} MB/s of XML`;
console.log(`${packed.toFixed(1)} MB bzip2, ${megabytes.toFixed(0)} MB of XML`);

const [native] = await timed(() =>
  spawnSync("bzip2", ["-dc", file], { stdio: ["ignore", "ignore", "inherit"] }),
);
console.log(`bzip2 -dc, one core        ${rate(native)}`);
await decode(file);
const [decoding] = await timed(() => decode(file));
console.log(
  `our decoder, one core      ${rate(decoding)}, ${(decoding / native).toFixed(2)} x the time of bzip2`,
);
const times = {};
let first;
for (const workers of ["1", "2"]) {
  const [seconds, report] = await timed(() => extract(file, workers));
  times[workers] = seconds;
  const lines = readFileSync(report.output);
  if (first && !lines.equals(first)) throw new Error("the output depends on the number of workers");
  first = lines;
  console.log(
    `extract, ${workers} worker(s)       ${rate(seconds)}, ${(report.pages / seconds).toFixed(0)} pages/s, ${(seconds / native).toFixed(2)} x the time of bzip2, ${report.memory.toFixed(0)} MB of memory`,
  );
}
const [sampling] = await timed(() => extract(file, "2", "--sample", "1%"));
console.log(`the same, --sample 1%      ${rate(sampling)}, ${(sampling / native).toFixed(2)} x`);
const [library, { pages }] = await timed(() => readWithLibrary(file));
console.log(
  `wtf_wikipedia, one core    ${rate(library)}, ${(pages / library).toFixed(0)} pages/s, ${(library / times["1"]).toFixed(2)} x the time of extract with one worker`,
);
console.log(`two workers                ${(times["1"] / times["2"]).toFixed(2)} x as fast as one`);
rmSync(folder, { recursive: true });
