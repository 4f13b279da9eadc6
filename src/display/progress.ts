/**
 * A progress line on standard error for work that takes more than two seconds: how much is done, how
 * fast, and the time left. Silent if standard error is not a terminal.
 */

import { clearStatus, showStatus, type Terminal } from "./status-line.js";

const SILENT_FOR = 2000;
const EVERY = 100;

export interface ProgressOptions {
  /** What is counted, in the plural: "trees". */
  readonly unit: string;
  /** How many there will be, where that is known. */
  readonly total?: number | undefined;
  readonly stream?: Terminal;
  readonly now?: () => number;
}

export class Progress {
  readonly #unit: string;
  readonly #total: number | undefined;
  readonly #stream: NonNullable<ProgressOptions["stream"]>;
  readonly #now: () => number;
  readonly #started: number;
  #done = 0;
  #shown = 0;
  #fraction: number | undefined;

  constructor({
    unit,
    total,
    stream = process.stderr,
    now = performance.now.bind(performance),
  }: ProgressOptions) {
    this.#unit = unit;
    this.#total = total;
    this.#stream = stream;
    this.#now = now;
    this.#started = now();
  }

  /** Counts further units; `fraction` says how far along they are where no total is known. */
  advance(count = 1, fraction?: number): void {
    this.#done += count;
    if (fraction !== undefined) this.#fraction = fraction;
    if (!this.#stream.isTTY) return;
    const now = this.#now();
    if (now - this.#started < SILENT_FOR || now - this.#shown < EVERY) return;
    this.#shown = now;
    showStatus(this.describe((now - this.#started) / 1000), this.#stream);
  }

  /** The items as they are, each counted as it passes. */
  async *count<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item> {
    for await (const item of items) {
      this.advance();
      yield item;
    }
  }

  /** Clears the line. */
  finish(): void {
    if (this.#shown > 0) clearStatus(this.#stream);
  }

  describe(seconds: number): string {
    const rate = this.#done / seconds;
    const fraction = this.#total ? this.#done / this.#total : this.#fraction;
    const parts = [
      `${count(this.#done)}${this.#total ? ` of ${count(this.#total)}` : ""} ${this.#unit}`,
      `${count(rate >= 10 ? Math.round(rate) : Math.round(rate * 10) / 10)}/s`,
    ];
    if (fraction === undefined || fraction <= 0) return parts.join("  ");
    // Reading runs ahead of the work: all is done when the line is cleared, not before.
    const done = Math.min(0.99, fraction);
    const bar = "█".repeat(Math.round(done * 20)).padEnd(20, "░");
    return [
      bar,
      `${Math.floor(done * 100)}%`,
      ...parts,
      `${clock((seconds / done) * (1 - done))} left`,
    ].join("  ");
  }
}

function count(value: number): string {
  return value.toLocaleString("en-US");
}

/** Seconds as hours, minutes and seconds. */
export function clock(seconds: number): string {
  const whole = Math.ceil(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)];
  const pad = (value: number) => String(value).padStart(2, "0");
  return hours > 0
    ? `${hours}:${pad(minutes)}:${pad(whole % 60)}`
    : `${minutes}:${pad(whole % 60)}`;
}
