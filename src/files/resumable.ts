/**
 * A file that is written over hours and must survive the process that writes it. It grows as
 * `FILE.partial`; beside it `FILE.progress` says how much of it counts and how far the work is. The
 * same command, started again, cuts off what does not count and continues. When everything is written,
 * the file gets its name. A lock keeps a second process away meanwhile.
 *
 * The progress has a hash of the bytes that count, so a part that was shortened or altered is not
 * continued. Before the file gets its name, the progress is marked as finished: a run that was killed
 * between the two has nothing left to do.
 */

import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, open, readFile, rm, stat } from "node:fs/promises";
import { InputError } from "../errors.js";
import { fileFailure } from "./failure.js";
import { type Lock, lockOutput } from "./lock.js";
import { writeWhole } from "./output.js";
import type { FileTarget } from "./target.js";
import { flush, giveName, keepOwner, writeAll } from "./whole.js";

/** What must be the same for the work to be the same, by name. */
export type RunKey = Readonly<Record<string, unknown>>;

interface Saved<State> {
  readonly key: string;
  /** How many bytes of the part count, and their SHA-256. */
  readonly bytes: number;
  readonly sha256: string;
  readonly state: State;
  /** Whether nothing is left to do but to give the file its name. */
  readonly finished?: boolean;
}

const SAVE_EVERY_MS = 1000;

export class ResumableOutput<State> {
  readonly #target: FileTarget;
  /** Undefined where no later run can go on. */
  readonly #key: string | undefined;
  readonly #handle: FileHandle;
  readonly #lock: Lock;
  readonly #hash: Hash;
  #bytes: number;
  #savedAt = 0;
  #isSaved: boolean;
  #hasWritten = false;
  #hasFailed = false;
  /** Whether the file has its name already. */
  readonly #isNamed: boolean;
  /** The state of a run that was stopped. */
  readonly resumed: State | undefined;
  /** Whether that run had written everything. */
  readonly isWhole: boolean;

  private constructor(
    target: FileTarget,
    key: string | undefined,
    { handle, lock, hash, saved, isNamed }: Opened<State>,
  ) {
    this.#target = target;
    this.#key = key;
    this.#handle = handle;
    this.#lock = lock;
    this.#hash = hash;
    this.#bytes = saved?.bytes ?? 0;
    this.#isSaved = saved !== undefined;
    this.#isNamed = isNamed;
    this.resumed = saved?.state;
    this.isWhole = saved?.finished ?? false;
  }

  /** Begins, or goes on with what a run of the same key left. Without a key it always begins. */
  static async open<State>(target: FileTarget, runKey?: RunKey): Promise<ResumableOutput<State>> {
    const { path } = target;
    const key = runKey && JSON.stringify(runKey);
    const lock = await lockOutput(path);
    try {
      const { saved, isNamed = false } = await findSaved<State>(path, key);
      const hash = createHash("sha256");
      if (saved && !isNamed) await checkPart(path, saved, hash);
      const file = isNamed ? path : partialName(path);
      const handle = await open(file, saved ? "r+" : "w", target.owner?.mode);
      await handle.truncate(saved?.bytes ?? 0);
      return new ResumableOutput(target, key, { handle, lock, hash, saved, isNamed });
    } catch (error) {
      await lock.release();
      throw fileFailure(error, path);
    }
  }

