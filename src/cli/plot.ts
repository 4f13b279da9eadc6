/** `bracken plot`: draws training logs as an SVG picture. */

import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Command } from "commander";
import { InputError } from "../errors.js";
import { checkOutput, withOutput } from "../files/output.js";
import { drawCurves } from "../training/curves.js";
import { parseLog } from "../training/log-record.js";
import { checkPictureName, examples } from "./options.js";

export function build(command: Command): void {
  command
    .argument("<logs...>", "output folders of bracken train, or their training/log.jsonl")
    .option("-o, --out <file.svg>", "write to a file")
    .addHelpText(
      "after",
      examples(
        "bracken plot models/mine -o curves.svg",
        "bracken plot runs/seed-1 runs/seed-2 > both.svg",
      ),
    )
    .action(run);
}

async function run(names: string[], { out }: { out?: string }): Promise<void> {
  checkPictureName(out);
  const files = await Promise.all(names.map(logFile));
  await checkOutput(out, files);
  const logs = await Promise.all(
    files.map(async (file, index) => {
      const name = names[index] as string;
      const text = await readFile(file, "utf8").catch(() => {
        throw new InputError(
          "there is no training log here",
          { file },
          "give the --out folder of a run",
        );
      });
      return { name, records: parseLog(text, file) };
    }),
  );
  await withOutput(out, (target) => target.write(`${drawCurves(logs)}\n`));
}

async function logFile(name: string): Promise<string> {
  const isFolder = (await stat(name).catch(() => undefined))?.isDirectory();
  return isFolder ? join(name, "training", "log.jsonl") : name;
}
