/**
 * The log of a training run: read as it is, or followed as it grows. Each record has an id, its place
 * in the file and a hash of its text. So a client that reconnects gets what it has not seen, and
 * notices when the log was rewritten, as happens when a run resumes from a checkpoint.
 */

import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { hashText } from "../hash.js";
import { isRunFinished } from "../training/run-folder.js";
import type { RunEvents, RunStatus } from "./wire.js";

export interface Run {
  /** Where it is under the watched folder, `.` for the folder itself. */
  readonly name: string;
  readonly log: string;
}

/** Whether the model is there: its manifest is written last of all. */
export function isFinished({ log }: Run): Promise<boolean> {
  return isRunFinished(join(log, "..", ".."));
}

/** A run whose log has not grown for so long has stopped or is stuck. */
const GROWING_SECONDS = 120;

export function statusOf(finished: boolean, changedMs: number, now = Date.now()): RunStatus {
  if (finished) return "finished";
  return now - changedMs < GROWING_SECONDS * 1000 ? "growing" : "stopped";
}

export interface LogEnd {
  readonly bytes: number;
  /** When it was last written to, in milliseconds. */
  readonly changedMs: number;
  /** The last whole line. */
  readonly lastLine: string | undefined;
}

export function lookAtEnd({ log }: Run): Promise<LogEnd> {
  return withLog(log, async (handle) => {
    const { size, mtimeMs } = await handle.stat();
    const tail = await readLines(handle, Math.max(0, size - TAIL), size);
    return { bytes: size, changedMs: mtimeMs, lastLine: tail.at(-1)?.text };
  });
}

/** A record is some 200 bytes. */
const TAIL = 4096;

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

export type LogEvent =
  | { readonly kind: "record"; readonly id: string; readonly text: string }
  | { readonly kind: "reset" }
  | { readonly kind: "status"; readonly status: RunStatus }
  | ({ readonly kind: "end" } & RunEvents["end"])
  /** Nothing new for a while. Sent since a proxy may cut a silent connection. */
  | { readonly kind: "quiet" };

export interface FollowOptions {
  /** The id of the last record that the client has. */
  readonly after?: string | undefined;
  readonly signal: AbortSignal;
  /** Waits between two looks at the file. */
  readonly pause?: (signal: AbortSignal) => Promise<unknown>;
}

const LOOK_EVERY_MS = 500;
/** The number of looks without anything new before a `quiet` event. */
const QUIET_LOOKS = 30;

/** The records after the given one and those yet to come, until the run is finished or removed. */
export async function* followLog(
  run: Run,
  { after, signal, pause = wait }: FollowOptions,
): AsyncGenerator<LogEvent> {
  const found = await findPlace(run.log, after);
  if (after && !found) yield { kind: "reset" };
  let place: LogPlace = found ?? START;
  let told: RunStatus | undefined;
  for (let quiet = 0; !signal.aborted; ) {
    const look: Look | undefined = await lookFrom(run, place.end).catch(endIfGone);
    if (!look) {
      yield { kind: "end", reason: "removed" };
      return;
    }
    if (look.size < place.end || look.file !== (place.file ?? look.file)) {
      yield { kind: "reset" };
      place = START;
      continue;
    }
    for (const line of look.lines) if (line.text !== "") yield recordEvent(line);
    place = { end: look.lines.at(-1)?.end ?? place.end, file: look.file };
    if (look.lines.length > 0) {
      quiet = 0;
      continue;
    }
    if (look.status !== told) yield { kind: "status", status: look.status };
    told = look.status;
    if (told === "finished") {
      yield { kind: "end", reason: "finished" };
      return;
    }
    quiet += 1;
    if (quiet % QUIET_LOOKS === 0) yield { kind: "quiet" };
    await pause(signal);
  }
}

function wait(signal: AbortSignal): Promise<void> {
  return sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => {});
}

/** Where reading continues: after `end` bytes of the file with this inode number. */
interface LogPlace {
  readonly end: number;
  readonly file?: number | undefined;
}

const START: LogPlace = { end: 0 };

interface Look {
  readonly size: number;
  readonly file: number;
  readonly lines: readonly LogLine[];
  readonly status: RunStatus;
}

async function lookFrom(run: Run, from: number): Promise<Look> {
  // Looked up before the log is read, so that a finished run's log is complete.
  const finished = await isFinished(run);
  return withLog(run.log, async (handle) => {
    const { size, ino, mtimeMs } = await handle.stat();
    const lines = size > from ? await readLines(handle, from, size) : [];
    return { size, file: ino, lines, status: statusOf(finished, mtimeMs) };
  });
}

function endIfGone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT" && error.code !== "ENOTDIR") throw error;
}

function recordEvent(line: LogLine): LogEvent {
  return { kind: "record", id: idOf(line), text: line.text };
}

function idOf({ end, text }: LogLine): string {
  return `${end}-${(hashText(text) >>> 0).toString(36)}`;
}

/** The place after the record with that id, if the log still has it there. */
async function findPlace(log: string, id: string | undefined): Promise<LogPlace | undefined> {
  const end = Number(/^(\d{1,15})-\w+$/.exec(id ?? "")?.[1]);
  if (!(end > 0)) return undefined;
  return withLog(log, async (handle) => {
    const lines = await readLines(handle, Math.max(0, end - TAIL), end);
    const last = lines.at(-1);
    if (!last || last.end !== end || idOf(last) !== id) return undefined;
    return { end, file: (await handle.stat()).ino };
  }).catch(endIfGone);
}

/** Links are not followed. */
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

interface LogLine {
  readonly text: string;
  /** The place in the file after it. */
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
