/**
 * Claims on parts in a shared folder, so that workers that know nothing of each other do not do the same part twice.
 * Nothing rests on clocks that agree. A claim is a file that only one can create; its owner adds a line to it now and
 * then. Whoever sees no new line for the length of the lease, by its own clock, may create the next claim on the part.
 * An owner that was only slow sees that claim and stops; if it does not stop in time, the first receipt counts.
 *
 * On NFS: `link` creates a name for one only; a file that is opened anew shows what others wrote and closed before.
 */

import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { hostname } from "node:os";
import { WorkFailure } from "../errors.js";
import { isRunning, type Owner, thisProcess } from "../files/owner.js";
import { partName } from "./receipts.js";
import type { FolderStore } from "./store.js";

/** The folder of claims in a plan. */
export const CLAIMS = "claims";

/** The first line of a claim. */
interface ClaimHead {
  /** No two claims have the same. */
  readonly id: string;
  readonly owner: Owner;
  /** A line is added more often than after so many seconds. */
  readonly lease: number;
  /** For people. */
  readonly worker: string;
  readonly at: string;
}

/** How an attempt ended without a receipt: it failed, or was given up by no fault of the part. */
export type ClaimEnd = { readonly end: "failed" | "released" | "done"; readonly error?: string };

/** A claim as others see it. */
export interface SeenClaim {
  readonly part: number;
  /** Which claim on the part it is, counted from 1. */
  readonly number: number;
  readonly head: ClaimHead | undefined;
  /** How much of the part is done, as far as the owner has said. */
  readonly share: number;
  readonly end: ClaimEnd | undefined;
  /** Changes as long as the owner lives. */
  readonly sign: string;
}

export function workerName(): string {
  return `${hostname()}:${process.pid}`;
}

const NAME = /^(\d+)\.(\d+)$/;

function claimFile(part: number, number: number): string {
  return `${CLAIMS}/${partName(part)}.${number}`;
}

/** How many claims there have been on each part that has any. */
export async function listClaims(store: FolderStore): Promise<Map<number, number>> {
  const claims = new Map<number, number>();
  for (const name of await store.list(CLAIMS)) {
    const [, part, number] = NAME.exec(name) ?? [];
    if (part === undefined) continue;
    claims.set(Number(part), Math.max(claims.get(Number(part)) ?? 0, Number(number)));
  }
  return claims;
}

export async function readClaim(
  store: FolderStore,
  part: number,
  number: number,
): Promise<SeenClaim> {
  const text = (await store.read(claimFile(part, number)))?.toString() ?? "";
  // A line that is not ended is still being written.
  const lines = text.split("\n").slice(0, -1).map(parseLine);
  const [head, ...rest] = lines;
  const share = rest.findLast((line) => "share" in line) as { share: number } | undefined;
  const end = rest.find((line) => "end" in line) as ClaimEnd | undefined;
  return {
    ...{ part, number, end },
    head: head && "owner" in head ? (head as ClaimHead) : undefined,
    share: share?.share ?? 0,
    sign: `${number} ${text.length}`,
  };
}

function parseLine(line: string): object {
  try {
    return JSON.parse(line) as object;
  } catch {
    return {};
  }
}

/** Whether the owner certainly has ended: known only on its own machine. */
export function isAbandoned({ head }: SeenClaim): boolean {
  return head !== undefined && isRunning(head.owner) === false;
}

/** A claim of one's own, kept alive until it ends. */
export class Claim {
  readonly part: number;
  readonly number: number;
  readonly #store: FolderStore;
  readonly #lost = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #share = 0;
  /** Lines are added one after the other. */
  #writing: Promise<void> = Promise.resolve();

  private constructor(store: FolderStore, part: number, number: number, lease: number) {
    this.#store = store;
    this.part = part;
    this.number = number;
    this.#timer = setInterval(() => this.#renew(), (lease * 1000) / BEATS);
    this.#timer.unref();
  }

  /** Creates the claim of this number on a part; undefined if another was first. */
  static async take(
    store: FolderStore,
    part: number,
    number: number,
    lease: number,
  ): Promise<Claim | undefined> {
    const at = new Date().toISOString();
    const id = randomBytes(8).toString("hex");
    const head: ClaimHead = { id, owner: thisProcess(), lease, worker: workerName(), at };
    const isOurs = await store.create(claimFile(part, number), `${JSON.stringify(head)}\n`);
    return isOurs ? new Claim(store, part, number, lease) : undefined;
  }

  /** Aborted when another has claimed the part since. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Says how much is done, from 0 to 1. */
  tell(share: number): void {
    this.#share = share;
  }

  #renew(): void {
    this.#add({ share: Number(this.#share.toFixed(3)) });
    this.#check().catch(() => {});
  }

  async #check(): Promise<void> {
    const next = await this.#store.read(claimFile(this.part, this.number + 1));
    if (next !== undefined) this.#lost.abort(new LostClaim(this.part));
  }

  /** What cannot be written is no reason to stop: at worst another does the part, too. */
  #add(line: object): void {
    const file = this.#store.nameOf(claimFile(this.part, this.number));
    this.#writing = this.#writing
      .then(() => append(file, `${JSON.stringify(line)}\n`))
      .catch(() => {});
  }

  /** Ends it: others need not wait for the lease. */
  async end(end: ClaimEnd): Promise<void> {
    clearInterval(this.#timer);
    this.#add(end);
    await this.#writing;
  }
}

/** Not where the file is gone: a plan that was deleted stays so. */
async function append(file: string, line: string): Promise<void> {
  const handle = await open(file, constants.O_WRONLY | constants.O_APPEND);
  try {
    await handle.appendFile(line);
  } finally {
    await handle.close();
  }
}

/** How many lines are added in the time of a lease. */
const BEATS = 4;

/** Another has claimed the part meanwhile. */
class LostClaim extends WorkFailure {
  constructor(part: number) {
    super(`part ${part} was taken over by another worker`);
  }
}

/** Watches claims of others by this process's own clock, which never goes back. */
export class Watch {
  readonly #seen = new Map<number, { sign: string; since: number }>();
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Whether the claim has not changed for its own lease and for ours. */
  isExpired(claim: SeenClaim, lease: number): boolean {
    const now = this.#now();
    const before = this.#seen.get(claim.part);
    if (before?.sign !== claim.sign) {
      this.#seen.set(claim.part, { sign: claim.sign, since: now });
      return false;
    }
    return now - before.since > 1000 * Math.max(lease, claim.head?.lease ?? 0);
  }
}
