/** `bracken serve`: serves the parser over HTTP, with its page. */

import { stat } from "node:fs/promises";
import { isIP } from "node:net";
import { resolve } from "node:path";
import { type Command, InvalidArgumentError, Option } from "commander";
import { learnFolder } from "../annotate/session.js";
import { InputError } from "../errors.js";
import type { Precision } from "../model/config.js";
import { readApiKeys } from "../service/api-keys.js";
import { DEFAULT_LIMITS } from "../service/limits.js";
import { servedNames } from "../service/models.js";
import { type Service, type ServiceSettings, startService } from "../service/server.js";
import { type AnnotationFlags, annotationOptions } from "./annotation-options.js";
import { examples, precisionOption, threadsOption, wholeNumber } from "./options.js";
import { onEndingSignal } from "./signals.js";

interface Options extends AnnotationFlags {
  readonly port: number;
  readonly host: string;
  readonly model?: readonly string[];
  readonly watch?: string;
  readonly annotate?: string;
  readonly corpus?: readonly string[];
  readonly page?: string;
  readonly allowHost?: readonly string[];
  readonly cors?: readonly string[];
  readonly apiKeyFile?: string;
  readonly trustProxy?: readonly string[];
  readonly maxBody: number;
  readonly maxSentences: number;
  readonly maxTokens: number;
  readonly maxWords: number;
  readonly timeout: number;
  readonly queue: number;
  readonly clientRequests?: number;
  readonly clientWords?: number;
  readonly drain: number;
  readonly drainDelay: number;
  readonly threads?: number;
  readonly precision: Precision;
  readonly quiet?: boolean;
}

/** Timers count milliseconds in 31 bits; a day is enough. */
const DAY = 86_400;
/** A chart for this many words takes a gigabyte. */
const MOST_WORDS = 5000;
const COUNT = 1_000_000_000;

/** All settings. Each is a flag, and a variable in the environment: BRACKEN_ and its name. */
function settings(): Option[] {
  const limits = DEFAULT_LIMITS;
  return [
    option("--port <n>", "port to listen on; 0 takes any free one", wholeNumber(0, 65_535), 8080),
    option("--host <address>", "address to listen on", String, "127.0.0.1"),
    option(
      "-m, --model <name>",
      "name or folder of a model; repeat it for several (default: those installed)",
      list,
    ),
    option("--watch <folder>", "show the training runs in this folder"),
    option(
      "--annotate <file>",
      "ask people questions about the documents of --corpus, and write their answers to this file",
    ),
    option(
      "--corpus <files>",
      "documents to ask about: files, folders or patterns; repeatable",
      list,
    ),
    ...annotationOptions(),
    option("--page <folder>", "serve this page instead of the built-in one"),
    option(
      "--allow-host <name>",
      "host name by which clients reach the service, or * for any; repeatable",
      hosts,
    ),
    option("--cors <origin>", "origin whose web pages may use the service; repeatable", origins),
    option("--api-key-file <file>", "require a key; the file has one key per line"),
    option(
      "--trust-proxy <address>",
      "proxy whose X-Forwarded-For is trusted; repeatable",
      addresses,
    ),
    option("--max-body <bytes>", "largest request body: 500000, 500k or 2m", bytes, limits.body),
    option(
      "--max-sentences <n>",
      "largest number of sentences per request",
      wholeNumber(1, COUNT),
      limits.sentences,
    ),
    option(
      "--max-tokens <n>",
      "largest number of words per request",
      wholeNumber(1, COUNT),
      limits.tokens,
    ),
    option(
      "--max-words <n>",
      "do not parse sentences with more words; they get flat trees",
      wholeNumber(1, MOST_WORDS),
      limits.words,
    ),
    option("--timeout <seconds>", "longest time per request", wholeNumber(1, DAY), limits.seconds),
    option(
      "--queue <n>",
      "largest number of words waiting, over all requests",
      wholeNumber(1, COUNT),
      limits.queue,
    ),
    option(
      "--client-requests <n>",
      "largest number of requests per minute from a client",
      wholeNumber(1, COUNT),
    ),
    option(
      "--client-words <n>",
      "largest number of words per minute from a client",
      wholeNumber(1, COUNT),
    ),
    option(
      "--drain <seconds>",
      "on shutdown, time for accepted requests to finish",
      wholeNumber(0, DAY),
      30,
    ),
    option(
      "--drain-delay <seconds>",
      "on shutdown, time to keep serving while /readyz answers 503",
      wholeNumber(0, DAY),
      0,
    ),
    threadsOption("", "one per processor, at most 8"),
    precisionOption(),
    new Option("--quiet", "log errors only"),
  ];
}

function option<T>(
  flags: string,
  description: string,
  parse?: (value: string, before: T | undefined) => T,
  byDefault?: T,
): Option {
  const made = new Option(flags, description);
  if (parse) made.argParser(parse);
  return byDefault === undefined ? made : made.default(byDefault);
}

export function build(command: Command): void {
  for (const each of settings()) command.addOption(withEnvironment(each));
  command
    .addHelpText(
      "after",
      [
        "",
        "Every option can also be set in the environment: --max-body as BRACKEN_MAX_BODY, lists separated by commas.",
        "BRACKEN_API_KEY can hold keys, like --api-key-file.",
      ].join("\n"),
    )
    .addHelpText(
      "after",
      examples(
        "bracken serve",
        "bracken serve --model default --model models/mine --watch runs/",
        "bracken serve --annotate my.jsonl --corpus docs/",
        `curl -H 'content-type: application/json' -d '{"text": "He left."}' localhost:8080/v1/parse`,
      ),
    )
    .action(run);
}

