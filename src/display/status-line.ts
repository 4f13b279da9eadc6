/** A line on standard error that the next one replaces, where standard error is a terminal. */

export interface Terminal {
  isTTY?: boolean;
  columns?: number;
  write(text: string): unknown;
}

const CLEAR = "\r\u001b[K";

/** Shows the line instead of the one before; false if there is no terminal. */
export function showStatus(line: string, terminal: Terminal = process.stderr): boolean {
  if (!terminal.isTTY) return false;
  terminal.write(`${CLEAR}${line.slice(0, (terminal.columns ?? 80) - 1)}`);
  return true;
}

export function clearStatus(terminal: Terminal = process.stderr): void {
  if (terminal.isTTY) terminal.write(CLEAR);
}

/** The steps of a training: one line on a terminal; elsewhere a new line now and then. */
export class StepStatus {
  readonly #steps: number;
  readonly #every: number;
  #shown: number;

  /** Where there is no terminal, about `lines` lines are written. */
  constructor(steps: number, lines: number, begun = 0) {
    this.#steps = steps;
    this.#every = steps / lines;
    this.#shown = begun;
  }

  show(step: number, line: string): void {
    if (showStatus(line)) return;
    if (step < this.#steps && step - this.#shown < this.#every) return;
    this.#shown = step;
    process.stderr.write(`${line}\n`);
  }
}
