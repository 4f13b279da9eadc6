/**
 * A lock on an output that several processes could write to at once. Each process puts a file with its
 * own name beside the output, then looks for others: of two, at least the second sees the first. A lock
 * whose owner no longer runs is removed; that cannot hit a live lock, since no two have the same name.
 * A lock of another machine, on a shared folder, counts as live.
 */

import { open, readFile, rm } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { InputError } from "../errors.js";
import { codeOf, fileFailure } from "./failure.js";
import { isRunning, type OwnedFile, ownedFiles, ownedName, thisProcess } from "./owner.js";

export interface Lock {
  release(): Promise<void>;
}

/** Two that begin in the same moment see each other and both step back: they try again. */
const ATTEMPTS = 5;
const PAUSE_MS = 100;

/**
 * Takes the lock, after all others if it is to wait for them.
 *
 * @throws {InputError} that names the owner, where another process has the lock.
 */
export async function lockOutput(file: string, { wait = false } = {}): Promise<Lock> {
  for (let attempt = 1; ; attempt++) {
    const own = await claim(file);
    const rival = own === undefined ? undefined : await findRival(file, own);
    if (own !== undefined && rival === undefined) return { release: () => remove(own) };
    if (own !== undefined) await remove(own);
    // If this process already has the lock, waiting for another one would not help.
    const isLast = own === undefined || attempt === ATTEMPTS;
    if (isLast && !wait) throw await inUse(file, rival);
    await sleep(PAUSE_MS * Math.random());
  }
}

function remove(lock: string): Promise<void> {
  return rm(lock, { force: true });
}

/** Makes the lock of this process; undefined if it has it already. */
async function claim(file: string): Promise<string | undefined> {
  const name = ownedName(file, "lock");
  try {
    const handle = await open(name, "wx");
    await handle.writeFile(`${new Date().toISOString()}\n`);
    await handle.close();
    return name;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return undefined;
    throw fileFailure(error, file);
  }
}

async function findRival(file: string, own: string): Promise<OwnedFile | undefined> {
  const others = (await ownedFiles(file, "lock")).filter(({ path }) => path !== own);
  for (const { path, owner } of others) {
    if (isRunning(owner) === false) await remove(path);
  }
  return others.find(({ owner }) => isRunning(owner) !== false);
}

async function inUse(file: string, rival?: OwnedFile): Promise<InputError> {
  const { pid, host } = rival?.owner ?? thisProcess();
  const path = rival?.path ?? ownedName(file, "lock");
  const since = await readFile(path, "utf8").catch(() => "");
  const when = since.trim() ? ` since ${since.trim()}` : "";
  const isHere = host === thisProcess().host;
  return new InputError(
    isHere
      ? `process ${pid} has been writing this file${when}`
      : `process ${pid} on ${host} has been writing this file${when}, or was stopped there`,
    { file },
    isHere
      ? "wait until it has ended, or choose another output"
      : `if it no longer runs, delete ${path}`,
  );
}
