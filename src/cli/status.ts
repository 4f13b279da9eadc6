/** `bracken status`: how far the parts of a plan are. */

import type { Command } from "commander";
import { alignColumns } from "../display/columns.js";
import { clock } from "../display/progress.js";
import { readPlan } from "../plans/plan.js";
import { type PlanStatus, statusOf } from "../plans/status.js";
import { FolderStore } from "../plans/store.js";
import { examples } from "./options.js";

export function build(command: Command): void {
  command
    .argument("<plan>", "the folder of the plan")
    .option("--json", "print it as JSON")
    .addHelpText("after", examples("bracken status plan/", "watch -n 10 bracken status plan/"))
    .action(run);
}

async function run(folder: string, { json }: { readonly json?: boolean }): Promise<void> {
  const store = new FolderStore(folder);
  const status = await statusOf(store, await readPlan(store));
  process.stdout.write(json ? `${JSON.stringify(status)}\n` : statusText(status));
}

/** How many parts of a kind are listed one by one. */
const MOST_LISTED = 20;

function statusText(status: PlanStatus): string {
  const { parts, done, running, failed, lost, sentences, share, speed, left } = status;
  const number = (value: number) => value.toLocaleString("en-US");
  const percent = Math.floor(share * 100);
  const rows = [
    ["done", `${number(done)} of ${number(parts)} parts, ${percent}% of the work`],
    ["sentences", number(sentences)],
    ...(speed === undefined ? [] : [["speed", `${number(Math.round(speed))}/s per worker`]]),
    ...(left === undefined ? [] : [["left", `${clock(left)} with ${running.length} at work`]]),
    ...list("running", running, (each) => `by ${each.worker}, ${Math.floor(each.share * 100)}%`),
    ...list(
      "lost",
      lost.map((part) => ({ part })),
      () => "its worker has ended; another will take it",
    ),
    ...list("failed", failed, ({ tries, error }) => `${tries} times: ${error}`),
  ];
  return `${alignColumns(rows)}\n`;
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
