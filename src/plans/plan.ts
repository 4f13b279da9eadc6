/**
 * A plan: what the parts of a large run are, written down once. plan.json says what is done, inputs.jsonl what is read,
 * with sizes and hashes, parts.jsonl how it is cut. The plan is known by a hash of all three.
 */

import { createHash } from "node:crypto";
import { InputError } from "../errors.js";
import type { Checkpoint } from "../files/checkpoint.js";
import type { Packing, ReadStart } from "../files/input.js";
import type { InputPlace, Stretch } from "../files/shard.js";
import type { InputFormat } from "../runs/inputs.js";
import type { Job } from "./jobs.js";
import type { Store } from "./store.js";

/** A file as it was when the plan was made. */
export interface PlannedInput {
  /** As the user gave it, and as outputs and messages name it. */
  readonly name: string;
  /** Where it is: an absolute path or an address. */
  readonly at: string;
  /** Bytes on disk. */
  readonly bytes: number;
  /** The size in the terms of its places: of gzip and xz data, that of what is unpacked. */
  readonly size: number;
  readonly packing: Packing;
  /** How it is read, where that is not the same for all inputs. */
  readonly format?: InputFormat | undefined;
  readonly isGuess?: boolean | undefined;
  /** The code of its language, if that is known. */
  readonly language?: string | undefined;
  /** The SHA-256 of each `CHUNK` of its bytes on disk. */
  readonly sha256: readonly string[];
}

/** Files are hashed in pieces of this many bytes, so that each can be checked by itself. */
export const CHUNK = 1 << 22;

/** A stretch of the inputs, the work of one worker at a time. */
export interface Part extends Stretch {
  /** Counted from 1. */
  readonly part: number;
  readonly to?: InputPlace | undefined;
  /** How to open the input that it begins in, if not at its first byte. */
  readonly start?: Checkpoint | ReadStart | undefined;
  /** How much work it is, in bytes of text. */
  readonly work: number;
}

/** plan.json. */
export interface PlanHead {
  readonly format: typeof FORMAT;
  /** The version of bracken that made it: others may give other bytes. */
  readonly version: string;
  readonly job: Job;
  /** How many there are in the other files, and the SHA-256 of these. */
  readonly inputs: FileOf;
  readonly parts: FileOf;
}

export interface FileOf {
  readonly count: number;
  readonly sha256: string;
}

export interface Plan extends Omit<PlanHead, "inputs" | "parts"> {
  /** A hash of everything in it. */
  readonly id: string;
  readonly inputs: readonly PlannedInput[];
  readonly parts: readonly Part[];
}

const FORMAT = 1;
const FILES = { head: "plan.json", inputs: "inputs.jsonl", parts: "parts.jsonl" } as const;

/**
 * Writes the plan, its head last; true if the same was there already.
 *
 * @param more further files, whose hashes are in the job.
 */
export async function writePlan(
  store: Store,
  { version, job, inputs, parts }: Omit<Plan, "id" | "format">,
  more: Readonly<Record<string, string>> = {},
): Promise<boolean> {
  const files = { inputs: toLines(inputs), parts: toLines(parts) };
  const describe = (text: string, { length }: readonly unknown[]): FileOf => {
    return { count: length, sha256: hashOf(text) };
  };
  const head: PlanHead = {
    ...{ format: FORMAT, version, job },
    inputs: describe(files.inputs, inputs),
    parts: describe(files.parts, parts),
  };
  const text = `${JSON.stringify(head, null, 2)}\n`;
  const found = await store.read(FILES.head);
  if (found !== undefined && found.toString() !== text) {
    throw new InputError(
      "another plan is in this folder, with other inputs, models or options",
      { file: store.nameOf(FILES.head) },
      "choose another folder, or delete this one",
    );
  }
  for (const [name, contents] of Object.entries(more)) await store.write(name, contents);
  await store.write(FILES.inputs, files.inputs);
  await store.write(FILES.parts, files.parts);
  await store.write(FILES.head, text);
  return found !== undefined;
}

/** @throws InputError if there is none, or if it was altered. */
export async function readPlan(store: Store): Promise<Plan> {
  const text = await store.read(FILES.head);
  const file = store.nameOf(FILES.head);
  if (text === undefined) {
    const remedy = `make it first: bracken plan parse INPUTS --parts 100 -o ${store.name}`;
    throw new InputError("there is no plan", { file }, remedy);
  }
  const head = parseHead(text.toString(), file);
  const { format, version, job } = head;
  const inputs = await readLines<PlannedInput>(store, FILES.inputs, head.inputs);
  const parts = await readLines<Part>(store, FILES.parts, head.parts);
  return { format, version, job, inputs, parts, id: hashOf(text).slice(0, 16) };
}

function parseHead(text: string, file: string): PlanHead {
  let head: Partial<PlanHead> | null = null;
  try {
    head = JSON.parse(text) as Partial<PlanHead> | null;
  } catch {
    // The error below covers this, too.
  }
  if (head?.format === FORMAT && head.job && head.inputs && head.parts) return head as PlanHead;
  throw new InputError(
    head?.format === undefined
      ? "this is not a plan"
      : `this bracken does not read plans of format ${head.format}`,
    { file },
    "make it again: bracken plan --help",
  );
}

/** The lines of a file of the plan. */
export async function readLines<Item>(
  store: Store,
  name: string,
  { sha256 }: FileOf,
): Promise<Item[]> {
  const text = await store.read(name);
  if (text === undefined || hashOf(text) !== sha256) {
    throw new InputError(
      text === undefined ? "this file of the plan is missing" : "the plan was altered",
      { file: store.nameOf(name) },
      "make it again: bracken plan --help",
    );
  }
  const lines = text.toString().split("\n").slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Item);
}

export function toLines(items: readonly unknown[]): string {
  return items.map((item) => `${JSON.stringify(item)}\n`).join("");
}

export function hashOf(text: string | Uint8Array): string {
  return createHash("sha256").update(text).digest("hex");
}
