/**
 * Where a plan and its results are: a folder, which may be shared by many machines. All that is asked of it is that a
 * file can be created by one of several who try at once, and that a file with its name is whole.
 */

import { link, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { codeOf, fileFailure } from "../files/failure.js";
import { makeFolder } from "../files/folder.js";
import { ownedName, removeAbandoned } from "../files/owner.js";
import { flush, flushFolder, WholeFile, writeAll } from "../files/whole.js";

/** A file that grows under another name and gets its own when it is whole. */
export interface StoredOutput {
  write(bytes: Uint8Array): Promise<void>;
  /** Gives it its name. */
  close(): Promise<void>;
  /** Leaves nothing behind. */
  discard(): Promise<void>;
}

export interface Store {
  /** Its path or address. */
  readonly name: string;
  /** What messages call a file in it. */
  nameOf(file: string): string;
  /** Undefined if there is none. */
  read(file: string): Promise<Buffer | undefined>;
  /** Writes a file as a whole, instead of the one that was there. */
  write(file: string, text: string): Promise<void>;
  /**
   * Creates a file as a whole; false if another was there first.
   *
   * @param text must be such that nobody else writes the same.
   */
  create(file: string, text: string): Promise<boolean>;
  /** Begins a file whose name nobody else has. */
  output(file: string): Promise<StoredOutput>;
  stream(file: string): AsyncIterable<Uint8Array>;
  /** The names in one of its folders, in no order. */
  list(folder: string): Promise<string[]>;
  remove(file: string): Promise<void>;
}

/** The errors of file systems without hard links. */
const NO_LINKS = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "EINVAL"]);

/**
 * A folder. On NFS, as on local disks, `link` creates a name for one caller only, and `rename` gives a whole file its
 * name at once. If the answer of the server is lost, a repeated `link` may report that the name is taken although it
 * was this one that took it: then what the file holds tells.
 */
export class FolderStore implements Store {
  readonly name: string;

  constructor(folder: string) {
    this.name = resolve(folder);
  }

  /** Makes the folder and those in it, unless they are there. */
  async prepare(...folders: string[]): Promise<void> {
    await makeFolder(this.name);
    for (const folder of folders) await makeFolder(this.nameOf(folder));
  }

  nameOf(file: string): string {
    return join(this.name, file);
  }

  async read(file: string): Promise<Buffer | undefined> {
    return readFile(this.nameOf(file)).catch((error) => {
      if (codeOf(error) === "ENOENT") return undefined;
      throw fileFailure(error, this.nameOf(file));
    });
  }

  async write(file: string, text: string): Promise<void> {
    const output = await this.output(file);
    await output.write(Buffer.from(text));
    await output.close();
  }

  async create(file: string, text: string): Promise<boolean> {
    const path = this.nameOf(file);
    const temporary = ownedName(path, "partial");
    try {
      const handle = await open(temporary, "wx");
      await writeAll(handle, Buffer.from(text), path).finally(() => flushAndClose(handle));
      await link(temporary, path);
      await flushFolder(resolve(path, ".."));
      return true;
    } catch (error) {
      if (codeOf(error) === "EEXIST") return (await this.read(file))?.toString() === text;
      if (!NO_LINKS.has(codeOf(error))) throw fileFailure(error, path);
      // Then the last of two wins, which each must survive: files of different attempts have different names.
      if ((await this.read(file)) !== undefined) return false;
      await rename(temporary, path);
      return true;
    } finally {
      await rm(temporary, { force: true });
    }
  }

  output(file: string): Promise<StoredOutput> {
    const path = this.nameOf(file);
    return WholeFile.create(path, { kind: "file", path });
  }

  async *stream(file: string): AsyncGenerator<Uint8Array> {
    const path = this.nameOf(file);
    const handle = await open(path).catch((error) => {
      throw fileFailure(error, path);
    });
    const buffer = Buffer.allocUnsafe(1 << 20);
    try {
      for (;;) {
        const { bytesRead } = await handle.read(buffer, 0, buffer.length);
        if (bytesRead === 0) return;
        yield buffer.subarray(0, bytesRead);
      }
    } finally {
      await handle.close();
    }
  }

  async list(folder: string): Promise<string[]> {
    return readdir(this.nameOf(folder)).catch((error) => {
      if (codeOf(error) === "ENOENT") return [];
      throw fileFailure(error, this.nameOf(folder));
    });
  }

  async remove(file: string): Promise<void> {
    await rm(this.nameOf(file), { force: true });
  }

  /** Removes what killed processes of this machine left in a folder. */
  async clean(folder: string): Promise<void> {
    await removeAbandoned({ in: this.nameOf(folder) });
  }
}

async function flushAndClose(handle: Awaited<ReturnType<typeof open>>): Promise<void> {
  try {
    await flush(handle);
  } finally {
    await handle.close();
  }
}