/** An empty variable counts as unset, as is usual in files of variables. */
function withEnvironment(made: Option): Option {
  const variable = `BRACKEN_${made.name().toUpperCase().replaceAll("-", "_")}`;
  const value = process.env[variable];
  if (value === undefined || value === "") return made;
  if (!made.isBoolean()) return made.env(variable);
  const isOn = ["1", "true", "yes"].includes(value.toLowerCase());
  if (isOn || ["0", "false", "no"].includes(value.toLowerCase())) return made.default(isOn);
  throw new InputError(`${variable} is ${JSON.stringify(value)}`, {}, "it must be 1 or 0");
}

/** Values from repeated options, or separated by commas. */
function list(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, ...value.split(",").map((each) => each.trim())].filter(Boolean);
}

/** Lists whose values are of a certain kind. */
function listOf(isGood: (value: string) => boolean, what: string) {
  return (value: string, before?: readonly string[]): readonly string[] => {
    const values = list(value, before);
    if (values.every(isGood)) return values;
    throw new InvalidArgumentError(`It must be ${what}.`);
  };
}

const hosts = listOf(
  (name) => name === "*" || /^[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?$/i.test(name),
  "a name without scheme and port, such as parse.example.org, or *",
);

const origins = listOf(
  (origin) => URL.canParse(origin) && new URL(origin).origin === origin,
  "a scheme, a host and perhaps a port: https://page.example.org",
);

const addresses = listOf((value) => {
  const [address = "", bits = "0", ...rest] = value.split("/");
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return value === "loopback" || (/^\d+$/.test(bits) && Number(bits) <= most && rest.length === 0);
}, "an address or a network: 10.0.0.7, 10.0.0.0/8 or loopback");

const UNITS: Readonly<Record<string, number>> = { "": 1, k: 1024, m: 1024 * 1024 };

function bytes(text: string): number {
  const [, number, unit = ""] = /^(\d+)([km]?)$/i.exec(text) ?? [];
  const value = Number(number) * (UNITS[unit.toLowerCase()] ?? 0);
  // A body becomes one string, and the length of strings is limited.
  if (value >= 1 && value <= 256 * 1024 * 1024) return value;
  throw new InvalidArgumentError("It must be a number of bytes up to 256m: 500000, 500k or 2m.");
}

async function run(options: Options, command: Command): Promise<void> {
  const service = await startService(await toSettings(options, command.parent?.version() ?? ""));
  const names = service.models.map(({ name }) => name).join(", ");
  process.stdout.write(`bracken serves ${names} on ${service.url}\n`);
  if (options.annotate) process.stdout.write(`questions: ${service.url}#/annotate\n`);
  await untilEnd(service);
}

async function toSettings(options: Options, version: string): Promise<ServiceSettings> {
  return {
    port: options.port,
    models: servedNames(options.model),
    limits: {
      body: options.maxBody,
      sentences: options.maxSentences,
      tokens: options.maxTokens,
      words: options.maxWords,
      seconds: options.timeout,
      queue: options.queue,
    },
    rates: { requests: options.clientRequests, words: options.clientWords },
    access: {
      host: options.host,
      allowHosts: options.allowHost ?? [],
      cors: options.cors ?? [],
      keys: await readApiKeys(options.apiKeyFile, process.env.BRACKEN_API_KEY),
    },
    trustProxy: options.trustProxy ?? [],
    drain: { delay: options.drainDelay, seconds: options.drain },
    watch: await checkFolder(options.watch),
    annotation: annotationOf(options),
    page: await checkFolder(options.page),
    threads: options.threads,
    precision: options.precision,
    quiet: options.quiet,
    version,
  };
}

function annotationOf(options: Options): ServiceSettings["annotation"] {
  const { annotate: log, corpus, source, pool, heldBack, twice, learnEvery } = options;
  if (log !== undefined && corpus !== undefined) {
    const learnIn = options.learnIn ?? learnFolder(log);
    return { log, corpus, learnIn, source, pool, heldBack, twice, learnEvery };
  }
  if (log === undefined && corpus === undefined) return undefined;
  throw new InputError(
    log === undefined
      ? "--corpus works only with --annotate"
      : "--annotate needs documents to ask about",
    {},
    "give both: --annotate my.jsonl --corpus docs/",
  );
}

async function checkFolder(folder: string | undefined): Promise<string | undefined> {
  if (folder === undefined) return undefined;
  const found = await stat(folder).catch(() => undefined);
  if (found?.isDirectory()) return resolve(folder);
  throw new InputError("there is no such folder", { file: folder }, "check the path");
}

/** Serves until a signal arrives or the service fails. */
async function untilEnd(service: Service): Promise<void> {
  await Promise.race([untilSignal(), service.lost]).catch((error: Error) => {
    process.stderr.write(`internal error: ${error.stack}\n`);
    process.exit(1);
  });
  await service.close();
}

/** The first signal ends the service after the accepted requests, the second at once. */
function untilSignal(): Promise<void> {
  return new Promise((resolve) => onEndingSignal(() => resolve()));
}
