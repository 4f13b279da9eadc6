/**
 * Writes results: to a file that gets its name only when it is complete, into a device, FIFO or socket,
 * or to standard output. Each write waits for the one before, so a stream of any length needs only
 * bounded memory, and an error is raised where it happens.
 */

import { once } from "node:events";
import { constants, createWriteStream } from "node:fs";
import { open } from "node:fs/promises";
import { connect } from "node:net";
import type { Writable } from "node:stream";
import { fileFailure } from "./failure.js";
import { findTarget, type Target } from "./target.js";
import { WholeFile, writeAll } from "./whole.js";

export interface Output {
  write(text: string): Promise<void>;
  /** Flushes and, for a file, gives it its name. */
  close(): Promise<void>;
  /** Leaves no file behind. */
  discard(): Promise<void>;
}

interface ByteOutput {
  write(bytes: Uint8Array): Promise<void>;
  close(): Promise<void>;
  discard(): Promise<void>;
}

/** Opens a file or, where none is named, standard output, which must not be one of the inputs. */
export async function openOutput(file?: string, inputs: readonly string[] = []): Promise<Output> {
  return buffered(await openTarget(file ?? "-", await findTarget(file, inputs)));
}

/** Refuses what cannot be an output before any work is done for it. */
export async function checkOutput(
  file: string | undefined,
  inputs: readonly string[],
): Promise<void> {
  await findTarget(file, inputs);
}

/** The same for a target that was found before. */
export async function openTextTarget(file: string, target: Target): Promise<Output> {
  return buffered(await openTarget(file, target));
}

/** Runs the work with an output that is closed when it succeeds and discarded when it fails. */
export async function withOutput(
  file: string | undefined,
  work: (output: Output) => Promise<void>,
  inputs: readonly string[] = [],
): Promise<void> {
  const output = await openOutput(file, inputs);
  try {
    await work(output);
  } catch (error) {
    await output.discard();
    throw error;
  }
  await output.close();
}

/** The same for bytes. */
export async function withByteOutput(
  file: string | undefined,
  inputs: readonly string[],
  work: (output: Pick<ByteOutput, "write">) => Promise<void>,
): Promise<void> {
  const output = await openTarget(file ?? "-", await findTarget(file, inputs));
  try {
    await work(output);
  } catch (error) {
    await output.discard();
    throw error;
  }
  await output.close();
}

export type Contents = string | Uint8Array | Iterable<Uint8Array>;

/** Writes all of a file at once, or nothing. */
export async function writeWhole(
  file: string,
  contents: Contents,
  inputs: readonly string[] = [],
): Promise<void> {
  await withByteOutput(file, inputs, async (output) => {
    for (const bytes of piecesOf(contents)) await output.write(bytes);
  });
}

function piecesOf(contents: Contents): Iterable<Uint8Array> {
  if (typeof contents === "string") return [Buffer.from(contents)];
  return contents instanceof Uint8Array ? [contents] : contents;
}

async function openTarget(file: string, target: Target): Promise<ByteOutput> {
  switch (target.kind) {
    case "file":
      return WholeFile.create(file, target);
    case "device":
      return openDevice(file, target.path);
    case "socket":
      return openSocket(file, target.path);
    case "descriptor":
      return openDescriptor(file, target.descriptor);
  }
}

/** A FIFO is open once something reads it. */
async function openDevice(file: string, path: string): Promise<ByteOutput> {
  const handle = await open(path, constants.O_WRONLY).catch((error) => {
    throw fileFailure(error, file);
  });
  const close = () => handle.close();
  return { write: (bytes) => writeAll(handle, bytes, file), close, discard: close };
}

async function openSocket(file: string, path: string): Promise<ByteOutput> {
  const socket = connect(path);
  await once(socket, "connect").catch((error) => {
    throw fileFailure(error, file);
  });
  const close = async () => {
    socket.end();
    await once(socket, "finish");
    socket.destroy();
  };
  return { write: writer(socket, file), close, discard: close };
}

/** What was opened by others is left open. */
function openDescriptor(file: string, descriptor: number): ByteOutput {
  const stream =
    descriptor === 1
      ? process.stdout
      : descriptor === 2
        ? process.stderr
        : createWriteStream("", { fd: descriptor, autoClose: false });
  const name = descriptor === 1 ? "standard output" : file;
  const leave = async () => {};
  return { write: writer(stream, name), close: leave, discard: leave };
}

function writer(stream: Writable, file: string): (bytes: Uint8Array) => Promise<void> {
  // Errors reach the caller through the write that failed.
  if (stream.listenerCount("error") === 0) stream.on("error", () => {});
  return (bytes) =>
    new Promise((resolve, reject) => {
      stream.write(bytes, (error) => (error ? reject(fileFailure(error, file)) : resolve()));
    });
}

/** Small writes are collected, since each one costs a system call. */
const BUFFERED = 1 << 16;

function buffered(output: ByteOutput): Output {
  let pending: string[] = [];
  let size = 0;
  const flush = async () => {
    const text = pending.join("");
    pending = [];
    size = 0;
    if (text) await output.write(Buffer.from(text));
  };
  return {
    write: async (text) => {
      pending.push(text);
      size += text.length;
      if (size >= BUFFERED) await flush();
    },
    close: async () => {
      try {
        await flush();
      } catch (error) {
        await output.discard();
        throw error;
      }
      await output.close();
    },
    discard: async () => {
      // A pipe has no undo, and the results before an error are of use.
      if (!(output instanceof WholeFile)) await flush().catch(() => {});
      await output.discard();
    },
  };
}
