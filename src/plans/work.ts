/** What a worker does: parts of a plan, those it is told to do or the next that nobody does. */

import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { InputError, WorkFailure } from "../errors.js";
import { packageVersion } from "../version.js";
import { type AttemptResult, attemptPart } from "./attempt.js";
import {
  CLAIMS,
  Claim,
  isAbandoned,
  listClaims,
  readClaim,
  type SeenClaim,
  Watch,
} from "./claims.js";
import type { PartRunner } from "./jobs.js";
import type { Part, Plan } from "./plan.js";
import { listDone, PARTS, readReceipt } from "./receipts.js";
import { FolderStore, type Store } from "./store.js";

export interface Worker {
  readonly plan: Plan;
  readonly store: Store;
  readonly runner: PartRunner;
  /** Seconds without a sign of life after which a worker is taken for dead. */
  readonly lease: number;
  /** How often a part may fail before it is set aside. */
  readonly tries: number;
  /** Whether to stay until the parts of others are done. */
  readonly wait: boolean;
  /** Ends the work; the part at hand is given up. */
  readonly signal: AbortSignal;
  onDone(result: AttemptResult): void;
  onFailed(part: number, error: unknown): void;
}

/** @throws InputError if this bracken is not the one that made the plan. */
export function checkVersion({ version }: Plan): void {
  if (version === packageVersion()) return;
  throw new InputError(
    `the plan was made by bracken ${version}, but this is ${packageVersion()}: their output may differ`,
    {},
    `install that version, or make a new plan with this one`,
  );
}

/** The part of this number. */
export function findPart({ parts }: Plan, number: number): Part {
  const part = parts[number - 1];
  if (part) return part;
  throw new InputError(`there is no part ${number}`, {}, `parts are numbered 1 to ${parts.length}`);
}

/** Does certain parts, whoever may be at work on them; those that are done are left as they are. */
export async function workOnParts(worker: Worker, numbers: readonly number[]): Promise<void> {
  const { plan, store, signal } = worker;
  await prepare(store);
  for (const part of numbers.map((number) => findPart(plan, number))) {
    signal.throwIfAborted();
    if (await readReceipt(store, part.part)) continue;
    const claim = store instanceof FolderStore ? await takeNext(worker, store, part) : undefined;
    await doPart(worker, part, claim);
  }
}

/** Takes the next claim on a part, even if another is alive. */
async function takeNext({ lease }: Worker, store: FolderStore, { part }: Part): Promise<Claim> {
  for (;;) {
    const before = (await listClaims(store)).get(part) ?? 0;
    const claim = await Claim.take(store, part, before + 1, lease);
    if (claim) return claim;
  }
}

/** Does parts until all are done; those that fail too often are set aside. */
export async function workOnNext(worker: Worker): Promise<{ setAside: readonly number[] }> {
  const { plan, store, lease, tries, wait, signal } = worker;
  if (!(store instanceof FolderStore)) throw notShared(store);
  await prepare(store);
  const watch = new Watch();
  const firsts = new FirstParts();
  let untouched = new Untouched([]);
  for (;;) {
    signal.throwIfAborted();
    const part = untouched.take();
    if (part !== undefined) {
      const claim = await Claim.take(store, part, 1, lease);
      if (claim) await doClaimed(worker, findPart(plan, part), claim, firsts);
      else untouched = new Untouched([]);
      continue;
    }
    const found = await look(store, plan, tries);
    untouched = new Untouched(found.untouched);
    if (found.untouched.length > 0) continue;
    const expired = found.held.filter((each) => isAbandoned(each) || watch.isExpired(each, lease));
    const next = [...found.free, ...expired];
    if (next.length > 0) {
      // Not the first: others look at the same list.
      const { part, number } = next[randomInt(next.length)] as Free;
      const claim = await Claim.take(store, part, number + 1, lease);
      if (claim) await doClaimed(worker, findPart(plan, part), claim, firsts);
    } else if (found.held.length > 0 && wait) {
      await sleep(Math.min(MOST_PAUSE_MS, lease * 100), undefined, { signal });
    } else {
      return { setAside: found.setAside };
    }
  }
}

/**
 * Parts that nobody had begun when this worker last looked. It looks again only when another has taken one of them:
 * listing a folder with the files of many thousand parts takes longer than claiming one.
 */
class Untouched {
  readonly #parts: number[];

  constructor(parts: readonly number[]) {
    this.#parts = [...parts];
  }

