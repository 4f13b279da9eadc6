/** Training as curves: logs that are opened, and runs that the server watches, live. */

import { shortNumber } from "../../src/display/plot.js";
import type { RunSummary } from "../../src/service/wire.js";
import { PANELS } from "../../src/training/curves.js";
import { parseLog, type StepRecord } from "../../src/training/log-record.js";
import { copyButton, filePicker } from "../controls.js";
import { debounced, h, messageOf } from "../dom.js";
import { type FollowState, RunFollower } from "../engine/run-follower.js";
import { listRuns } from "../engine/service-client.js";
import { type LineChart, lineChart, type Series } from "../plots.js";
import { fetchSample } from "../samples.js";
import type { Frame, View } from "./view.js";

const ADAPT = "bracken adapt my-docs/ --out my-parser";

const SAMPLE_NAME = "sample";
const SAMPLE =
  "This is a sample: a parser that learns from the 40 sentences of the sample in Data. Loss and violations " +
  "fall while it learns; bracket recall says how many brackets of sentences that it has not seen it finds.";

const COLOURS = 6;

const CURVES = [...PANELS, { title: "Learning rate", value: ({ rate }: StepRecord) => rate }];

interface Run {
  readonly name: string;
  readonly records: StepRecord[];
  /** Of a run on the server. */
  follower?: RunFollower;
  state?: FollowState;
}

const STATES: Readonly<Record<FollowState, string>> = {
  connecting: "connecting …",
  growing: "live",
  stopped: "stopped",
  finished: "finished",
  removed: "removed",
  lost: "not connected",
};

