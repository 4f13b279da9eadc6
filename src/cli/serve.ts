/** `bracken serve`: the parser as an HTTP service, with its page. */

import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { InputError } from "../errors.js";
import type { Precision } from "../model/config.js";
import { DEFAULT_LIMITS } from "../service/limits.js";
import { startService } from "../service/server.js";
import { examples, MOST_THREADS, precisionOption, wholeNumber } from "./options.js";

interface Options {
  readonly port: number;
  readonly host: string;
  readonly model?: readonly string[];
  readonly watch?: string;
  readonly page?: string;
  readonly cors?: readonly string[];
  readonly maxBody: number;
  readonly maxSentences: number;
  readonly maxTokens: number;
  readonly maxWords: number;
  readonly timeout: number;
  readonly queue: number;
  readonly threads?: number;
  readonly precision: Precision;
  readonly quiet?: boolean;
}

export function build(command: Command): void {
  const limits = DEFAULT_LIMITS;
  command
    .option("--port <n>", "0 for any that is free", wholeNumber(0), 8080)
    .option("--host <address>", "the address to listen on", "127.0.0.1")
    .option("-m, --model <name>", "default, or a model folder; may be repeated", collect)
    .option("--watch <folder>", "show the training runs under this folder")
    .option("--page <folder>", "serve this page, not the one that comes with bracken")
    .option("--cors <origin>", "let pages of this origin in; may be repeated", collect)
    .option("--max-body <bytes>", "of a request: 500000, 500k or 2m", bytes, limits.body)
    .option("--max-sentences <n>", "of a request", wholeNumber(1), limits.sentences)
    .option("--max-tokens <n>", "words of a request", wholeNumber(1), limits.tokens)
    .option(
      "--max-words <n>",
      "of a sentence; longer ones are not parsed",
      wholeNumber(1),
      limits.words,
    )
    .option("--timeout <seconds>", "of a request", wholeNumber(1), limits.seconds)
    .option("--queue <n>", "words of all requests that may wait", wholeNumber(1), limits.queue)
    .option(
      "--threads <n>",
      "that parse; as many as there are processors",
      wholeNumber(1, MOST_THREADS),
    )
    .addOption(precisionOption())
    .option("--quiet", "log errors only")
    .addHelpText(
      "after",
      examples(
        "bracken serve",
        "bracken serve --model default --model models/mine --watch runs/",
        `curl -H 'content-type: application/json' -d '{"text": "He left."}' localhost:8080/v1/parse`,
      ),
    )
    .action(run);
}

function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

const UNITS: Readonly<Record<string, number>> = { "": 1, k: 1024, m: 1024 * 1024 };

function bytes(text: string): number {
  const [, number, unit = ""] = /^(\d+)([km]?)$/i.exec(text) ?? [];
  const value = Number(number) * (UNITS[unit.toLowerCase()] ?? 0);
  // A body becomes one string, and strings have their limits.
  if (value >= 1 && value <= 256 * 1024 * 1024) return value;
  throw new InvalidArgumentError("It must be a number of bytes up to 256m: 500000, 500k or 2m.");
}

async function run(options: Options, command: Command): Promise<void> {
  const service = await startService({
    host: options.host,
    port: options.port,
    models: options.model ?? ["default"],
    limits: {
      body: options.maxBody,
      sentences: options.maxSentences,
      tokens: options.maxTokens,
      words: options.maxWords,
      seconds: options.timeout,
      queue: options.queue,
    },
    watch: await checkFolder(options.watch),
    page: await checkFolder(options.page),
    cors: options.cors,
    threads: options.threads,
    precision: options.precision,
    quiet: options.quiet,
    version: command.parent?.version() ?? "",
  });
  const names = service.models.map(({ name }) => name).join(", ");
  process.stdout.write(`bracken serves ${names} on ${service.url}\n`);
  await Promise.race([untilSignal(), service.lost]).catch((error: Error) => {
    process.stderr.write(`internal error: ${error.stack}\n`);
    process.exit(1);
  });
  await service.close();
}

async function checkFolder(folder: string | undefined): Promise<string | undefined> {
  if (folder === undefined) return undefined;
  const found = await stat(folder).catch(() => undefined);
  if (found?.isDirectory()) return resolve(folder);
  throw new InputError("there is no such folder", { file: folder }, "name one that there is");
}

/** The first signal ends the service when it has finished what it accepted, the second at once. */
function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    const onSignal = () => {
      // From here on a signal does what it does to any program.
      for (const signal of ENDING) process.off(signal, onSignal);
      resolve();
    };
    for (const signal of ENDING) process.on(signal, onSignal);
  });
}

const ENDING = ["SIGINT", "SIGTERM"] as const;
