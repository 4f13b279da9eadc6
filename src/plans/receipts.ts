/**
 * Receipts: what says that a part is done. An attempt at a part writes its output under a name of its own; the receipt
 * names that output and gives its hash, and only the first receipt of a part counts. So a worker that was thought dead
 * and writes late changes nothing, whatever it writes.
 */

import { InputError } from "../errors.js";
import { isSamePlace } from "../files/shard.js";
import type { Counts } from "./jobs.js";
import type { Part, Plan } from "./plan.js";
import type { Store } from "./store.js";

export interface Receipt extends Pick<Part, "part" | "from" | "to"> {
  /** The plan's id. */
  readonly plan: string;
  /** The name of its output in the folder of parts. */
  readonly output: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly counts: Counts;
  /** How long it took, by the worker's own clock. */
  readonly seconds: number;
  /** How much of that its processors worked, all threads together: less if others had them. */
  readonly processorSeconds: number;
  /** Who did it, and with what. */
  readonly worker: string;
  readonly version: string;
  readonly node: string;
  readonly processor: string;
  /** The identities of the models. */
  readonly models: readonly string[];
}

/** The folder of outputs and receipts in a plan. */
export const PARTS = "parts";

/** So that listings are in the order of the parts. */
export function partName(part: number): string {
  return `${part}`.padStart(6, "0");
}

function receiptFile(part: number): string {
  return `${PARTS}/${partName(part)}.json`;
}

/** The output of an attempt. */
export function outputName(part: number, attempt: string): string {
  return `${partName(part)}.${attempt}.out`;
}

/** Undefined if the part is not done. */
export async function readReceipt(store: Store, part: number): Promise<Receipt | undefined> {
  const file = receiptFile(part);
  const text = await store.read(file);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text.toString()) as Receipt;
  } catch {
    throw altered(store, file, part, "its receipt is not valid JSON");
  }
}

/** True if this is the receipt that counts. */
export async function writeReceipt(store: Store, receipt: Receipt): Promise<boolean> {
  const text = `${JSON.stringify(receipt)}\n`;
  return store.create(receiptFile(receipt.part), text);
}

/** The numbers of the parts that have receipts. */
export async function listDone(store: Store): Promise<Set<number>> {
  const names = await store.list(PARTS);
  const numbers = names.flatMap((name) => /^(\d+)\.json$/.exec(name)?.[1] ?? []);
  return new Set(numbers.map(Number));
}

/** @throws InputError if the receipt is not one of this part and this plan. */
export function checkReceipt(store: Store, { id }: Plan, part: Part, receipt: Receipt): void {
  const file = receiptFile(part.part);
  const { from, to } = receipt;
  const isSameRange =
    isSamePlace(from, part.from) &&
    (to && part.to ? isSamePlace(to, part.to) : to === undefined && part.to === undefined);
  if (receipt.plan !== id) throw altered(store, file, part.part, "its receipt is of another plan");
  if (receipt.part !== part.part || !isSameRange) {
    throw altered(store, file, part.part, `its receipt is that of part ${receipt.part}`);
  }
}

/** The error for a part whose receipt or output is not what it was. */
export function altered(store: Store, file: string, part: number, how: string): InputError {
  return new InputError(
    `part ${part} was altered or occurs twice: ${how}`,
    { file: store.nameOf(file) },
    `delete ${store.nameOf(receiptFile(part))} and do it again: bracken work ${store.name} --part ${part}`,
  );
}
