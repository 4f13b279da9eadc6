// Whether `bracken parse` takes as much memory for a very large file as for a small one, and is as fast: a text is repeated
// until the file has the wanted size, and the memory of the process is read each second while it parses that file. What is
// resident depends on when V8 collects; what is live after a collection is what the program holds, and would show a leak.
//
// Run: npm run build && npm run bench:stream -- SENTENCES [--gigabytes 10] [--folder DIR] [--minutes N] [-- OPTIONS OF PARSE]
//
//   SENTENCES   a text, one sentence a line; it is first parsed by itself, as the yardstick
//   --tiny      with the untrained model of the fault campaigns, so that reading and writing are most of the work
//   --minutes   stop then, and say how far it came
//
// Linux only: memory and place are read in /proc. The large files are removed at the end.

import { spawn } from "node:child_process";
import {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { writeTiny } from "../scripts/torture/tiny.js";

const MAIN = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    gigabytes: { type: "string", default: "10" },
    folder: { type: "string", default: tmpdir() },
    minutes: { type: "string", default: "Infinity" },
    tiny: { type: "boolean", default: false },
  },
});
const [source, ...options] = positionals;
if (source === undefined) throw new Error("which text? npm run bench:stream -- SENTENCES");
const folder = mkdtempSync(join(values.folder, "bracken-stream-"));

/** The text again and again, whole lines only. */
function repeat(text, path, bytes) {
  const file = openSync(path, "w");
  const copies = Math.max(1, Math.round(bytes / text.length));
  for (let copy = 0; copy < copies; copy++) writeSync(file, text);
  closeSync(file);
  return copies;
}

/** Ticks of the clock in which Linux counts processor time, each second. */
const TICKS = 100;

/**
 * Resident memory in MB, seconds of the processors, and how far the process has read a file; undefined before it opens it
 * and after its end.
 */
function look(pid, file) {
  try {
    const number = (from, name) =>
      Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(readFileSync(from, "utf8"))[1]);
    const folder = `/proc/${pid}/fd`;
    const open = readdirSync(folder).find((each) => readlinkSync(join(folder, each)) === file);
    const megabytes = number(`/proc/${pid}/status`, "VmRSS") / 1024;
    const fields = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ")[1].split(" ");
    const processor = (Number(fields[11]) + Number(fields[12])) / TICKS;
    return { megabytes, processor, read: number(`/proc/${pid}/fdinfo/${open}`, "pos") };
  } catch {
    return undefined;
  }
}

/** What V8 says of a whole collection: what is live after it, in MB. */
const LIVE = /Mark-Compact.*? -> ([\d.]+) /;

/** Parses a file; `onLook` hears of its memory once in a second. */
async function parse(file, more, { minutes = Number.POSITIVE_INFINITY, onLook = () => {} } = {}) {
  const started = performance.now();
  const seconds = () => (performance.now() - started) / 1000;
  const args = ["parse", "--lines", file, "--threads", "1", ...more, "-o", `${file}.trees`];
  // What is not parsed is told on standard error, a line for each sentence.
  const child = spawn(process.execPath, ["--trace-gc", MAIN, ...args], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  let live;
  createInterface(child.stdout).on("line", (line) => {
    live = LIVE.exec(line)?.[1] ?? live;
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  let [status, processor] = [undefined, 0];
  ended.then((code) => {
    status = code;
  });
  while (status === undefined) {
    await Promise.race([ended, sleep(1000)]);
    const seen = look(child.pid, file);
    if (seen) onLook({ ...seen, live: Number(live), seconds: seconds() });
    processor = seen?.processor ?? processor;
    if (seconds() > minutes * 60) child.kill("SIGKILL");
  }
  return { seconds: seconds(), processor, isDone: status === 0 };
}

const row = (...cells) => console.log(cells.map((cell) => `${cell}`.padStart(12)).join(""));

try {
  const text = readFileSync(source);
  const lines = text.toString("latin1").split("\n").length - 1;
  const more = values.tiny ? [...options, "-m", (await writeTiny(folder)).model] : options;
  const small = join(folder, "once.txt");
  repeat(text, small, text.length);
  const once = await parse(small, more);
  if (!once.isDone) throw new Error("bracken parse failed");
  const each = (count, time) => (count / time).toFixed(0);
  console.log(
    `once: ${lines} sentences, ${each(lines, once.seconds)} a second, ${each(lines, once.processor)} a second of the processors; loading the model is in it`,
  );
  const large = join(folder, "large.txt");
  const copies = repeat(text, large, Number(values.gigabytes) * 1e9);
  const bytes = copies * text.length;
  console.log(
    `repeated ${copies} times: ${(bytes / 1e9).toFixed(2)} GB, ${copies * lines} sentences`,
  );
  row("read", "minutes", "sentences/s", "/s processor", "MB resident", "MB live");
  const looks = [];
  let before = { read: 0, seconds: 0, processor: 0 };
  const minutes = Number(values.minutes);
  const onLook = ({ megabytes, live, read, seconds, processor }) => {
    const percent = Math.floor((read / bytes) * 100);
    looks.push({ percent, megabytes, live });
    if (percent <= Math.floor((before.read / bytes) * 100)) return;
    const count = ((read - before.read) / text.length) * lines;
    const rates = [
      each(count, seconds - before.seconds),
      each(count, processor - before.processor),
    ];
    const memory = [megabytes.toFixed(0), live.toFixed(0)];
    row(`${percent} %`, (seconds / 60).toFixed(1), ...rates, ...memory);
    before = { read, seconds, processor };
  };
  const all = await parse(large, more, { minutes, onLook });
  const last = looks.at(-1)?.percent ?? 0;
  console.log(all.isDone ? "the whole file" : `stopped at ${last} %`);
  const count = (before.read / text.length) * lines;
  console.log(
    `${(all.seconds / 60).toFixed(1)} minutes, ${each(count, before.seconds)} sentences a second, ${each(count, before.processor)} a second of the processors`,
  );
  const peaks = (some) => {
    const most = (of) => some.reduce((peak, look) => Math.max(peak, of(look) || 0), 0).toFixed(0);
    return `${most(({ megabytes }) => megabytes)} MB resident, ${most(({ live }) => live)} MB live`;
  };
  const first = looks.filter(({ percent }) => percent * 10 < last);
  const end = looks.filter(({ percent }) => percent * 10 >= last * 9);
  console.log(`peaks: in the first tenth ${peaks(first)}; in the last ${peaks(end)}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
