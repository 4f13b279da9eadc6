/** Plans of a small text and worker processes on them, with what one plain run gives to compare with. */

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { bracken, MAIN, ROOT } from "../cli/run.js";
import { writeTinyModel } from "../model/tiny-model.js";
import { WORDS } from "../training/tiny-encoder.js";

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<{ code: number | null; stderr: string }>;
}

const SENTENCES = 3000;

export class Fleet {
  readonly parts = 6;
  readonly model: string;
  readonly text: string;
  readonly whole: Buffer;
  readonly #folder: string;

  private constructor(folder: string, model: string, text: string, whole: Buffer) {
    this.#folder = folder;
    this.model = model;
    this.text = text;
    this.whole = whole;
  }

  static async prepare(folder: string): Promise<Fleet> {
    const model = await writeTinyModel(folder);
    const text = join(folder, "text.txt");
    const line = (at: number) =>
      Array.from({ length: at % 23 }, (_, word) => WORDS[(at + word) % 12]).join(" ");
    writeFileSync(text, Array.from({ length: SENTENCES }, (_, at) => `${line(at)}\n`).join(""));
    const out = join(folder, "whole.json");
    const { code } = await bracken(["parse", ...formOf(text, model), "-o", out]);
    expect(code).toBe(0);
    return new Fleet(folder, model, text, readFileSync(out));
  }

  /** The arguments of the run that is planned. */
  form(text = this.text): string[] {
    return formOf(text, this.model);
  }

  /** Makes a plan in a folder of its own, or at an address. */
  async newPlan(at?: string, text = this.text, env: Record<string, string> = {}): Promise<string> {
    const plan = at ?? join(mkdtempSync(join(this.#folder, "plan-")), "plan");
    const args = ["plan", "parse", ...this.form(text), "--parts", `${this.parts}`, "-o", plan];
    const { code, stdout, stderr } = await bracken(args, { env });
    expect([code, stdout, stderr]).toEqual([
      0,
      expect.stringContaining(`${this.parts} parts of about`),
      "",
    ]);
    return plan;
  }

  /** @param before a command that runs the worker. */
  start(
    args: readonly string[],
    nodeOptions: readonly string[] = [],
    before: readonly string[] = [],
  ): Running {
    const common = ["--threads", "1", "--lease", "1"];
    const worker = [process.execPath, ...nodeOptions, MAIN, "work", ...common, ...args];
    const [command, ...rest] = [...before, ...worker] as [string, ...string[]];
    const child = spawn(command, rest, {
      cwd: ROOT,
      stdio: ["ignore", "ignore", "pipe"],
    });
    let stderr = "";
    child.stderr?.on("data", (chunk) => {
      stderr += chunk;
    });
    const ended = new Promise<{ code: number | null; stderr: string }>((resolve) =>
      child.once("close", (code) => resolve({ code, stderr })),
    );
    return { child, ended };
  }

  /**
   * Gathers, and expects the bytes of one plain run.
   *
   * @param text what the input was called: records name it.
   */
  async expectWhole(
    plan: string,
    env: Record<string, string> = {},
    text = this.text,
  ): Promise<void> {
    const out = join(mkdtempSync(join(this.#folder, "out-")), "joined.json");
    const { code, stderr } = await bracken(["gather", plan, "-o", out], { env });
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining(
        `${this.parts} parts, ${SENTENCES.toLocaleString("en-US")} sentences`,
      ),
    ]);
    const joined = readFileSync(out);
    const renamed = joined.toString().replaceAll(text, this.text);
    expect(text === this.text ? joined.equals(this.whole) : renamed === this.whole.toString()).toBe(
      true,
    );
  }
}

function formOf(text: string, model: string): string[] {
  return ["--tokens", text, "-m", model, "-f", "json", "--scores"];
}

export function namesIn(plan: string, inside: string): string[] {
  try {
    return readdirSync(join(plan, inside));
  } catch {
    return [];
  }
}

export function doneIn(plan: string): number {
  return namesIn(plan, "parts").filter((name) => name.endsWith(".json")).length;
}

/** Until the worker has a part at hand, or has ended. */
export async function atWork({ child }: Running, plan: string): Promise<void> {
  const partial = () => namesIn(plan, "parts").some((name) => name.includes(`.${child.pid}-`));
  while (child.exitCode === null && !partial()) await sleep(5);
}

/** A clock an hour slow. */
export const LATE_CLOCK = `--import=data:text/javascript,${encodeURIComponent(
  "const now = Date.now; Date.now = () => now() - 3_600_000;",
)}`;
