/**
 * Errors of the operating system in plain words. An error that the user can fix is an InputError; a
 * full or broken disk is a WorkFailure, reported in one line that names the file.
 */

import { InputError, WorkFailure } from "../errors.js";

const FAILED: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EFBIG: "the file is larger than the system allows",
  EIO: "the disk reports an error (EIO)",
};

const MISTAKEN: Readonly<Record<string, readonly [problem: string, remedy: string]>> = {
  ENOENT: ["no such file or folder", "check the spelling and the folder you are in"],
  ENOTDIR: ["a part of this path is not a folder", "check the path"],
  EISDIR: ["this is a folder", "give the path of a file"],
  EACCES: ["permission denied", "check who may read and write it"],
  EPERM: ["the system does not permit it", "check who may read and write it"],
  EROFS: ["this is on a read-only file system", "choose another folder"],
  ENAMETOOLONG: ["the name is too long", "choose a shorter one"],
  ELOOP: ["its symbolic links lead in a circle", "name the file itself"],
  ENXIO: ["nothing listens at this socket or device", "start what reads it first"],
  ECONNREFUSED: ["nothing listens at this socket", "start what reads it first"],
  EMFILE: ["too many files are open", "raise the limit: ulimit -n"],
};

/** The error to throw in place of one from reading or writing this file. */
export function fileFailure(error: unknown, file: string): unknown {
  const code = codeOf(error);
  const failed = FAILED[code];
  if (failed) return new WorkFailure(`${file}: ${failed}`);
  const [problem, remedy] = MISTAKEN[code] ?? [];
  return problem === undefined ? error : new InputError(problem, { file }, remedy);
}

/** Codes of errors that are no bugs even if nothing caught them. */
const UNEXPECTED = new Set(["EACCES", "EPERM", "EROFS", "ENOTDIR", "ENAMETOOLONG", "EMFILE"]);

/** The same for an error that nothing caught; undefined if it looks like a bug. */
export function uncaughtFailure(error: unknown): Error | undefined {
  const code = codeOf(error);
  const path = (error as { path?: unknown } | null)?.path;
  const isKnown = code in FAILED || (UNEXPECTED.has(code) && typeof path === "string");
  const file = typeof path === "string" ? path : "standard output";
  return isKnown ? (fileFailure(error, file) as Error) : undefined;
}

/** `ENOENT` and the like; empty if the error is no system error. */
export function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" ? code : "";
}