  /** Any of them: others look at the same list. */
  take(): number | undefined {
    const last = this.#parts.pop();
    if (last === undefined || this.#parts.length === 0) return last;
    const index = randomInt(this.#parts.length + 1);
    const part = this.#parts[index] ?? last;
    if (index < this.#parts.length) this.#parts[index] = last;
    return part;
  }
}

/** How long a worker with nothing to do waits before it looks again. */
const MOST_PAUSE_MS = 2000;

function notShared({ name }: Store): InputError {
  return new InputError(
    "without a queue, workers can share parts only in a folder",
    { file: name },
    "give part numbers with --part, or use --queue",
  );
}

/** Makes the folders of the plan, and removes what killed processes of this machine left there. */
export async function prepare(store: Store): Promise<void> {
  if (!(store instanceof FolderStore)) return;
  await store.prepare(CLAIMS, PARTS);
  await store.clean(CLAIMS);
  await store.clean(PARTS);
}

/** A part that may be claimed, after so many claims. */
interface Free {
  readonly part: number;
  readonly number: number;
}

interface Found {
  /** Parts without any claim. If there are some, the rest is not looked at. */
  readonly untouched: readonly number[];
  readonly free: readonly Free[];
  /** Claims that have neither ended nor led to a receipt. */
  readonly held: readonly SeenClaim[];
  readonly setAside: readonly number[];
}

/** Parts that were never claimed come first: one that kills its workers must not kill all of them early. */
async function look(store: FolderStore, { parts }: Plan, tries: number): Promise<Found> {
  const done = await listDone(store);
  const claims = await listClaims(store);
  const undone = parts.filter(({ part }) => !done.has(part));
  const untouched = undone.map(({ part }) => part).filter((part) => !claims.has(part));
  if (untouched.length > 0) return { untouched, free: [], held: [], setAside: [] };
  const free: Free[] = [];
  const held: SeenClaim[] = [];
  const setAside: number[] = [];
  for (const { part } of undone) {
    const all = await readClaims(store, part, claims.get(part) as number);
    const last = all.at(-1) as SeenClaim;
    if (!last.end) held.push(last);
    else if (failuresOf(all).length < tries) free.push(last);
    else setAside.push(part);
  }
  return { untouched, free, held, setAside };
}

/** All claims on a part, the first one first. */
export async function readClaims(
  store: FolderStore,
  part: number,
  count: number,
): Promise<SeenClaim[]> {
  return Promise.all(
    Array.from({ length: count }, (_, index) => readClaim(store, part, index + 1)),
  );
}

/** The errors of those that failed. */
export function failuresOf(claims: readonly SeenClaim[]): string[] {
  return claims.flatMap(({ end }) => (end?.end === "failed" ? [end.error ?? ""] : []));
}

/** A part that fails is left to others, or to another try; only what concerns the worker itself ends it. */
async function doClaimed(
  worker: Worker,
  part: Part,
  claim: Claim,
  firsts: FirstParts,
): Promise<void> {
  if (await readReceipt(worker.store, part.part)) return claim.end({ end: "done" });
  try {
    await doPart(worker, part, claim);
    firsts.succeeded();
  } catch (error) {
    if (claim.lost.aborted && !worker.signal.aborted) return;
    if (worker.signal.aborted || error instanceof WorkFailure) throw error;
    worker.onFailed(part.part, error);
    const ownFault = firsts.failed(part.part, error);
    if (ownFault) throw ownFault;
  }
}

/** So many parts that failed, and none done, are the worker's own fault. */
const MOST_FIRST_FAILURES = 3;

/**
 * The first parts of a worker. If all of them fail, perhaps this machine lacks an input, or memory: the worker ends, or it
 * would soon have used up the tries of every part.
 */
export class FirstParts {
  readonly #failed = new Set<number>();
  #isProven = false;

  succeeded(): void {
    this.#isProven = true;
  }

  /** Why the worker should end, if there were too many. */
  failed(part: number, error: unknown): WorkFailure | undefined {
    this.#failed.add(part);
    if (this.#isProven || this.#failed.size < MOST_FIRST_FAILURES) return undefined;
    return new WorkFailure(
      `the first ${MOST_FIRST_FAILURES} parts failed here, the last one so: ${messageOf(error)}`,
      "see whether this machine has the plan's inputs, and start again",
    );
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function doPart(worker: Worker, part: Part, claim: Claim | undefined): Promise<void> {
  const signal = claim ? AbortSignal.any([worker.signal, claim.lost]) : worker.signal;
  const tell = (share: number) => claim?.tell(share);
  try {
    const result = await attemptPart({ ...worker, part, signal, tell });
    worker.onDone(result);
    await claim?.end({ end: "done" });
  } catch (error) {
    const isOwnFault = !signal.aborted && !(error instanceof WorkFailure);
    await claim?.end(isOwnFault ? { end: "failed", error: messageOf(error) } : { end: "released" });
    throw claim?.lost.aborted ? claim.lost.reason : error;
  }
}
