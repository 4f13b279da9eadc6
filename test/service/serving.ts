/** `bracken serve` as a real process on a free port of this machine, with the tiny model. */

import { type ChildProcess, spawn } from "node:child_process";
import { connect } from "node:net";
import { afterAll } from "vitest";
import { MAIN, ROOT } from "../cli/run.js";

export interface Served {
  readonly url: string;
  readonly port: number;
  readonly child: ChildProcess;
  /** What it has logged so far, one object a line. */
  log(): Record<string, unknown>[];
  /** What its standard error held beside the log. */
  complaints(): string[];
  /** Resolves with the exit code. */
  readonly exited: Promise<number | null>;
}

const started: { child: ChildProcess; exited: Promise<unknown> }[] = [];

afterAll(async () => {
  for (const { child } of started) child.kill("SIGKILL");
  await Promise.all(started.map(({ exited }) => exited));
});

/** Starts a service that ends with the test file. */
export function serve(model: string, ...options: string[]): Promise<Served> {
  return serveWith({}, "--port", "0", "--threads", "1", "--model", model, ...options);
}

/** The same with nothing but these options and variables of the environment. */
export async function serveWith(env: NodeJS.ProcessEnv, ...options: string[]): Promise<Served> {
  const child = spawn(process.execPath, [MAIN, "serve", ...options], {
    cwd: ROOT,
    env: { ...process.env, ...env },
  });
  const exited = new Promise<number | null>((resolve) => child.once("close", resolve));
  started.push({ child, exited });
  let [out, err] = ["", ""];
  child.stderr.on("data", (chunk: Buffer) => {
    err += chunk;
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on("data", (chunk: Buffer) => {
      out += chunk;
      const found = / on (http:\S+\/)\n/.exec(out)?.[1];
      if (found) resolve(found);
    });
    exited.then((code) => reject(new Error(`bracken serve ended with ${code}: ${err}`)));
  });
  const lines = () => err.split("\n").slice(0, -1);
  return {
    url,
    port: Number(new URL(url).port),
    child,
    log: () =>
      lines()
        .filter(isJson)
        .map((line) => JSON.parse(line)),
    complaints: () => lines().filter((line) => !isJson(line)),
    exited,
  };
}

function isJson(line: string): boolean {
  return line.startsWith("{");
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came.
  readonly body: any;
}

export async function post(url: string, body: unknown, headers = {}): Promise<Answer> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return answerOf(response);
}

export async function get(url: string, init: RequestInit = {}): Promise<Answer> {
  return answerOf(await fetch(url, init));
}

async function answerOf(response: Response): Promise<Answer> {
  const { status, headers } = response;
  const text = await response.text();
  const isJsonAnswer = headers.get("content-type")?.startsWith("application/json");
  return { status, headers, body: isJsonAnswer ? JSON.parse(text) : text };
}

/**
 * Sends bytes as they are and gives back all that comes until the connection is closed, or the patience
 * in milliseconds is over. With `end` it says that nothing more will come.
 */
export function raw(
  port: number,
  bytes: string | Uint8Array,
  { patience = 5000, end = false } = {},
): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    let received = "";
    socket.setTimeout(patience, () => socket.destroy());
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(received));
    if (end) socket.end(bytes);
    else socket.write(bytes);
  });
}
