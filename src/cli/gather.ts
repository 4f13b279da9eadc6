/** `bracken gather`: joins the results of a plan, after checking each. */

import type { Command } from "commander";
import { Progress } from "../display/progress.js";
import { ExtractReport, type ReportCounts } from "../extract/report.js";
import { gather } from "../plans/gather.js";
import { storeAt } from "../plans/open-plan.js";
import { readPlan } from "../plans/plan.js";
import type { Receipt } from "../plans/receipts.js";
import { reportText } from "./extract.js";
import { examples } from "./options.js";

export function build(command: Command): void {
  command
    .argument("<plan>", "the plan: a folder, or s3://bucket/folder")
    .option("-o, --out <file>", "write to a file; if anything fails, nothing is written")
    .addHelpText(
      "after",
      examples("bracken gather plan/ -o trees.txt", "bracken gather plan/ | gzip > trees.txt.gz"),
    )
    .action(run);
}

async function run(place: string, { out }: { readonly out?: string }): Promise<void> {
  const store = storeAt(place);
  const plan = await readPlan(store);
  const progress = new Progress({ unit: "parts", total: plan.parts.length });
  try {
    const receipts = await gather(store, plan, out, () => progress.advance());
    progress.finish();
    process.stderr.write(reportOf(receipts));
  } finally {
    progress.finish();
  }
}

function reportOf(receipts: readonly Receipt[]): string {
  const total = (of: (receipt: Receipt) => number) =>
    receipts.reduce((sum, receipt) => sum + of(receipt), 0);
  const reports = receipts.flatMap(({ counts }) => (counts.report as ReportCounts) ?? []);
  if (reports.length > 0) {
    const report = new ExtractReport();
    for (const each of reports) report.add(each);
    return reportText(report);
  }
  const sentences = total(({ counts }) => counts.sentences).toLocaleString("en-US");
  const problems = total(({ counts }) => counts.problems ?? 0);
  const without = problems > 0 ? `, ${problems.toLocaleString("en-US")} without a tree` : "";
  return `${receipts.length} parts, ${sentences} sentences${without}\n`;
}