export class TrainingView implements View {
  readonly name = "training";
  readonly title = "Training";
  readonly element: HTMLElement;
  readonly #frame: Frame;
  readonly #runs = new Map<string, Run>();
  readonly #watched = h("ul", { class: "runs", hidden: true, "aria-label": "Runs on the server" });
  readonly #sample = h("p", { class: "opened", role: "status", hidden: true }, SAMPLE);
  readonly #problem = h("p", { class: "problem", role: "alert", hidden: true });
  readonly #smoothness = h("input", {
    type: "range",
    min: 0,
    max: 95,
    step: 5,
    value: 0,
    "aria-label": "Smoothness",
  });
  readonly #tools = h(
    "div",
    { class: "row", hidden: true },
    h("label", { class: "check" }, "Smooth", this.#smoothness),
  );
  readonly #table = h("div", { class: "table" });
  readonly #plots = h("div", { class: "plots" });
  readonly #remember = debounced(200, () => this.#putIntoLink());
  readonly #drawSoon = debounced(50, () => this.#draw());
  #charts: readonly LineChart[] = [];

  constructor(frame: Frame) {
    this.#frame = frame;
    this.#smoothness.addEventListener("input", () => this.#draw());
    this.element = h(
      "div",
      { class: "view" },
      filePicker(
        "Open your training logs: drop training/log.jsonl here, or choose one or several",
        "bracken train answers.jsonl --out models/mine",
        {
          accept: ".jsonl,.json,application/x-ndjson",
          multiple: true,
          onFiles: (files) => void this.#open(files),
        },
      ),
      h(
        "p",
        { class: "row" },
        "To train a parser on your own documents, run ",
        h("code", {}, ADAPT),
        copyButton("Copy the command", ADAPT),
      ),
      this.#watched,
      this.#sample,
      this.#problem,
      this.#tools,
      this.#plots,
      this.#table,
    );
  }

  restore(fields: URLSearchParams): void {
    void this.#openFirst(fields.getAll("run").flatMap(splitNames));
  }

  /** The runs that the server watches; where there are none, a sample shows what the view is for. */
  async #openFirst(names: readonly string[]): Promise<void> {
    if (this.#frame.engine.hasService) await this.#listRuns(names);
    if (this.#runs.size > 0 || !this.#problem.hidden) return;
    const sample = await fetchSample("training.jsonl");
    if (!sample || this.#runs.size > 0) return;
    this.#add({ name: SAMPLE_NAME, records: parseLog(await sample.text(), SAMPLE_NAME) });
  }

  async #open(files: readonly File[]): Promise<void> {
    this.#problem.hidden = true;
    for (const file of files) {
      try {
        const records = parseLog(await file.text(), file.name);
        this.#runs.delete(SAMPLE_NAME);
        this.#add({ name: this.#freshName(file.name), records });
      } catch (error) {
        this.#fail(error);
      }
    }
  }

  #freshName(name: string): string {
    let fresh = name;
    for (let count = 2; this.#runs.has(fresh); count++) fresh = `${name} (${count})`;
    return fresh;
  }

  #add(run: Run): void {
    this.#runs.set(run.name, run);
    this.#draw();
  }

  #remove(name: string): void {
    this.#runs.get(name)?.follower?.close();
    this.#runs.delete(name);
    this.#draw();
    this.#remember();
  }

  #fail(error: unknown): void {
    this.#problem.textContent = messageOf(error);
    this.#problem.hidden = false;
  }

  async #listRuns(chosen: readonly string[]): Promise<void> {
    try {
      const runs = await listRuns();
      this.#watched.hidden = runs.length === 0;
      // Who asks for none in particular wants to see what goes on.
      const shown = chosen.length + this.#runs.size > 0 ? chosen : currentRuns(runs);
      this.#watched.replaceChildren(...runs.map(({ name }) => this.#runSwitch(name, shown)));
    } catch (error) {
      this.#fail(error);
    }
  }

  #runSwitch(name: string, chosen: readonly string[]): HTMLElement {
    const box = h("input", { type: "checkbox" });
    box.addEventListener("change", () => {
      if (box.checked) this.#watch(name);
      else this.#remove(name);
    });
    box.checked = chosen.includes(name) || this.#runs.has(name);
    if (box.checked && !this.#runs.has(name)) this.#watch(name);
    return h("li", {}, h("label", { class: "check" }, box, name));
  }

  #watch(name: string): void {
    this.#runs.delete(SAMPLE_NAME);
    const run: Run = { name, records: [] };
    run.follower = new RunFollower(name, {
      onRecord: (record) => {
        run.records.push(record);
        this.#drawSoon();
      },
      onReset: () => {
        run.records.length = 0;
        this.#drawSoon();
      },
      onState: (state) => {
        run.state = state;
        this.#drawSoon();
      },
      onProblem: (message) => this.#fail(message),
    });
    this.#add(run);
    this.#remember();
  }

  #draw(): void {
    const runs = [...this.#runs.values()];
    this.#tools.hidden = runs.length === 0;
    this.#sample.hidden = !this.#runs.has(SAMPLE_NAME);
    this.#charts =
      runs.length === 0 ? [] : CURVES.map(({ title, value }) => this.#chart(title, value, runs));
    this.#plots.replaceChildren(...this.#charts.map(({ element }) => element));
    this.#table.replaceChildren(...(runs.length > 0 ? [this.#summary(runs)] : []));
  }

  #chart(
    title: string,
    value: (record: StepRecord) => number | undefined,
    runs: readonly Run[],
  ): LineChart {
    const weight = Number(this.#smoothness.value) / 100;
    const series = runs.map(({ name, records }, index): Series => {
      const points = records.flatMap((record) => {
        const y = value(record);
        return y === undefined ? [] : [{ x: record.step, y }];
      });
      return { name, colour: colourOf(index), points: smooth(points, weight) };
    });
    return lineChart(title, series, (step) => {
      for (const chart of this.#charts) chart.point(step);
    });
  }

  #summary(runs: readonly Run[]): HTMLElement {
    const columns = ["Run", "Step", "Loss", "Bracket recall", "Words a second"];
    const rows = runs.map(({ name, records, follower, state }, index) => {
      const last = records.at(-1);
      const bracketRecall = records.findLast(
        (record) => record.bracketRecall !== undefined,
      )?.bracketRecall;
      const dot = h("i", { class: "dot", "aria-hidden": "true" });
      dot.style.background = colourOf(index);
      return h(
        "tr",
        {},
        h("th", { scope: "row" }, dot, name, state && h("small", {}, ` ${STATES[state]}`)),
        h("td", {}, last ? last.step.toLocaleString("en") : "–"),
        h("td", {}, last ? shortNumber(last.loss) : "–"),
        h("td", {}, bracketRecall === undefined ? "–" : `${(100 * bracketRecall).toFixed(1)} %`),
        h(
          "td",
          {},
          last?.tokensPerSecond ? Math.round(last.tokensPerSecond).toLocaleString("en") : "–",
        ),
        h(
          "td",
          {},
          follower
            ? undefined
            : h(
                "button",
                {
                  type: "button",
                  class: "plain",
                  "aria-label": `Close ${name}`,
                  click: () => this.#remove(name),
                },
                "×",
              ),
        ),
      );
    });
    const head = h(
      "tr",
      {},
      ...columns.map((column) => h("th", { scope: "col" }, column)),
      h("td", {}),
    );
    return h("table", {}, h("thead", {}, head), h("tbody", {}, ...rows));
  }

  #putIntoLink(): void {
    const followed = [...this.#runs.values()].filter(({ follower }) => follower);
    const names = followed.map(({ name }) => encodeURIComponent(name));
    this.#frame.remember(this.name, { run: names.join() });
  }
}

/** The runs that grow, or else the one that grew last. */
function currentRuns(runs: readonly RunSummary[]): string[] {
  const growing = runs.filter(({ status }) => status === "growing");
  const latest = runs.toSorted((a, b) => b.changed.localeCompare(a.changed)).slice(0, 1);
  return (growing.length > 0 ? growing : latest).map(({ name }) => name);
}

function splitNames(field: string): string[] {
  return field.split(",").filter(Boolean).map(decodeURIComponent);
}

function colourOf(index: number): string {
  return `var(--series-${index % COLOURS})`;
}

/** Each point drawn towards those before it, by a weight below 1. */
function smooth(points: Series["points"], weight: number): Series["points"] {
  let mean: number | undefined;
  return points.map(({ x, y }) => {
    mean = mean === undefined ? y : weight * mean + (1 - weight) * y;
    return { x, y: mean };
  });
}
