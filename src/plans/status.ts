/** How far a plan is: what is done, who is at work, what has failed, how fast it goes and how long it will take. */

import { isAbandoned, listClaims, type SeenClaim } from "./claims.js";
import type { Plan } from "./plan.js";
import { listDone, type Receipt, readReceipt } from "./receipts.js";
import { FolderStore, type Store } from "./store.js";
import { failuresOf, readClaims } from "./work.js";

export interface RunningPart {
  readonly part: number;
  readonly worker: string;
  /** How much of it is done, from 0 to 1. */
  readonly share: number;
}

export interface FailedPart {
  readonly part: number;
  readonly tries: number;
  /** The last error. */
  readonly error: string;
  /** In a queue: whether it is not tried again by itself. */
  readonly isSetAside?: boolean | undefined;
}

/** The parts that are not done, as claims or a queue know them. */
export interface AtWork {
  readonly running: readonly RunningPart[];
  /** Parts that failed and are not done since. */
  readonly failed: readonly FailedPart[];
  /** Parts whose workers have ended without a result, as far as this machine can tell. */
  readonly lost: readonly number[];
  /** In a queue: parts that wait for a worker. */
  readonly waiting?: number | undefined;
}

export interface PlanStatus extends AtWork {
  readonly parts: number;
  readonly done: number;
  readonly sentences: number;
  /** How much of the work is done, from 0 to 1. */
  readonly share: number;
  /** Sentences per second of one worker, from the receipts. */
  readonly speed?: number | undefined;
  /** Seconds until all is done if those at work go on as they do; absent if nobody is. */
  readonly left?: number | undefined;
}

/**
 * Durations are those that workers measured: clocks of different machines are never compared.
 *
 * @param queued what a queue knows; without one, the claims in the plan's folder tell.
 */
export async function statusOf(store: Store, plan: Plan, queued?: AtWork): Promise<PlanStatus> {
  const done = new Set([...(await listDone(store))].filter((part) => plan.parts[part - 1]));
  const receipts = await Promise.all([...done].map((part) => readReceipt(store, part)));
  const atWork = queued ? withoutDone(queued, done) : await claimStatus(store, plan, done);
  const known = receipts.filter((receipt) => receipt !== undefined);
  return {
    ...{ parts: plan.parts.length, done: done.size, ...atWork },
    ...speedOf(plan, known, atWork.running),
  };
}

/** A part whose worker wrote its receipt and then vanished is done, whatever the queue says. */
function withoutDone({ running, failed, ...rest }: AtWork, done: ReadonlySet<number>): AtWork {
  const isUndone = ({ part }: { readonly part: number }) => !done.has(part);
  return { ...rest, running: running.filter(isUndone), failed: failed.filter(isUndone) };
}

async function claimStatus(store: Store, plan: Plan, done: ReadonlySet<number>): Promise<AtWork> {
  const running: RunningPart[] = [];
  const failed: FailedPart[] = [];
  const lost: number[] = [];
  for (const all of await undoneClaims(store, plan, done)) {
    const last = all.at(-1) as SeenClaim;
    const errors = failuresOf(all);
    const { part, share, head } = last;
    if (errors.length > 0) failed.push({ part, tries: errors.length, error: errors.at(-1) ?? "" });
    if (last.end) continue;
    if (isAbandoned(last)) lost.push(part);
    else running.push({ part, worker: head?.worker ?? "unknown", share });
  }
  return { running, failed, lost };
}

/** The claims on each part that has some and is not done. */
async function undoneClaims(
  store: Store,
  { parts }: Plan,
  done: ReadonlySet<number>,
): Promise<SeenClaim[][]> {
  if (!(store instanceof FolderStore)) return [];
  const counts = await listClaims(store);
  const claimed = parts.filter(({ part }) => !done.has(part) && counts.has(part));
  return Promise.all(
    claimed.map(({ part }) => readClaims(store, part, counts.get(part) as number)),
  );
}

function speedOf(
  { parts }: Plan,
  receipts: readonly Receipt[],
  running: readonly RunningPart[],
): Pick<PlanStatus, "sentences" | "share" | "speed" | "left"> {
  const workOf = ({ part }: { readonly part: number }) => parts[part - 1]?.work ?? 0;
  const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
  const all = sum(parts.map(({ work }) => work));
  const finished = sum(receipts.map(workOf));
  const begun = sum(running.map((each) => each.share * workOf(each)));
  const seconds = sum(receipts.map((receipt) => receipt.seconds));
  const sentences = sum(receipts.map(({ counts }) => counts.sentences));
  const share = all > 0 ? (finished + begun) / all : 1;
  if (seconds === 0) return { sentences, share };
  const rate = (finished / seconds) * running.length;
  return {
    ...{ sentences, share, speed: sentences / seconds },
    ...(rate > 0 ? { left: (all - finished - begun) / rate } : {}),
  };
}
