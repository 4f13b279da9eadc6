/** From what a user names on the command line to files: folders, patterns, standard input. */

import { stat } from "node:fs/promises";
import { glob, isDynamicPattern } from "tinyglobby";
import { InputError } from "../errors.js";
import { isAddress } from "./address.js";
import { isStdin } from "./stdin.js";

/** What the names of compressed files end in. */
export const PACKED = [".gz", ".bz2", ".xz"] as const;

/**
 * The files that the arguments stand for, folders and patterns in the order of their paths.
 * From a folder only names with one of the extensions are taken, plain or compressed.
 */
export async function expandInputs(
  names: readonly string[],
  extensions: readonly string[],
): Promise<string[]> {
  const found: string[] = [];
  for (const name of names) found.push(...(await expandInput(name, extensions)));
  return found;
}

async function expandInput(name: string, extensions: readonly string[]): Promise<string[]> {
  if (isStdin(name) || isAddress(name)) return [name];
  const kind = await stat(name).catch(() => undefined);
  if (kind?.isDirectory()) {
    const pattern = extensions.flatMap((extension) =>
      ["", ...PACKED].map((packed) => `**/*${extension}${packed}`),
    );
    const inside = await glob(pattern, { cwd: name, expandDirectories: false, dot: false });
    if (inside.length === 0) {
      throw new InputError(
        "this folder has no file of a known kind",
        { file: name },
        `expected names ending in ${extensions.join(", ")} (or ${PACKED.join(", ")}); or give the files themselves`,
      );
    }
    return inside.sort(byCodeUnits).map((path) => `${name.replace(/\/+$/, "")}/${path}`);
  }
  if (kind) return [name];
  const matches = isDynamicPattern(name) ? await glob(name, { expandDirectories: false }) : [];
  if (matches.length === 0) {
    throw new InputError(
      "no such file, folder or pattern",
      { file: name },
      "check the spelling and the folder you are in; - reads standard input",
    );
  }
  return matches.sort(byCodeUnits);
}

/** Not `localeCompare`: the order must be the same on every machine. */
function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
