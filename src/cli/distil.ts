/** `bracken distil`: what one or several models believe, as brackets for another to learn from. */

import type { Command } from "commander";
import { type Bracketing, parseBracketing, toLine } from "../brackets/record.js";
import { expandInputs, TextInput } from "../io/input.js";
import { withOutput } from "../io/output.js";
import { Progress } from "../io/progress.js";
import { ModelFolder } from "../parser/model-folder.js";
import { findModel } from "../parser/models.js";
import { SpanParser } from "../parser/span-parser.js";
import { cutWindows } from "../parser/windows.js";
import { type BeliefOptions, beliefsOf } from "../training/beliefs.js";
import {
  checkSingleStdin,
  collect,
  examples,
  numberThat,
  probability,
  wholeNumber,
} from "./options.js";

interface Options extends BeliefOptions {
  readonly model: readonly string[];
  readonly maxTokens: number;
  readonly threads?: number;
  readonly output?: string;
}

export function build(command: Command): void {
  command
    .argument("<data...>", "Bracketings (JSON lines), whose brackets may be none")
    .requiredOption("-m, --model <name>", "a model; several are named one by one", collect, [])
    .option(
      "--cost-factor <lambda>",
      "how much a tree loses for a bracket it crosses",
      numberThat((value) => value >= 0, "a number, 0 or more"),
      3,
    )
    .option("--least <p>", "leave out spans less probable than p", probability, 0.02)
    .option("--max-tokens <n>", "leave out longer sentences", wholeNumber(1), 100)
    .option("--threads <n>", "processor threads", wholeNumber(1))
    .option("-o, --output <file>", "write to a file")
    .addHelpText(
      "after",
      examples(
        "bracken distil answers.jsonl links.jsonl -m runs/seed-1 -m runs/seed-2 -o beliefs.jsonl",
        "bracken train beliefs.jsonl --out models/student",
      ),
    )
    .action(run);
}

async function run(names: string[], options: Options): Promise<void> {
  checkSingleStdin(names);
  const models = await Promise.all(
    options.model.map(async (name) => {
      const folder = await ModelFolder.open(await findModel(name));
      return SpanParser.load(folder, { threads: options.threads });
    }),
  );
  const progress = new Progress({ unit: "sentences" });
  try {
    await withOutput(options.output, async (output) => {
      const windows = cutWindows(read(names, options), { wordsOf: ({ tokens }) => tokens.length });
      for await (const window of windows) {
        const found = await beliefsOf(models, window, options);
        await output.write(found.map(toLine).join(""));
        progress.advance(window.length);
      }
    });
  } finally {
    progress.finish();
    await Promise.all(models.map((model) => model.close()));
  }
}

async function* read(names: readonly string[], { maxTokens }: Options): AsyncGenerator<Bracketing> {
  for (const file of await expandInputs(names, [".jsonl"])) {
    for await (const { text, line } of new TextInput(file).lines()) {
      if (text.trim() === "") continue;
      const bracketing = parseBracketing(text, { file, line });
      const { length } = bracketing.tokens;
      if (length > 2 && length <= maxTokens) yield bracketing;
    }
  }
}
