/**
 * A file that only ever grows, by lines: each is on disk before its `append` returns, so whatever ends the process
 * afterwards, the line is there. Lines that arrive while others are being flushed go to disk together. One process
 * writes at a time.
 */

import { constants } from "node:fs";
import { type FileHandle, open, realpath } from "node:fs/promises";
import { dirname } from "node:path";
import { InputError } from "../errors.js";
import { fileFailure } from "./failure.js";
import { type Lock, lockOutput } from "./lock.js";
import { flush, flushFolder, writeAll } from "./whole.js";

interface Waiting {
  readonly line: string;
  resolve(): void;
  reject(error: unknown): void;
}

/** Longer than any line; only the end of the file is looked at. */
const TAIL = 1 << 20;

export class Journal {
  readonly #name: string;
  readonly #handle: FileHandle;
  readonly #lock: Lock;
  /** How much of the file is whole lines on disk. */
  #size: number;
  #waiting: Waiting[] = [];
  #flushing: Promise<void> | undefined;

  private constructor(name: string, handle: FileHandle, lock: Lock, size: number) {
    this.#name = name;
    this.#handle = handle;
    this.#lock = lock;
    this.#size = size;
  }

  /**
   * Opens the file, or makes it. A last line that a power failure cut off is removed: its `append` never returned.
   *
   * @param isWhole whether a last line without its line break is a whole one all the same.
   * @throws InputError if another process writes the file, or if it cannot be written.
   */
  static async open(name: string, isWhole: (line: string) => boolean): Promise<Journal> {
    if (/\.(gz|bz2|xz)$/.test(name)) {
      throw new InputError(
        "lines cannot be added to a compressed file",
        { file: name },
        "unpack it first, or choose another name",
      );
    }
    const handle = await open(name, constants.O_RDWR | constants.O_CREAT).catch((error) => {
      throw fileFailure(error, name);
    });
    let lock: Lock | undefined;
    try {
      if (!(await handle.stat()).isFile()) throw notRegular(name);
      const path = await realpath(name);
      lock = await lockOutput(path);
      const size = await endLastLine(handle, isWhole);
      await flush(handle);
      await flushFolder(dirname(path));
      return new Journal(name, handle, lock, size);
    } catch (error) {
      await handle.close();
      await lock?.release();
      throw error instanceof InputError ? error : fileFailure(error, name);
    }
  }

  /** Adds a line, with its line break; it is on disk when the promise resolves, and absent if it rejects. */
  append(line: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ line, resolve, reject });
      this.#flushing ??= this.#flush();
    });
  }

  async #flush(): Promise<void> {
    while (this.#waiting.length > 0) {
      const lines = this.#waiting;
      this.#waiting = [];
      const bytes = Buffer.from(lines.map(({ line }) => line).join(""));
      try {
        await writeAll(this.#handle, bytes, this.#name, this.#size);
        await flush(this.#handle);
        this.#size += bytes.length;
        for (const { resolve } of lines) resolve();
      } catch (error) {
        // What was written of them must not be the beginning of the next line.
        await this.#handle.truncate(this.#size).catch(() => {});
        for (const { reject } of lines) reject(fileFailure(error, this.#name));
      }
    }
    this.#flushing = undefined;
  }

  /** Finishes what was begun, and lets others write. */
  async close(): Promise<void> {
    await this.#flushing;
    await this.#handle.close();
    await this.#lock.release();
  }
}

function notRegular(file: string): InputError {
  return new InputError(
    "this is not an ordinary file",
    { file },
    "give the path of an ordinary file",
  );
}

/** Ends the last line, or removes it if it is not whole; gives the size of the file. */
async function endLastLine(
  handle: FileHandle,
  isWhole: (line: string) => boolean,
): Promise<number> {
  const { size } = await handle.stat();
  const tail = Buffer.alloc(Math.min(size, TAIL));
  await handle.read(tail, 0, tail.length, size - tail.length);
  const end = tail.lastIndexOf(10) + 1;
  const rest = tail.subarray(end);
  if (rest.length === 0) return size;
  if (isWhole(rest.toString("utf8"))) {
    await handle.write("\n", size);
    return size + 1;
  }
  const whole = size - rest.length;
  await handle.truncate(whole);
  return whole;
}
