/**
 * A file that is written over hours and must survive the process that writes it. It grows as
 * `FILE.partial`; beside it `FILE.progress` says how much of it counts and up to where the work had
 * come. The same command, started again, cuts off what does not count and goes on. When
 * everything is written the file gets its name.
 */

import { type FileHandle, open, readFile, rename, rm, writeFile } from "node:fs/promises";
import { InputError } from "../errors.js";

interface Saved<State> {
  /** What must be the same for the work to be the same. */
  readonly key: string;
  readonly bytes: number;
  readonly state: State;
}

/** So often the progress is saved, in milliseconds. */
const EVERY = 1000;

export class ResumableOutput<State> {
  readonly #file: string;
  readonly #key: string;
  readonly #handle: FileHandle;
  #bytes: number;
  #savedAt = 0;
  /** The state that was saved last by a run that did not end. */
  readonly resumed: State | undefined;

  private constructor(file: string, key: string, handle: FileHandle, saved?: Saved<State>) {
    this.#file = file;
    this.#key = key;
    this.#handle = handle;
    this.#bytes = saved?.bytes ?? 0;
    this.resumed = saved?.state;
  }

  static async open<State>(file: string, key: string): Promise<ResumableOutput<State>> {
    const saved = await readSaved<State>(file, key);
    const handle = await open(partialName(file), saved ? "r+" : "w").catch((error: Error) => {
      throw new InputError(error.message, { file }, "check that the folder exists and is writable");
    });
    await handle.truncate(saved?.bytes ?? 0);
    return new ResumableOutput(file, key, handle, saved);
  }

  /** Appends what is done with the state, which is saved now and then. */
  async write(text: string, state: State): Promise<void> {
    await this.append(text);
    if (performance.now() - this.#savedAt > EVERY) await this.save(state);
  }

  /** Appends; it counts once a state is saved. */
  async append(text: string): Promise<void> {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; ) {
      const { bytesWritten } = await this.#handle.write(bytes, at, undefined, this.#bytes + at);
      at += bytesWritten;
    }
    this.#bytes += bytes.length;
  }

  async save(state: State): Promise<void> {
    await this.#handle.datasync();
    const saved: Saved<State> = { key: this.#key, bytes: this.#bytes, state };
    const name = progressName(this.#file);
    await writeFile(`${name}.new`, JSON.stringify(saved));
    await rename(`${name}.new`, name);
    this.#savedAt = performance.now();
  }

  /** The file is whole. */
  async finish(): Promise<void> {
    await this.#handle.close();
    await rename(partialName(this.#file), this.#file);
    await rm(progressName(this.#file), { force: true });
  }

  /** Leaves what there is for another run. */
  async leave(): Promise<void> {
    await this.#handle.close();
  }
}

export function partialName(file: string): string {
  return `${file}.partial`;
}

function progressName(file: string): string {
  return `${file}.progress`;
}

async function readSaved<State>(file: string, key: string): Promise<Saved<State> | undefined> {
  const name = progressName(file);
  const text = await readFile(name, "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const saved = JSON.parse(text) as Saved<State>;
  if (saved.key === key) return saved;
  throw new InputError(
    "an unfinished run with other options or inputs left its progress here",
    { file: name },
    `start it again as it was, or delete ${name} and ${partialName(file)}`,
  );
}
