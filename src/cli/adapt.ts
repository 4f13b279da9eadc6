/** `bracken adapt`: from documents to a parser of one's own. */

import type { Command } from "commander";
import { type AdaptOptions, adapt } from "../adapt/adapt.js";
import { adaptText } from "../adapt/report.js";
import { clearStatus } from "../display/status-line.js";
import { withOutput } from "../files/output.js";
import { examples, numberThat, threadsOption, wholeNumber } from "./options.js";
import { onEndingSignal } from "./signals.js";
import { TrainingDisplay } from "./training-display.js";

interface Options extends Omit<AdaptOptions, "onStage" | "onRecord" | "isStopped" | "settings"> {
  readonly freeze?: number;
  readonly out: string;
  readonly json?: boolean;
}

export function build(command: Command): void {
  const share = numberThat((value) => value > 0 && value < 1, "a number between 0 and 1");
  command
    .argument(
      "<documents...>",
      "Markdown, HTML, wikitext, dumps of wikis, plain text or Bracketings: files, folders or patterns",
    )
    .requiredOption(
      "-o, --out <folder>",
      "folder of the new model; a stopped run continues when started again",
    )
    .option("--from <model>", "model to start from: bundled, or a folder", "bracken-en")
    .option(
      "--minutes <n>",
      "time limit, in minutes",
      numberThat((value) => value > 0, "a number above 0"),
      15,
    )
    .option("--steps <n>", "number of training steps, instead of a time limit", wholeNumber(1))
    .option("--trees <files...>", "gold trees to learn from as well")
    .option(
      "--keep <files...>",
      "other text, on which the parser should stay as it is: documents or Bracketings",
    )
    .option(
      "--held-back <share>",
      "share of the sentences to measure on instead of learning from them",
      share,
      0.1,
    )
    .option("--source <name>", "source of the documents (default: each file is recognised)")
    .option("--freeze <n>", "do not train the embeddings and the first n layers", wholeNumber(0))
    .option("--seed <n>", "seed", wholeNumber(0))
    .addOption(threadsOption())
    .option("--json", "print the report as JSON")
    .addHelpText(
      "after",
      examples(
        "bracken adapt docs/ --out models/mine",
        "bracken adapt wiki.xml.bz2 --minutes 60 --out models/wiki",
        "bracken adapt docs/ --trees gold.mrg --keep answers.jsonl --out models/mine",
      ),
    )
    .action(run);
}

async function run(documents: string[], { out, json, freeze, ...options }: Options): Promise<void> {
  let stopped = false;
  let signals: { release(): void } | undefined;
  let display: TrainingDisplay | undefined;
  const report = await adapt(documents, out, {
    ...options,
    ...(freeze === undefined ? {} : { settings: { freeze } }),
    isStopped: () => stopped,
    onStage: (stage, note) => {
      clearStatus();
      process.stderr.write(`${stage} ${note}\n`);
      // Only training has something to save before it ends.
      signals?.release();
      if (stage !== "training") return;
      signals = onEndingSignal(() => {
        stopped = true;
      });
    },
    onRecord: (record, steps) => {
      display ??= new TrainingDisplay(steps);
      display.show(record);
    },
  });
  clearStatus();
  if (!report) {
    process.stderr.write("stopped; the same command continues\n");
    process.exitCode = 1;
    return;
  }
  const text = json ? JSON.stringify(report, null, 2) : adaptText(report, out);
  await withOutput(undefined, (output) => output.write(`${text}\n`));
  if (!json) process.stderr.write(`trees before and after: ${out}/report.html\n`);
}
