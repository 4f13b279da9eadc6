/** A data set of brackets: its sentences with what people marked in them, and what it amounts to. */

import { parseBracketing } from "../../src/brackets/index.js";
import { filePicker, ProgressLine } from "../controls.js";
import { drawBracketing } from "../data/bracketing.js";
import { type Filter, type Findings, NO_FILTER, onlyKind } from "../data/scan.js";
import type { ScanAnswer, ScanRequest } from "../data/worker.js";
import { debounced, h } from "../dom.js";
import { histogram, shareRows } from "../plots.js";
import { fetchSample } from "../samples.js";
import type { Frame, View } from "./view.js";

const SAMPLE =
  "Each sentence has brackets, the lines under its words: what people gave as an answer, or made a link. " +
  "From such brackets bracken learns.";

const PAGE = 25;
const KIND_COLOURS = 6;

export class DataSetView implements View {
  readonly name = "data";
  readonly title = "Data";
  readonly element: HTMLElement;
  readonly #frame: Frame;
  #worker: Worker | undefined;
  readonly #text = h("input", {
    type: "search",
    placeholder: "words, or /pattern/",
    "aria-label": "Text",
  });
  readonly #kind = h("select", { "aria-label": "Kind" });
  readonly #source = h("select", { "aria-label": "Source" });
  readonly #least = numberField("Least words");
  readonly #most = numberField("Most words");
  readonly #filters = h("div", { class: "filters", hidden: true });
  readonly #progress = new ProgressLine();
  /** What is open, and for the sample what it is there for. */
  readonly #opened = h("p", { class: "opened", role: "status", hidden: true });
  readonly #problem = h("p", { class: "problem", role: "alert", hidden: true });
  readonly #statistics = h("section", {
    class: "statistics",
    "aria-label": "Statistics",
    hidden: true,
  });
  readonly #list = h("ol", { class: "bracketings" });
  readonly #pager = h("nav", { class: "pager", "aria-label": "Pages", hidden: true });
  readonly #remember = debounced(200, () => this.#putIntoLink());
  readonly #kinds: string[] = [];
  #file: Blob | undefined;
  #name = "";
  #isPacked = false;
  #places = new Float64Array(0);
  #count = 0;
  #page = 0;
  #requests = 0;

  constructor(frame: Frame) {
    this.#frame = frame;
    const search = debounced(250, () => this.#search());
    for (const field of [this.#text, this.#kind, this.#source, this.#least, this.#most]) {
      field.addEventListener("input", search);
    }
    this.element = this.#build();
  }

  restore(fields: URLSearchParams): void {
    this.#text.value = fields.get("text") ?? "";
    this.#least.value = fields.get("least") ?? "";
    this.#most.value = fields.get("most") ?? "";
    for (const [list, name] of [
      [this.#kind, "kind"],
      [this.#source, "source"],
    ] as const) {
      const value = fields.get(name) ?? "";
      list.replaceChildren(
        ...options(name === "kind" ? "all kinds" : "all sources", [value].filter(Boolean)),
      );
      list.value = value;
    }
    if (this.#file) this.#search();
    else void this.#openSample();
  }

  /** So that the view shows what it is for before anybody has data. */
  async #openSample(): Promise<void> {
    const sample = await fetchSample("brackets.jsonl");
    if (!sample || this.#file) return;
    this.#open(sample, "a sample that comes with bracken", SAMPLE);
  }

  #build(): HTMLElement {
    this.#filters.append(
      this.#text,
      this.#kind,
      this.#source,
      h(
        "span",
        { class: "range" },
        this.#least,
        h("span", {}, "to"),
        this.#most,
        h("span", {}, "words"),
      ),
    );
    return h(
      "div",
      { class: "view" },
      filePicker(
        "Open your data: drop a .jsonl or .jsonl.gz of Bracketings here, or choose it",
        "bracken extract auto qasrl-bank/ -o answers.jsonl",
        {
          accept: ".jsonl,.gz,.json,application/x-ndjson",
          onFiles: ([file]) => file && this.#open(file, file.name),
        },
      ),
      this.#opened,
      this.#filters,
      this.#progress.element,
      this.#problem,
      this.#statistics,
      this.#list,
      this.#pager,
    );
  }

  #open(file: Blob, name: string, note = ""): void {
    this.#file = file;
    this.#name = name;
    this.#isPacked = name.endsWith(".gz");
    this.#opened.hidden = false;
    this.#opened.replaceChildren("Open: ", h("b", {}, name), note && `. ${note}`);
    this.#kinds.length = 0;
    this.#filters.hidden = false;
    this.#search();
  }

  get #filter(): Filter {
    const number = (input: HTMLInputElement, otherwise: number) =>
      input.value === "" ? otherwise : Number(input.value);
    return {
      text: this.#text.value,
      kind: this.#kind.value,
      source: this.#source.value,
      least: number(this.#least, NO_FILTER.least),
      most: number(this.#most, NO_FILTER.most),
    };
  }

  #search(): void {
    if (!this.#file) return;
    this.#requests += 1;
    this.#places = new Float64Array(0);
    this.#count = 0;
    this.#page = 0;
    this.#problem.hidden = true;
    this.#progress.show(`Reading ${this.#name} …`, 0);
    this.#list.replaceChildren();
    this.#worker ??= this.#startWorker();
    this.#worker.postMessage({
      id: this.#requests,
      file: this.#file,
      isPacked: this.#isPacked,
      filter: this.#filter,
    } satisfies ScanRequest);
    this.#remember();
  }

  #startWorker(): Worker {
    const worker = new Worker(new URL("data.js", document.baseURI), { type: "module" });
    worker.onmessage = ({ data }: MessageEvent<ScanAnswer>) => this.#receive(data);
    return worker;
  }

  #receive(answer: ScanAnswer): void {
    if (answer.id !== this.#requests) return;
    if (answer.kind === "failed") {
      this.#progress.hide();
      this.#tell(answer.problem);
    } else if (answer.kind === "unpacked") {
      this.#file = answer.file;
      this.#isPacked = false;
    } else {
      this.#addPlaces(answer.places);
      this.#show(answer.findings);
      if (answer.isOver) this.#progress.hide();
      else
        this.#progress.show(
          `Reading ${this.#name}: ${this.#count.toLocaleString("en")} sentences`,
          answer.share,
        );
    }
  }

  #tell(problem: string): void {
    this.#problem.textContent = problem;
    this.#problem.hidden = false;
  }

  #addPlaces(places: Float64Array): void {
    const needed = 2 * this.#count + places.length;
    if (needed > this.#places.length) {
      const larger = new Float64Array(Math.max(needed, 2 * this.#places.length));
      larger.set(this.#places);
      this.#places = larger;
    }
    this.#places.set(places, 2 * this.#count);
    const wasShort = this.#count < (this.#page + 1) * PAGE;
    this.#count += places.length / 2;
    if (wasShort && places.length > 0) void this.#showPage(this.#page);
    else this.#showPager();
  }

  #show(findings: Findings): void {
    const { problems, badLines } = findings;
    if (badLines > 0) {
      const rest =
        badLines > problems.length ? `, and ${badLines - problems.length} more lines` : "";
      this.#tell(`Not Bracketings: ${problems.join("; ")}${rest}.`);
    }
    for (const kind of findings.kinds.keys())
      if (!this.#kinds.includes(kind)) this.#kinds.push(kind);
    if (this.#kind.value === "") this.#offer(this.#kind, "all kinds", findings.kinds.keys());
    if (this.#source.value === "")
      this.#offer(this.#source, "all sources", findings.sources.keys());
    this.#showStatistics(findings);
  }

  /** Offers what was found to choose from. */
  #offer(list: HTMLSelectElement, all: string, names: Iterable<string>): void {
    const wanted = [...names].filter(Boolean);
    if (list.options.length === wanted.length + 1) return;
    list.replaceChildren(...options(all, wanted));
  }

  #showStatistics(found: Findings): void {
    const per = (part: number, whole: number) => (whole === 0 ? "–" : (part / whole).toFixed(2));
    const share = (part: number, whole: number) =>
      whole === 0 ? "–" : `${((100 * part) / whole).toFixed(1)} %`;
    const fact = (name: string, value: string) =>
      h("div", {}, h("dt", {}, name), h("dd", {}, value));
    const accent = () => "var(--accent)";
    this.#statistics.hidden = false;
    this.#statistics.replaceChildren(
      h(
        "dl",
        {},
        fact("Sentences", found.sentences.toLocaleString("en")),
        fact("Brackets", found.brackets.toLocaleString("en")),
        fact("Words a sentence", per(found.tokens, found.sentences)),
        fact("Brackets a sentence", per(found.brackets, found.sentences)),
        fact("Single words", share(found.single, found.brackets)),
        fact("Whole sentences", share(found.whole, found.brackets)),
        fact("Crossing pairs", share(found.crossingPairs, found.pairs)),
      ),
      h(
        "div",
        { class: "plots" },
        histogram("Words in a bracket", found.lengths, "brackets"),
        histogram("Brackets in a sentence", found.counts, "sentences"),
        histogram("Words in a sentence", found.sentenceLengths, "sentences"),
        found.kinds.size > 0 && shareRows("Kinds", found.kinds, (kind) => this.#colourOf(kind)),
        shareRows("Sources", found.sources, accent),
      ),
    );
  }

  #colourOf(kind: string): string {
    const index = this.#kinds.indexOf(kind);
    return index < 0 ? "var(--accent)" : `var(--series-${index % KIND_COLOURS})`;
  }

  async #showPage(page: number): Promise<void> {
    this.#page = page;
    const { kind } = this.#filter;
    const [first, last] = [page * PAGE, Math.min(this.#count, (page + 1) * PAGE)];
    const request = this.#requests;
    const lines = await Promise.all(
      Array.from({ length: last - first }, (_, index) => {
        const at = 2 * (first + index);
        return (this.#file as Blob).slice(this.#places[at], this.#places[at + 1]).text();
      }),
    );
    if (request !== this.#requests || page !== this.#page) return;
    this.#list.start = first + 1;
    this.#list.replaceChildren(
      ...lines.map((line) =>
        drawBracketing(onlyKind(parseBracketing(line), kind), (each) => this.#colourOf(each)),
      ),
    );
    this.#showPager();
  }

  #showPager(): void {
    const pages = Math.ceil(this.#count / PAGE);
    this.#pager.hidden = pages <= 1;
    const turn = (name: string, page: number, isPossible: boolean) =>
      h(
        "button",
        {
          type: "button",
          disabled: !isPossible,
          click: async () => {
            await this.#showPage(page);
            this.#list.scrollIntoView({ block: "start" });
          },
        },
        name,
      );
    this.#pager.replaceChildren(
      turn("Back", this.#page - 1, this.#page > 0),
      h(
        "span",
        { role: "status" },
        `${(this.#page + 1).toLocaleString("en")} of ${pages.toLocaleString("en")}`,
      ),
      turn("Next", this.#page + 1, this.#page + 1 < pages),
    );
  }

  #putIntoLink(): void {
    this.#frame.remember(this.name, {
      text: this.#text.value,
      kind: this.#kind.value,
      source: this.#source.value,
      least: this.#least.value,
      most: this.#most.value,
    });
  }
}

function numberField(label: string): HTMLInputElement {
  return h("input", { type: "number", min: 0, "aria-label": label, inputmode: "numeric" });
}

function options(all: string, names: readonly string[]): HTMLOptionElement[] {
  return [
    h("option", { value: "" }, all),
    ...names.map((name) => h("option", { value: name }, name)),
  ];
}
