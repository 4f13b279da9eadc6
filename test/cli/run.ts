/** Runs the built command line as a user does. */

import { spawn } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));
export const MAIN = `${ROOT}dist/cli/main.js`;

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly input?: string | Uint8Array;
  readonly nodeOptions?: readonly string[];
  readonly env?: Record<string, string>;
  /** The current folder; by default that of the project. */
  readonly cwd?: string;
}

export function bracken(args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...(options.nodeOptions ?? []), MAIN, ...args], {
      cwd: options.cwd ?? ROOT,
      env: { ...process.env, ...options.env },
    });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => err.push(chunk));
    child.on("error", reject);
    child.on("close", (code) =>
      resolve({
        code,
        stdout: Buffer.concat(out).toString(),
        stderr: Buffer.concat(err).toString(),
      }),
    );
    // A command that refuses its arguments exits without reading its input.
    child.stdin.on("error", () => {});
    child.stdin.end(options.input ?? "");
  });
}

/** Runs until the progress of `output` has been saved anew, then kills the process. */
export async function runAndKill(args: readonly string[], output: string): Promise<void> {
  const progress = `${output}.progress`;
  const before = existsSync(progress) ? statSync(progress).mtimeMs : 0;
  const child = spawn(process.execPath, [MAIN, ...args], { cwd: ROOT, stdio: "ignore" });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  while (child.exitCode === null) {
    if (existsSync(progress) && statSync(progress).mtimeMs > before) break;
    await sleep(20);
  }
  child.kill("SIGKILL");
  await ended;
}
