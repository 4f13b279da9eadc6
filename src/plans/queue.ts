/**
 * The queue of parts: plain BullMQ jobs on Redis or Valkey, so that everything made for BullMQ works on it. BullMQ and
 * its client are optional; they are loaded here, when a queue is asked for.
 */

import type { Job, Queue } from "bullmq";
import type { Redis } from "ioredis";
import { InputError, WorkFailure } from "../errors.js";
import { codeOf } from "../files/failure.js";
import { hashOf, type Plan } from "./plan.js";
import { partName } from "./receipts.js";
import type { Store } from "./store.js";

/** The data of a job. */
export interface PartJob {
  /** Where the plan is: an absolute path or an address. */
  readonly plan: string;
  /** The plan's id: another plan may be in its place by now. */
  readonly id: string;
  readonly part: number;
}

/** What a job that is done returns. */
export interface PartResult {
  readonly sentences: number;
  readonly bytes: number;
  readonly sha256: string;
  readonly seconds: number;
  readonly worker: string;
}

export type PartQueue = Queue<PartJob, PartResult, string>;
export type QueuedPart = Job<PartJob, PartResult, string>;

/** The name of the queue in Redis, unless users choose another. */
export const QUEUE_NAME = "bracken";

/**
 * What the ids of a plan's jobs begin with: the same whoever submits it, and however often, since BullMQ takes each id
 * once; but another for the same plan in another place, whose results go there.
 */
export function queueKeyOf({ name }: Pick<Store, "name">, { id }: Pick<Plan, "id">): string {
  return hashOf(`${name}\n${id}`).slice(0, 16);
}

export function jobIdOf(key: string, part: number): string {
  return `${key}-${partName(part)}`;
}

/** The part that a job id names, if it begins with this key. */
export function partOfJobId(id: string, key: string): number | undefined {
  return id.startsWith(`${key}-`) ? Number(id.slice(key.length + 1)) : undefined;
}

/** An open connection to a queue. */
export interface QueueConnection {
  readonly bullmq: typeof import("bullmq");
  readonly redis: Redis;
  readonly queue: PartQueue;
  /** Without waiting for a server that cannot be reached. */
  close(): Promise<void>;
}

/**
 * Connects to a queue; later it reconnects by itself whenever the connection is lost.
 *
 * @throws InputError if the packages are missing or the address is none, WorkFailure if nothing answers there.
 */
export async function connectQueue(address: string, name: string): Promise<QueueConnection> {
  const server = serverOf(address);
  const bullmq = await load(() => import("bullmq"));
  const { Redis } = await load(() => import("ioredis"));
  const redis = new Redis(address, {
    lazyConnect: true,
    // Asked for by BullMQ: commands wait until the connection is back.
    maxRetriesPerRequest: null,
    connectTimeout: CONNECT_MS,
    retryStrategy: (times) => Math.min(50 * 2 ** times, MOST_RETRY_MS),
  });
  let reason = "no answer";
  redis.on("error", (error) => {
    reason = error.message || codeOf(error);
  });
  await redis.connect().catch(() => {
    redis.disconnect();
    throw new WorkFailure(
      `the queue at ${server} cannot be reached: ${reason}`,
      "start Redis or Valkey there, or correct --queue",
    );
  });
  const queue: PartQueue = new bullmq.Queue(name, { connection: redis });
  // What matters fails where it is asked for.
  queue.on("error", () => {});
  return {
    ...{ bullmq, redis, queue },
    close: async () => {
      if (redis.status === "ready") await queue.close().catch(() => {});
      redis.disconnect();
    },
  };
}

const CONNECT_MS = 5000;
const MOST_RETRY_MS = 2000;

/** Host and port, without the password. */
function serverOf(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url && /^rediss?:$/.test(url.protocol) && url.hostname !== "") {
    return `${url.hostname}:${url.port || 6379}`;
  }
  throw new InputError(
    "this is not the address of a queue",
    {},
    "an address looks like redis://127.0.0.1:6379, or with TLS rediss://user:password@host:port/0",
  );
}

async function load<Module>(importModule: () => Promise<Module>): Promise<Module> {
  try {
    return await importModule();
  } catch (error) {
    if (!codeOf(error).endsWith("MODULE_NOT_FOUND")) throw error;
    throw new InputError(
      "queues need the packages bullmq and ioredis, which are not installed",
      {},
      "install them where bracken is: npm install bullmq ioredis (with -g if bracken is global)",
    );
  }
}
