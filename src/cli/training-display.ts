/** How a training run shows where it is, for all commands that train. */

import { percent } from "../display/columns.js";
import { StepStatus } from "../display/status-line.js";
import type { StepRecord } from "../training/log-record.js";

/** The progress line of a run; where nobody watches, a line now and then. */
export class TrainingDisplay {
  readonly #steps: number;
  readonly #status: StepStatus;

  constructor(steps: number) {
    this.#steps = steps;
    this.#status = new StepStatus(steps, 20);
  }

  show(record: StepRecord): void {
    this.#status.show(record.step, this.#line(record));
  }

  #line({
    step,
    loss,
    violations,
    gradientNorm,
    tokensPerSecond,
    seconds,
    bracketRecall,
  }: StepRecord): string {
    const left = (seconds / step) * (this.#steps - step);
    const parts = [
      `step ${step}/${this.#steps}`,
      `loss ${loss.toFixed(3)}`,
      `violations ${(violations * 100).toFixed(0)} %`,
      `gradient ${gradientNorm.toFixed(2)}`,
      `${Math.round(tokensPerSecond)} tokens/s`,
      `${Math.floor(left / 60)}:${String(Math.round(left % 60)).padStart(2, "0")} left`,
      ...(bracketRecall === undefined ? [] : [`bracket recall ${percent(bracketRecall)} %`]),
    ];
    return parts.join("  ");
  }
}
