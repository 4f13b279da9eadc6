/**
 * Finds out what the name of an output stands for before any work is done: a file, new or existing;
 * something that is written into and never replaced, such as a FIFO, a device or an open descriptor; or
 * something that cannot be written, which is an InputError.
 */

import { type BigIntStats, fstatSync } from "node:fs";
import { access, constants, readlink, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve, sep } from "node:path";
import { InputError } from "../errors.js";
import { codeOf, fileFailure } from "./failure.js";
import { isStdin } from "./stdin.js";

export interface FileTarget {
  readonly kind: "file";
  /** Where it is, symbolic links followed. */
  readonly path: string;
  /** Whose it is and who may read it; undefined if it is new. */
  readonly owner?: { readonly mode: number; readonly uid: number; readonly gid: number };
}

export type Target =
  | FileTarget
  | { readonly kind: "device" | "socket"; readonly path: string }
  | { readonly kind: "descriptor"; readonly descriptor: number };

const STANDARD_OUTPUT: Target = { kind: "descriptor", descriptor: 1 };
const MOST_LINKS = 40;

/**
 * Where output goes: to the file, or to standard output if none is named or it is `-`. Of what the
 * output is made from, `inputs`, it can be none.
 */
export async function findTarget(
  file: string | undefined,
  inputs: readonly string[] = [],
): Promise<Target> {
  const target = file === undefined || file === "-" ? STANDARD_OUTPUT : await targetOf(file);
  await refuseInput(file ?? "-", target, inputs);
  return target;
}

async function targetOf(file: string): Promise<Target> {
  if (file === "" || file.endsWith("/") || file.endsWith(sep)) {
    throw new InputError(
      file === "" ? "the path of the output is empty" : "this is the path of a folder",
      file === "" ? {} : { file },
      "give the path of a file",
    );
  }
  try {
    const found = await follow(file);
    if (typeof found === "number") return { kind: "descriptor", descriptor: found };
    const status = await stat(found).catch(notThere);
    if (!status) return await newFile(found);
    if (status.isDirectory())
      throw new InputError("this is a folder", { file }, "give the path of a file");
    if (status.isSocket()) return { kind: "socket", path: found };
    if (!status.isFile()) return { kind: "device", path: found };
    await access(found, constants.W_OK);
    await access(dirname(found), constants.W_OK);
    const { mode, uid, gid } = status;
    return { kind: "file", path: await realpath(found), owner: { mode: mode & 0o7777, uid, gid } };
  } catch (error) {
    throw fileFailure(error, file);
  }
}

async function newFile(path: string): Promise<Target> {
  const folder = await realpath(dirname(path)).catch((error) => {
    if (codeOf(error) !== "ENOENT") throw error;
    throw new InputError("there is no such folder", { file: dirname(path) }, "create it first");
  });
  if (!(await stat(folder)).isDirectory()) {
    throw new InputError("this is not a folder", { file: folder }, "choose another folder");
  }
  await access(folder, constants.W_OK);
  return { kind: "file", path: join(folder, basename(path)) };
}

function notThere(error: unknown): undefined {
  if (codeOf(error) !== "ENOENT") throw error;
}

/** The path that symbolic links lead to, there or not, or the number of an open descriptor. */
async function follow(file: string): Promise<string | number> {
  let path = resolve(file);
  for (let links = 0; links < MOST_LINKS; links++) {
    const descriptor = descriptorOf(path);
    if (descriptor !== undefined) return descriptor;
    const link = await readlink(path).catch(() => undefined);
    if (link === undefined) return path;
    path = resolve(await realpath(dirname(path)), link);
  }
  throw Object.assign(new Error("too many links"), { code: "ELOOP" });
}

/**
 * What is open already must be written to as it is: to open it by name again would begin at its
 * first byte, or fail if it is a socket.
 */
function descriptorOf(path: string): number | undefined {
  if (path === "/dev/stdout") return 1;
  if (path === "/dev/stderr") return 2;
  const number = /^\/(?:dev|proc\/self)\/fd\/(\d+)$/.exec(path)?.[1];
  return number === undefined ? undefined : Number(number);
}

/** Of regular files only: a terminal, for instance, may be both. */
async function refuseInput(file: string, target: Target, inputs: readonly string[]): Promise<void> {
  const written = await statusOf(target);
  if (!written?.isFile()) return;
  for (const input of inputs) {
    const read = isStdin(input)
      ? descriptorStatus(0)
      : await stat(input, { bigint: true }).catch(() => undefined);
    if (!read?.isFile() || read.dev !== written.dev || read.ino !== written.ino) continue;
    throw new InputError(
      "the output is also an input",
      { file: file === "-" ? input : file },
      "choose another output",
    );
  }
}

async function statusOf(target: Target): Promise<BigIntStats | undefined> {
  if (target.kind === "descriptor") return descriptorStatus(target.descriptor);
  return stat(target.path, { bigint: true }).catch(() => undefined);
}

function descriptorStatus(descriptor: number): BigIntStats | undefined {
  try {
    return fstatSync(descriptor, { bigint: true });
  } catch {
    return undefined;
  }
}
