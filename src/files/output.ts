/**
 * Where results go: standard output, or a file that appears under its name only when it is whole.
 * Writing waits for a slow reader, so that a stream of any length goes through in bounded memory.
 */

import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { rename, rm, writeFile } from "node:fs/promises";
import { InputError } from "../errors.js";

export interface Output {
  write(text: string): Promise<void>;
  /** Flushes and, for a file, gives it its name. */
  close(): Promise<void>;
  /** Leaves nothing behind. */
  discard(): Promise<void>;
}

export async function openOutput(file?: string): Promise<Output> {
  return file === undefined || file === "-" ? standardOutput() : fileOutput(file);
}

/** Collects small writes, since each one to a pipe costs a system call. */
const BUFFERED = 1 << 16;

function buffered(
  stream: NodeJS.WritableStream,
): Pick<Output, "write"> & { flush(): Promise<void> } {
  let pending: string[] = [];
  let size = 0;
  const flush = async () => {
    const text = pending.join("");
    pending = [];
    size = 0;
    if (text && !stream.write(text)) await once(stream, "drain");
  };
  return {
    flush,
    write: async (text) => {
      pending.push(text);
      size += text.length;
      if (size >= BUFFERED) await flush();
    },
  };
}

function standardOutput(): Output {
  const { write, flush } = buffered(process.stdout);
  return { write, close: flush, discard: flush };
}

async function fileOutput(file: string): Promise<Output> {
  const temporary = `${file}.${process.pid}.partial`;
  const stream = createWriteStream(temporary);
  await once(stream, "open").catch((error: Error) => {
    throw new InputError(error.message, { file }, "check that the folder exists and is writable");
  });
  const { write, flush } = buffered(stream);
  const end = () =>
    new Promise<void>((resolve, reject) => {
      stream.once("error", reject);
      stream.end(resolve);
    });
  return {
    write,
    close: async () => {
      await flush();
      await end();
      await rename(temporary, file);
    },
    discard: async () => {
      stream.destroy();
      await rm(temporary, { force: true });
    },
  };
}

/** Runs the work with an output that is closed when it succeeds and discarded when it fails. */
export async function withOutput(
  file: string | undefined,
  work: (output: Output) => Promise<void>,
): Promise<void> {
  const output = await openOutput(file);
  try {
    await work(output);
  } catch (error) {
    await output.discard();
    throw error;
  }
  await output.close();
}

/** Writes a file at once; it has its name only when it is whole. */
export async function writeWhole(file: string, contents: string | Uint8Array): Promise<void> {
  const temporary = `${file}.${process.pid}.partial`;
  try {
    await writeFile(temporary, contents);
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    const { message } = error as Error;
    throw new InputError(message, { file }, "check that the folder exists and is writable");
  }
}
