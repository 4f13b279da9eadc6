/**
 * Training runs under a folder, for those who want to watch. A run is found by looking for its log,
 * never by following a name from a request: a name that is not among those found does not exist.
 * Links are not followed, so nothing outside of the folder is found.
 */

import { constants } from "node:fs";
import { type FileHandle, lstat, open, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { trainingFolder } from "../training/run-folder.js";

const LOG = "log.jsonl";
/** `runs/paper/seed-1` is two below `runs`. */
const DEPTH = 3;
const MOST_RUNS = 1000;
/** A run whose log has not grown for so many seconds has stopped or is stuck. */
const GROWING_SECONDS = 120;

export interface Run {
  /** Where it is under the watched folder, `.` for the folder itself. */
  readonly name: string;
  readonly log: string;
}

export interface RunSummary {
  readonly name: string;
  /** What `bracken train` wrote down about the run; null where it cannot be read. */
  readonly description: unknown;
  /** Of the last record, null where there is none. */
  readonly step: number | null;
  readonly bytes: number;
  readonly changed: string;
  readonly growing: boolean;
  /** Whether the model is there. */
  readonly finished: boolean;
}

export async function findRuns(folder: string): Promise<Run[]> {
  const runs: Run[] = [];
  const visit = async (path: string, name: string, depth: number): Promise<void> => {
    const log = join(trainingFolder(path), LOG);
    if (await isPlainFile(log, trainingFolder(path))) runs.push({ name: name || ".", log });
    if (depth === DEPTH) return;
    const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      if (runs.length >= MOST_RUNS) return;
      if (!entry.isDirectory() || entry.name === "training") continue;
      await visit(join(path, entry.name), name ? `${name}/${entry.name}` : entry.name, depth + 1);
    }
  };
  await visit(folder, "", 0);
  return runs.sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function isPlainFile(file: string, folder: string): Promise<boolean> {
  const [isFolder, isFile] = await Promise.all([
    lstat(folder).then((found) => found.isDirectory()),
    lstat(file).then((found) => found.isFile()),
  ]).catch(() => [false, false]);
  return isFolder && isFile;
}

export async function summarise({ name, log }: Run, now = Date.now()): Promise<RunSummary> {
  const { size, mtimeMs, last } = await withLog(log, async (handle) => {
    const found = await handle.stat();
    const tail = await readLines(handle, Math.max(0, found.size - TAIL), found.size);
    return { size: found.size, mtimeMs: found.mtimeMs, last: tail.at(-1)?.text };
  });
  const isFinished = await lstat(join(log, "..", "..", "manifest.json")).then(
    (found) => found.isFile(),
    () => false,
  );
  return {
    name,
    description: await readDescription(join(log, "..", "settings.json")),
    step: stepOf(last),
    bytes: size,
    changed: new Date(mtimeMs).toISOString(),
    growing: !isFinished && now - mtimeMs < GROWING_SECONDS * 1000,
    finished: isFinished,
  };
}

/** A record is some 200 bytes. */
const TAIL = 4096;

async function readDescription(file: string): Promise<unknown> {
  try {
    if (!(await lstat(file)).isFile()) return null;
    return JSON.parse(await readFile(file, "utf8"));
  } catch {
    return null;
  }
}

function stepOf(line: string | undefined): number | null {
  try {
    const { step } = JSON.parse(line ?? "null") as { step: unknown };
    return typeof step === "number" ? step : null;
  } catch {
    return null;
  }
}

function openLog(log: string): Promise<FileHandle> {
  return open(log, constants.O_RDONLY | constants.O_NOFOLLOW);
}

async function withLog<T>(log: string, use: (handle: FileHandle) => Promise<T>): Promise<T> {
  const handle = await openLog(log);
  try {
    return await use(handle);
  } finally {
    await handle.close();
  }
}

export interface LogLine {
  readonly text: string;
  /** The place in the file behind it. */
  readonly end: number;
}

/** Far longer than any line. */
const CHUNK = 256 * 1024;

/** The next whole lines between two places of a file. */
async function readLines(handle: FileHandle, from: number, to: number): Promise<LogLine[]> {
  const bytes = Buffer.alloc(Math.min(to - from, CHUNK));
  const { bytesRead } = await handle.read(bytes, 0, bytes.length, from);
  const lines: LogLine[] = [];
  let begin = 0;
  for (;;) {
    const end = bytes.subarray(0, bytesRead).indexOf(10, begin) + 1;
    if (end === 0) return lines;
    lines.push({ text: bytes.toString("utf8", begin, end - 1), end: from + end });
    begin = end;
  }
}

/** The log's lines as they are now. */
export async function* readLog({ log }: Run): AsyncGenerator<string> {
  const handle = await openLog(log);
  try {
    const { size } = await handle.stat();
    for (let at = 0; ; ) {
      const lines = await readLines(handle, at, size);
      if (lines.length === 0) return;
      for (const { text } of lines) if (text !== "") yield text;
      at = lines.at(-1)?.end ?? size;
    }
  } finally {
    await handle.close();
  }
}

/** A line of the log, or that there was nothing new for a while. */
export type LogEvent = { readonly text: string } | "quiet";

export interface FollowOptions {
  /** Milliseconds between looks. */
  readonly every?: number;
  /** Looks without anything new before that is said. */
  readonly patience?: number;
  readonly signal: AbortSignal;
}

/**
 * The log's lines, and those that are yet to come. Ends when the log is written anew, as it is when a
 * run goes on from a checkpoint, or removed.
 */
export async function* followLog(
  { log }: Run,
  { every = 500, patience = 30, signal }: FollowOptions,
): AsyncGenerator<LogEvent> {
  let [at, file]: [number, number | undefined] = [0, undefined];
  for (let looks = 1; !signal.aborted; looks++) {
    const look = await lookAt(log, at).catch(() => undefined);
    if (!look || look.size < at || look.file !== (file ?? look.file)) return;
    file = look.file;
    for (const { text, end } of look.lines) {
      if (text !== "") yield { text };
      at = end;
    }
    if (look.lines.length > 0) looks = 0;
    else await sleep(every, undefined, { signal }).catch(() => {});
    if (looks > 0 && looks % patience === 0) yield "quiet";
  }
}

function lookAt(log: string, from: number) {
  return withLog(log, async (handle) => {
    const { size, ino } = await handle.stat();
    return { size, file: ino, lines: size > from ? await readLines(handle, from, size) : [] };
  });
}
