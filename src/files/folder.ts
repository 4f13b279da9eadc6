/** Folders for output. */

import { access, constants, mkdir, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { InputError } from "../errors.js";
import { codeOf, fileFailure } from "./failure.js";

/** Makes a folder and its parents, unless they are there. */
export async function makeFolder(folder: string): Promise<void> {
  await makeAll(resolve(folder)).catch((error) => {
    throw folderFailure(error, folder);
  });
}

/** Node's `recursive` is no alternative: it never returns for paths such as /proc/x on Linux. */
async function makeAll(path: string): Promise<void> {
  if (await isFolder(path)) return;
  if (path !== dirname(path)) await makeAll(dirname(path));
  await mkdir(path).catch(async (error) => {
    if (!(await isFolder(path))) throw error;
  });
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (status) => status.isDirectory(),
    () => false,
  );
}

/** Refuses, before any work is done, a folder that could not be made or written to. */
export async function checkFolder(folder: string): Promise<void> {
  if (folder === "")
    throw new InputError("the path of the folder is empty", {}, "give the path of a folder");
  for (let path = resolve(folder); ; path = dirname(path)) {
    try {
      const status = await stat(path);
      if (!status.isDirectory()) throw notFolder(folder);
      return await access(path, constants.W_OK);
    } catch (error) {
      if (codeOf(error) !== "ENOENT" || path === dirname(path)) throw folderFailure(error, folder);
    }
  }
}

function folderFailure(error: unknown, folder: string): unknown {
  const code = codeOf(error);
  return code === "EEXIST" || code === "ENOTDIR" ? notFolder(folder) : fileFailure(error, folder);
}

function notFolder(folder: string): InputError {
  return new InputError(
    "this is a file, or a part of its path is a file",
    { file: folder },
    "give the path of a folder",
  );
}
