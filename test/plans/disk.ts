/** A disk of a test's own, so small that it is full at once. */

import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";

function mount(...args: string[]): boolean {
  return spawnSync("mount", args).status === 0;
}

export class SmallDisk {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Undefined where this user may not mount one. */
  static at(folder: string): SmallDisk | undefined {
    mkdirSync(folder, { recursive: true });
    const isMounted =
      process.getuid?.() === 0 && mount("-t", "tmpfs", "-o", "size=64k", "tmpfs", folder);
    return isMounted ? new SmallDisk(folder) : undefined;
  }

  /** Whether it now has room enough. */
  grow(): boolean {
    return mount("-o", "remount,size=64m", this.#folder);
  }

  unmount(): void {
    spawnSync("umount", [this.#folder]);
  }
}
