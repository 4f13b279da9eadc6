// How time and memory of parsing grow with the length of a sentence and with the size of a file, as a
// table and as a picture. Each point is a process of its own, so that its peak memory is its own.
// Run: npm run build && npm run bench:growth -- [picture.svg]

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { drawPanels } from "./log-log.js";

const LENGTHS = [10, 20, 50, 100, 200, 500, 1000, 2000];
const FILES = [1000, 2000, 4000, 8000, 16000];
const REPEATS = 5;
const WORDS =
  `the old man who lived by the harbour said that he had never seen a storm like this one and
that most of the boats which were left in the bay would be gone before the morning came`.split(
    /\s+/,
  );

function sentence(length, from = 0) {
  return Array.from({ length }, (_, at) => WORDS[(from + at) % WORDS.length]);
}

const megabytes = () => process.resourceUsage().maxRSS / 1024;

/** One sentence of so many words, its median time and the peak of the process. */
async function measureLength(length) {
  const { loadParser } = await import("../dist/index.js");
  const parser = await loadParser();
  await parser.parseWords(sentence(10));
  const before = megabytes();
  const times = [];
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    const started = performance.now();
    await parser.parseWords(sentence(length, repeat), { maxTokens: length });
    times.push(performance.now() - started);
  }
  await parser.close();
  return { size: length, ms: times.sort((a, b) => a - b)[REPEATS >> 1], before, peak: megabytes() };
}

/** A file of so many sentences of 5 to 40 words, through the command. */
async function measureFile(count, folder) {
  const file = join(folder, `${count}.txt`);
  const lines = Array.from({ length: count }, (_, at) =>
    sentence(5 + ((at * 7) % 36), at).join(" "),
  );
  writeFileSync(file, `${lines.join("\n")}\n`);
  process.argv = [process.argv[0], "bracken", "parse", "--tokens", file, "-o", `${file}.trees`];
  const started = performance.now();
  await import("../dist/cli/main.js");
  await new Promise((resolve) => process.on("beforeExit", resolve));
  return { size: count, ms: performance.now() - started, peak: megabytes() };
}

function inProcess(...task) {
  const script = fileURLToPath(import.meta.url);
  const { stdout, stderr, status } = spawnSync(process.execPath, [script, "--child", ...task], {
    encoding: "utf8",
    env: { ...process.env, NODE_ENV: "production" },
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout.trim().split("\n").at(-1));
}

const [first, kind, size, folder] = process.argv.slice(2);
if (first === "--child") {
  const measure = kind === "length" ? measureLength : measureFile;
  console.log(JSON.stringify(await measure(Number(size), folder)));
} else {
  const scratch = mkdtempSync(join(tmpdir(), "bracken-growth-"));
  const lengths = LENGTHS.map((length) => inProcess("length", `${length}`));
  const files = FILES.map((count) => inProcess("file", `${count}`, scratch));
  rmSync(scratch, { recursive: true });
  console.log("words   ms a sentence   MB above the loaded parser");
  for (const { size: words, ms, before, peak } of lengths) {
    console.log(`${words}`.padEnd(8), ms.toFixed(1).padEnd(15), (peak - before).toFixed(0));
  }
  console.log("\nsentences   s      peak MB");
  for (const { size: count, ms, peak } of files) {
    console.log(`${count}`.padEnd(11), (ms / 1000).toFixed(1).padEnd(6), peak.toFixed(0));
  }
  if (first) writeFileSync(first, picture(lengths, files));
}

function picture(lengths, files) {
  const points = (list, value) => list.map((each) => ({ x: each.size, y: value(each) }));
  return drawPanels([
    { title: "Milliseconds a sentence", x: "words", points: points(lengths, ({ ms }) => ms) },
    {
      title: "Memory above the loaded parser, MB",
      x: "words",
      points: points(lengths, ({ peak, before }) => Math.max(1, peak - before)),
    },
    { title: "Seconds a file", x: "sentences", points: points(files, ({ ms }) => ms / 1000) },
    { title: "Peak memory, MB", x: "sentences", points: points(files, ({ peak }) => peak) },
  ]);
}
