/**
 * Training runs in a folder, for those who want to watch. A run is found by searching for its log,
 * never by following a name from a request: a name that was not found does not exist. Links are not
 * followed, so nothing outside the folder is found.
 */

import { lstat, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { trainingFolder } from "../training/run-folder.js";
import { isFinished, lookAtEnd, type Run, statusOf } from "./run-log.js";
import type { RunSummary } from "./wire.js";

const LOG = "log.jsonl";
/** `runs/paper/seed-1` is two below `runs`. */
const DEPTH = 3;
const MOST_RUNS = 1000;

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

export async function summarise(run: Run, now = Date.now()): Promise<RunSummary> {
  const finished = await isFinished(run);
  const { bytes, changedMs, lastLine } = await lookAtEnd(run);
  return {
    name: run.name,
    description: await readDescription(join(run.log, "..", "settings.json")),
    step: stepOf(lastLine),
    bytes,
    changed: new Date(changedMs).toISOString(),
    status: statusOf(finished, changedMs, now),
  };
}

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
