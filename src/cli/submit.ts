/** `bracken submit`: puts the parts of a plan into a queue. */

import type { Command } from "commander";
import { storeAt } from "../plans/open-plan.js";
import { readPlan } from "../plans/plan.js";
import { connectQueue } from "../plans/queue.js";
import { type Submitted, submitPlan } from "../plans/submit.js";
import { checkVersion } from "../plans/work.js";
import { examples, wholeNumber } from "./options.js";
import { queueAddress, queueNameOption, queueOption } from "./queue-options.js";

interface Options {
  readonly queue: string | true;
  readonly queueName: string;
  readonly tries: number;
}

export function build(command: Command): void {
  command
    .argument(
      "<plan>",
      "the plan: a folder that all workers see at the same path, or s3://bucket/folder",
    )
    .addOption(queueOption().makeOptionMandatory())
    .addOption(queueNameOption())
    .option("--tries <n>", "set a part aside after this many failures", wholeNumber(1), 3)
    .addHelpText(
      "after",
      examples(
        "bracken submit plan/ --queue redis://127.0.0.1:6379",
        "bracken submit s3://corpora/plan --queue    # the address is in BRACKEN_QUEUE",
      ),
    )
    .action(run);
}

async function run(place: string, { queue: given, queueName, tries }: Options): Promise<void> {
  const store = storeAt(place);
  const plan = await readPlan(store);
  checkVersion(plan);
  const connection = await connectQueue(queueAddress(given), queueName);
  try {
    process.stdout.write(describe(await submitPlan(connection.queue, store, plan, tries)));
  } finally {
    await connection.close();
  }
}

function describe({ added, again, there, done }: Submitted): string {
  const number = (count: number) => count.toLocaleString("en-US");
  const further = [
    ...(again > 0 ? [`${number(again)} of them once more`] : []),
    ...(there > 0 ? [`${number(there)} were in the queue already`] : []),
    ...(done > 0 ? [`${number(done)} are done`] : []),
  ];
  return `${number(added)} parts submitted${further.map((each) => `; ${each}`).join("")}\n`;
}