  /** Appends what is done with the state, which is saved now and then. */
  async write(text: string, state: State): Promise<void> {
    await this.append(text);
    if (performance.now() - this.#savedAt > SAVE_EVERY_MS) await this.save(state);
  }

  /** Appends; it counts once a state is saved. */
  async append(text: string): Promise<void> {
    const bytes = Buffer.from(text);
    this.#hasWritten = true;
    try {
      await writeAll(this.#handle, bytes, this.#target.path, this.#bytes);
    } catch (error) {
      this.#hasFailed = true;
      throw error;
    }
    this.#hash.update(bytes);
    this.#bytes += bytes.length;
  }

  /** Saves nothing after a failed write: the caller's state would include text that is not in the file. */
  async save(state: State, finished?: true): Promise<void> {
    if (this.#key === undefined || this.#hasFailed) return;
    const { path } = this.#target;
    try {
      await flush(this.#handle);
    } catch (error) {
      // After a failed flush it is unknown what is on the disk.
      this.#hasFailed = true;
      throw fileFailure(error, path);
    }
    const sha256 = this.#hash.copy().digest("hex");
    const saved: Saved<State> = { key: this.#key, bytes: this.#bytes, sha256, state };
    await writeWhole(progressName(path), JSON.stringify(finished ? { ...saved, finished } : saved));
    this.#isSaved = true;
    this.#savedAt = performance.now();
  }

  /** Gives the file its name. */
  async finish(state: State): Promise<void> {
    const { path } = this.#target;
    try {
      await keepOwner(this.#handle, this.#target);
      // If there is no progress file yet, a run killed here leaves nothing that says "unfinished".
      if (this.#isSaved && !this.isWhole) await this.save(state, true);
      await giveName(this.#handle, this.#isNamed ? path : partialName(path), path);
      await rm(progressName(path), { force: true });
    } catch (error) {
      await this.#handle.close().catch(() => {});
      throw fileFailure(error, path);
    } finally {
      await this.#lock.release();
    }
  }

  /**
   * Keeps what was written for a later run. `text` is appended, but the saved state does not count it.
   * Returns false if there is nothing to keep.
   */
  async leave(state: State, text: string): Promise<boolean> {
    try {
      const isUntouched = !this.#hasWritten && !this.#isSaved && text === "";
      if (isUntouched) await rm(partialName(this.#target.path), { force: true });
      else await this.save(state);
      if (text) await this.append(text);
      return !isUntouched;
    } finally {
      await this.#handle.close();
      await this.#lock.release();
    }
  }
}

interface Opened<State> {
  readonly handle: FileHandle;
  readonly lock: Lock;
  readonly hash: Hash;
  readonly saved: Saved<State> | undefined;
  readonly isNamed: boolean;
}

export function partialName(file: string): string {
  return `${file}.partial`;
}

function progressName(file: string): string {
  return `${file}.progress`;
}

/** The progress of an earlier run with this key, if there is any, and whether the file has its name already. */
async function findSaved<State>(
  path: string,
  key: string | undefined,
): Promise<{ saved?: Saved<State>; isNamed?: boolean }> {
  const name = progressName(path);
  const text = await readFile(name, "utf8").catch(() => undefined);
  if (text === undefined) return {};
  const saved = parseSaved<State>(path, text);
  const hasPart = await stat(partialName(path)).then(
    () => true,
    () => false,
  );
  if (!hasPart) {
    const isWhole = saved.finished && saved.key === key && (await hasHash(path, saved));
    if (isWhole) return { saved, isNamed: true };
    await rm(name, { force: true });
    return {};
  }
  if (saved.key === key) return { saved };
  throw new InputError(
    `an unfinished run with other options or inputs left its progress here${difference(saved.key, key)}`,
    { file: name },
    `start it again as it was, or delete ${name} and ${partialName(path)}`,
  );
}

/** The names of the settings that differ, if the keys can be read. */
function difference(before: string, now: string | undefined): string {
  if (now === undefined) return " (different: files)";
  try {
    const [old, wanted] = [JSON.parse(before) as RunKey, JSON.parse(now) as RunKey];
    const names = [...new Set([...Object.keys(old), ...Object.keys(wanted)])].filter(
      (name) => JSON.stringify(old[name]) !== JSON.stringify(wanted[name]),
    );
    return names.length > 0 ? ` (different: ${names.join(", ")})` : "";
  } catch {
    return "";
  }
}

function parseSaved<State>(path: string, text: string): Saved<State> {
  try {
    const saved = JSON.parse(text) as Saved<State>;
    const isSaved =
      typeof saved.key === "string" &&
      Number.isSafeInteger(saved.bytes) &&
      saved.bytes >= 0 &&
      typeof saved.sha256 === "string" &&
      saved.state !== undefined;
    if (isSaved) return saved;
  } catch {
    // The error below covers this, too.
  }
  throw damaged(progressName(path), "the progress of an unfinished run cannot be read", path);
}

function damaged(file: string, problem: string, path: string): InputError {
  const names = `${progressName(path)} and ${partialName(path)}`;
  return new InputError(problem, { file }, `delete ${names} to start over`);
}

/** Checks that the part begins with the bytes that count, and feeds them to the hash. */
async function checkPart<State>(path: string, saved: Saved<State>, hash: Hash): Promise<void> {
  const file = partialName(path);
  const { size } = await stat(file);
  if (size < saved.bytes) {
    const problem = `it has ${size} bytes where the progress counts ${saved.bytes}: it was cut short`;
    throw damaged(file, problem, path);
  }
  await hashBytes(file, saved.bytes, hash);
  if (hash.copy().digest("hex") !== saved.sha256) {
    throw damaged(file, "its contents are not what the unfinished run wrote", path);
  }
}

async function hasHash<State>(file: string, { bytes, sha256 }: Saved<State>): Promise<boolean> {
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile() || found.size !== bytes) return false;
  const hash = createHash("sha256");
  await hashBytes(file, bytes, hash);
  return hash.digest("hex") === sha256;
}

async function hashBytes(file: string, bytes: number, hash: Hash): Promise<void> {
  if (bytes === 0) return;
  for await (const chunk of createReadStream(file, { end: bytes - 1 }))
    hash.update(chunk as Buffer);
}
