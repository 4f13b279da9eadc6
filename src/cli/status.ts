/** `bracken status`: how far the parts of a plan are. */

import type { Command } from "commander";
import { alignColumns } from "../display/columns.js";
import { clock } from "../display/progress.js";
import { storeAt } from "../plans/open-plan.js";
import { type Plan, readPlan } from "../plans/plan.js";
import { connectQueue } from "../plans/queue.js";
import { queueStatus } from "../plans/queue-status.js";
import { type AtWork, type FailedPart, type PlanStatus, statusOf } from "../plans/status.js";
import type { Store } from "../plans/store.js";
import { examples } from "./options.js";
import { queueAddress, queueNameOption, queueOption } from "./queue-options.js";

interface Options {
  readonly json?: boolean;
  readonly queue?: string | true;
  readonly queueName: string;
}

export function build(command: Command): void {
  command
    .argument("<plan>", "the plan: a folder, or s3://bucket/folder")
    .option("--json", "print it as JSON")
    .addOption(queueOption())
    .addOption(queueNameOption())
    .addHelpText(
      "after",
      examples(
        "bracken status plan/",
        "watch -n 10 bracken status plan/ --queue redis://127.0.0.1:6379",
      ),
    )
    .action(run);
}

async function run(place: string, { json, queue, queueName }: Options): Promise<void> {
  const store = storeAt(place);
  const plan = await readPlan(store);
  const queued = queue ? await askQueue(queueAddress(queue), queueName, store, plan) : undefined;
  const status = await statusOf(store, plan, queued);
  process.stdout.write(json ? `${JSON.stringify(status)}\n` : statusText(status));
}

async function askQueue(address: string, name: string, store: Store, plan: Plan): Promise<AtWork> {
  const connection = await connectQueue(address, name);
  try {
    return await queueStatus(connection.queue, store, plan);
  } finally {
    await connection.close();
  }
}

/** How many parts of a kind are listed one by one. */
const MOST_LISTED = 20;

function statusText(status: PlanStatus): string {
  const { parts, done, running, failed, lost, waiting, sentences, share, speed, left } = status;
  const number = (value: number) => value.toLocaleString("en-US");
  const percent = Math.floor(share * 100);
  const rows = [
    ["done", `${number(done)} of ${number(parts)} parts, ${percent}% of the work`],
    ["sentences", number(sentences)],
    ...(waiting === undefined ? [] : [["waiting", `${number(waiting)} parts`]]),
    ...(speed === undefined ? [] : [["speed", `${number(Math.round(speed))}/s per worker`]]),
    ...(left === undefined ? [] : [["left", `${clock(left)} with ${running.length} at work`]]),
    ...list("running", running, (each) => `by ${each.worker}, ${Math.floor(each.share * 100)}%`),
    ...list(
      "lost",
      lost.map((part) => ({ part })),
      () => "its worker has ended; another will take it",
    ),
    ...list("failed", failed, describeFailed),
  ];
  return `${alignColumns(rows)}\n`;
}

function describeFailed({ tries, error, isSetAside }: FailedPart): string {
  return `${isSetAside ? "set aside, failed " : ""}${tries} times: ${error}`;
}

function list<Item extends { readonly part: number }>(
  title: string,
  items: readonly Item[],
  describe: (item: Item) => string,
): string[][] {
  const rows = items
    .slice(0, MOST_LISTED)
    .map((item) => [title, `part ${item.part} ${describe(item)}`]);
  const rest = items.length - rows.length;
  return rest > 0 ? [...rows, [title, `and ${rest} more parts`]] : rows;
}
