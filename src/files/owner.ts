/**
 * Files beside an output that belong to one process have that process in their name, as in
 * `trees.txt.4711-1a2b3c4d9x@laptop.partial`: its number, its start time, and its machine. So anybody
 * can tell whether the owner still runs, and what a killed process left can be removed by name, without
 * the risk of removing what another process has just made.
 */

import { randomBytes } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";

export interface Owner {
  readonly pid: number;
  /** Tells it from an earlier process of the same number; empty if the system does not say. */
  readonly start: string;
  readonly host: string;
}

export interface OwnedFile {
  readonly path: string;
  /** The name of the file that it is beside. */
  readonly of: string;
  readonly kind: OwnedKind;
  readonly owner: Owner;
}

/** Temporary files may be several at once; a lock is one. */
export type OwnedKind = "partial" | "lock";

const NAME = /^(.+)\.(\d+)-([0-9a-z]*)(?:-[0-9a-f]+)?@([\w.+-]+)\.(partial|lock)$/;

/** A name beside `file` that belongs to this process. */
export function ownedName(file: string, kind: OwnedKind): string {
  const { pid, start, host } = thisProcess();
  const unique = kind === "partial" ? `-${randomBytes(3).toString("hex")}` : "";
  return `${file}.${pid}-${start}${unique}@${host}.${kind}`;
}

/** The files of this kind that processes have made beside `file`. */
export async function ownedFiles(file: string, kind: OwnedKind): Promise<OwnedFile[]> {
  const all = await ownedFilesIn(dirname(file));
  return all.filter((found) => found.kind === kind && found.of === basename(file));
}

async function ownedFilesIn(folder: string): Promise<OwnedFile[]> {
  const names = await readdir(folder).catch(() => []);
  return names.flatMap((name) => {
    const [, of, pid, start = "", host = "", kind] = NAME.exec(name) ?? [];
    if (of === undefined) return [];
    const owner = { pid: Number(pid), start, host };
    return [{ path: join(folder, name), of, kind: kind as OwnedKind, owner }];
  });
}

/**
 * Removes what processes left beside a file, or anywhere in a folder, that no longer run. What belongs
 * to another machine is not touched.
 */
export async function removeAbandoned(place: { beside: string } | { in: string }): Promise<void> {
  const found =
    "in" in place ? await ownedFilesIn(place.in) : await ownedFiles(place.beside, "partial");
  for (const { path, kind, owner } of found) {
    if (kind === "partial" && isRunning(owner) === false) await rm(path, REMOVE);
  }
}

const REMOVE = { recursive: true, force: true } as const;

/** Whether the process runs; undefined if this machine cannot tell. */
export function isRunning({ pid, start, host }: Owner): boolean | undefined {
  if (host !== thisProcess().host) return undefined;
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it runs, under another user.
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
  }
  const now = startOf(pid);
  return now === undefined || start === "" || now === start;
}

let own: Owner | undefined;

export function thisProcess(): Owner {
  own ??= { pid: process.pid, start: startOf(process.pid) ?? "", host: machineName() };
  return own;
}

/** The boot and the clock tick at which a process was started; undefined where nobody says. */
function startOf(pid: number): string | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, "latin1");
    const [state, ...fields] = status.slice(status.lastIndexOf(")") + 2).split(" ");
    // A zombie: it has ended, and its parent has not yet asked for its exit code.
    if (state === "Z" || state === "X") return "dead";
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "latin1").slice(0, 8);
    return `${boot}${Number(fields[18]).toString(36)}`;
  } catch {
    return undefined;
  }
}

/** What Linux calls the space of process numbers outside of all containers. */
const FIRST_SPACE = "pid:[4026531836]";

/** The machine's name; in a container, whose process numbers are its own, with those told apart. */
function machineName(): string {
  const name = hostname().replace(/[^\w.-]/g, "_") || "unnamed";
  try {
    const space = readlinkSync("/proc/self/ns/pid");
    return space === FIRST_SPACE ? name : `${name}+${space.replace(/\D/g, "")}`;
  } catch {
    return name;
  }
}
