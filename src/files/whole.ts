/**
 * The one way to write a file: all of it or nothing. It grows under a temporary name beside its own and
 * is renamed when it is complete; if the process ends before that, the old file stays as it was.
 *
 * The policy for power failures in all of bracken: a file is flushed to disk (fsync) before it is
 * renamed, and its folder afterwards, if the system can do that. So a file that has its name is
 * complete, and a command that ended with 0 has left its output on disk.
 *
 * The new file has the permissions of the one it replaces, and its owner if the system allows it.
 */

import { constants } from "node:fs";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { codeOf, fileFailure } from "./failure.js";
import { ownedName, removeAbandoned } from "./owner.js";
import type { FileTarget } from "./target.js";

/** A file that is being written. Errors name it as the user did. */
export class WholeFile {
  readonly #name: string;
  readonly #target: FileTarget;
  readonly #temporary: string;
  readonly #handle: FileHandle;

  private constructor(name: string, target: FileTarget, temporary: string, handle: FileHandle) {
    this.#name = name;
    this.#target = target;
    this.#temporary = temporary;
    this.#handle = handle;
  }

  /** Begins the file; what killed processes left of it is removed. */
  static async create(name: string, target: FileTarget): Promise<WholeFile> {
    await removeAbandoned({ beside: target.path });
    const temporary = ownedName(target.path, "partial");
    try {
      const handle = await open(temporary, "wx", target.owner?.mode);
      return new WholeFile(name, target, temporary, handle);
    } catch (error) {
      throw fileFailure(error, name);
    }
  }

  async write(bytes: Uint8Array): Promise<void> {
    await writeAll(this.#handle, bytes, this.#name);
  }

  /** Gives the file its name. */
  async close(): Promise<void> {
    try {
      await keepOwner(this.#handle, this.#target);
      await giveName(this.#handle, this.#temporary, this.#target.path);
    } catch (error) {
      await this.discard();
      throw fileFailure(error, this.#name);
    }
  }

  /** Leaves nothing behind. */
  async discard(): Promise<void> {
    await this.#handle.close().catch(() => {});
    await rm(this.#temporary, { force: true });
  }
}

/** Closes a file that is whole under a temporary name and renames it. */
export async function giveName(handle: FileHandle, temporary: string, path: string): Promise<void> {
  await flush(handle);
  await handle.close();
  await rename(temporary, path);
  await flushFolder(dirname(path));
}

/** Writes every byte, at a position or, if none is given, at the end. */
export async function writeAll(
  handle: FileHandle,
  bytes: Uint8Array,
  name: string,
  position?: number,
): Promise<void> {
  try {
    for (let at = 0; at < bytes.length; ) {
      const place = position === undefined ? null : position + at;
      const { bytesWritten } = await handle.write(bytes, at, bytes.length - at, place);
      at += bytesWritten;
    }
  } catch (error) {
    throw fileFailure(error, name);
  }
}

/** Gives a file the permissions and owner of the one that it will replace. */
export async function keepOwner(handle: FileHandle, { owner }: FileTarget): Promise<void> {
  if (!owner) return;
  // Only an administrator may change the owner.
  await handle.chown(owner.uid, owner.gid).catch(() => {});
  await handle.chmod(owner.mode);
}

/** The errors of systems that cannot flush a file or a folder. */
const NOT_FLUSHED = new Set(["EINVAL", "ENOTSUP", "EPERM", "EACCES", "EISDIR", "EBADF", "ENOSYS"]);

export async function flush(handle: FileHandle): Promise<void> {
  await handle.sync().catch((error) => {
    if (!NOT_FLUSHED.has(codeOf(error))) throw error;
  });
}

/** Flushes a folder, so that a rename in it survives a power failure. */
export async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY).catch((error) => {
    if (!NOT_FLUSHED.has(codeOf(error))) throw error;
  });
  if (!handle) return;
  try {
    await flush(handle);
  } finally {
    await handle.close();
  }
}
