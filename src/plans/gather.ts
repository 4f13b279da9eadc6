/** Joins the outputs of all parts, in order: the same bytes as one run over everything. */

import { createHash } from "node:crypto";
import { InputError } from "../errors.js";
import { withByteOutput } from "../files/output.js";
import type { Part, Plan } from "./plan.js";
import { altered, checkReceipt, listDone, PARTS, type Receipt, readReceipt } from "./receipts.js";
import type { Store } from "./store.js";

/** How many parts a message names. */
const MOST_NAMED = 5;

/**
 * @param out the file to write; standard output if not given.
 * @param onPart called as parts are joined.
 * @returns the receipts, in order.
 * @throws InputError that names a part which is missing, doubled or altered; then nothing is written.
 */
export async function gather(
  store: Store,
  plan: Plan,
  out: string | undefined,
  onPart: (receipt: Receipt) => void = () => {},
): Promise<Receipt[]> {
  const receipts = await readReceipts(store, plan);
  const inputs = plan.inputs.map(({ at }) => at);
  await withByteOutput(out, inputs, async (output) => {
    for (const receipt of receipts) {
      for await (const bytes of checkedBytes(store, receipt)) await output.write(bytes);
      onPart(receipt);
    }
  });
  return receipts;
}

async function readReceipts(store: Store, plan: Plan): Promise<Receipt[]> {
  const extra = [...(await listDone(store))].find((part) => !plan.parts[part - 1]);
  if (extra !== undefined) {
    throw altered(store, PARTS, extra, `the plan has ${plan.parts.length} parts`);
  }
  const receipts: Receipt[] = [];
  const missing: number[] = [];
  const outputs = new Map<string, number>();
  for (const part of plan.parts) {
    const receipt = await readReceipt(store, part.part);
    if (!receipt) {
      missing.push(part.part);
      continue;
    }
    checkReceipt(store, plan, part, receipt);
    checkOutput(store, part, receipt, outputs);
    receipts.push(receipt);
  }
  if (missing.length === 0) return receipts;
  const named = missing.slice(0, MOST_NAMED).join(", ");
  const more = missing.length > MOST_NAMED ? ` and ${missing.length - MOST_NAMED} more` : "";
  throw new InputError(
    `${missing.length} of ${plan.parts.length} parts are missing: ${named}${more}`,
    { file: store.name },
    `do them first: bracken work ${store.name}; bracken status ${store.name} shows why`,
  );
}

/** Outputs are files beside the receipts, each of one part. */
function checkOutput(
  store: Store,
  { part }: Part,
  { output }: Receipt,
  seen: Map<string, number>,
): void {
  const before = seen.get(output);
  const isName = /^[\w.-]+$/.test(output);
  if (isName && before === undefined) {
    seen.set(output, part);
    return;
  }
  const how = before === undefined ? "its output is elsewhere" : `its output is part ${before}'s`;
  throw altered(store, `${PARTS}/${output}`, part, how);
}

/** The bytes of a part's output, once all of them are known to be right up to the last. */
async function* checkedBytes(
  store: Store,
  { part, output, bytes, sha256 }: Receipt,
): AsyncGenerator<Uint8Array> {
  const file = `${PARTS}/${output}`;
  const hash = createHash("sha256");
  let size = 0;
  for await (const chunk of store.stream(file)) {
    hash.update(chunk);
    size += chunk.length;
    yield chunk;
  }
  if (size !== bytes) {
    throw altered(store, file, part, `its output has ${size} bytes, and had ${bytes}`);
  }
  if (hash.digest("hex") !== sha256) {
    throw altered(store, file, part, "its output is not what the receipt describes");
  }
}
