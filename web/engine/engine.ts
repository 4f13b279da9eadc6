/** The models there are, in this browser and on the server, and one way to parse with either. */

import { DEFAULT_LANGUAGE } from "../../src/languages/codes.js";
import { rulesFor } from "../../src/parser/from-text.js";
import { unparsed } from "../../src/parser/parse-each.js";
import { labelNames } from "../../src/parser/phrases.js";
import type { SentenceInput } from "../../src/parser/sentence.js";
import { ScoredLabels } from "../../src/parser/sentence-labels.js";
import type { ModelRecord } from "../../src/service/wire.js";
import { type ModelNames, remoteSentence, type Sentence, scoredSentence } from "../sentence.js";
import { listModels, parseOnService } from "./service-client.js";
import { type Loaded, type Progress, WorkerClient } from "./worker-client.js";

export interface ModelChoice {
  /** `here:bracken-en` or `service:bracken-en`: what links carry. */
  readonly id: string;
  readonly name: string;
  /** The code of the language that it parses; of several, the first. */
  readonly language: string;
  readonly languages: readonly string[];
  /** Those of a model on the server; one in this browser tells them when it is loaded. */
  readonly labels: readonly string[];
  readonly where: "here" | "service";
  /** What a browser has to fetch; undefined if the server does not tell. */
  readonly bytes: number | undefined;
}

export interface ParseListener {
  readonly onProgress?: Progress | undefined;
  /** Ends the work when nobody waits for it any more; it is then rejected. */
  readonly signal?: AbortSignal | undefined;
  /** Called with sentences in their order, as they are ready. */
  onSentences(sentences: readonly Sentence[]): void;
}

/** A server of files tells less of its models. */
type ListedModel = Pick<ModelRecord, "name"> &
  Partial<ModelRecord> & { readonly bytes?: number | undefined };

/** Longer sentences are not parsed here: nobody could look at their trees. */
const MOST_WORDS = 400;

/** From this size on, in bytes, a model in the browser may use a GPU. */
const LARGE = 30e6;

/** How many sentences go to the worker at once: the first trees should not wait for the last. */
const BATCH = 16;

const NO_SERVICE = { hasService: false, asksQuestions: false };

export class Engine {
  readonly models: readonly ModelChoice[];
  /** Whether the page comes from `bracken serve`, and not from a server of files. */
  readonly hasService: boolean;
  /** Whether the service asks people questions. */
  readonly asksQuestions: boolean;
  readonly #worker = new WorkerClient();

  private constructor(
    models: readonly ListedModel[],
    { hasService, asksQuestions }: { hasService: boolean; asksQuestions: boolean },
  ) {
    this.hasService = hasService;
    this.asksQuestions = asksQuestions;
    const choices = (where: ModelChoice["where"]) =>
      models.map(({ name, language = DEFAULT_LANGUAGE, languages = [language], ...others }) => {
        const { labels = [] } = others;
        return {
          id: `${where}:${name}`,
          name,
          language,
          languages,
          labels,
          where,
          bytes: sizeOf(others),
        };
      });
    // The first tree should not wait for the longest download.
    const here = choices("here").toSorted((a, b) => (a.bytes ?? 0) - (b.bytes ?? 0));
    this.models = [...(hasService ? choices("service") : []), ...here];
  }

  /** Asks the server for its models. A server of files has a file in the same place. */
  static async create(): Promise<Engine> {
    try {
      const answer = await listModels();
      if ("files" in answer) return new Engine(answer.models, NO_SERVICE);
      return new Engine(answer.models, { hasService: true, asksQuestions: answer.annotation });
    } catch {
      return new Engine([{ name: "bracken-en-small" }], NO_SERVICE);
    }
  }

  /** The models by name, each where it runs best: on the server if that has it. */
  get listed(): readonly ModelChoice[] {
    return this.models.filter(
      ({ name }, index) => this.models.findIndex((other) => other.name === name) === index,
    );
  }

  /**
   * The model of this browser that parses when the server does not answer: the same one if it is here already, or else
   * the smallest.
   */
  standIn({ name, where }: ModelChoice): ModelChoice | undefined {
    if (where === "here") return undefined;
    const here = this.models.filter((model) => model.where === "here");
    const loaded = here.filter((model) => this.#worker.hasLoaded(addressOf(model)));
    return loaded.find((model) => model.name === name) ?? loaded[0] ?? here[0];
  }

  find(id: string): ModelChoice {
    const name = id.replace(/^\w+:/, "");
    const found =
      this.models.find((model) => model.id === id) ??
      this.models.find((model) => model.name === name);
    return found ?? (this.models[0] as ModelChoice);
  }

  /** Whether parsing costs nobody a download of tens of megabytes that they did not ask for. */
  mayAutoParse(id: string): boolean {
    const isLocal = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(location.hostname);
    return isLocal || this.find(id).where === "service";
  }

  /** Begins to load a model of this browser, while the text is still being read. */
  prepare(model: ModelChoice, onProgress: Progress): void {
    // What goes wrong is told when the model is to parse.
    if (model.where === "here") this.#load(model, onProgress).catch(() => {});
  }

  #load(model: ModelChoice, onProgress: Progress | undefined): Promise<Loaded> {
    return this.#worker.load(addressOf(model), (model.bytes ?? 0) > LARGE, onProgress);
  }

  /** Parses, and says in words where it was done. */
  async parse(
    model: ModelChoice,
    inputs: readonly SentenceInput[],
    { onProgress, onSentences, signal }: ParseListener,
  ): Promise<string> {
    const language = await rulesFor(inputs[0]?.language, [model]);
    if (model.where === "service") {
      await parseOnService(model.name, { ...model, language }, inputs, onSentences, signal);
      return "on the server";
    }
    const url = addressOf(model);
    const loaded = await this.#load(model, onProgress);
    const { device, threads } = loaded;
    const names = { labels: labelNames(loaded.labels), language };
    for (let at = 0; at < inputs.length; at += BATCH) {
      signal?.throwIfAborted();
      const sentences = await this.#parseHere(url, inputs.slice(at, at + BATCH), loaded, names);
      signal?.throwIfAborted();
      onSentences(sentences);
    }
    const counted = threads === 1 ? "one thread" : `${threads} threads`;
    return `in this browser (${device === "webgpu" ? "GPU" : counted})`;
  }

  async #parseHere(
    url: string,
    inputs: readonly SentenceInput[],
    { decoding, labels: config }: Loaded,
    names: ModelNames,
  ): Promise<Sentence[]> {
    const short = inputs.filter(({ leaves }) => leaves.length <= MOST_WORDS);
    const scored = await this.#worker.score(
      url,
      short.map(({ leaves }) => leaves.map(({ word }) => word)),
    );
    return inputs.map((input) => {
      const found = scored[short.indexOf(input)];
      if (!found) return tooLong(input, names);
      const { scores, labels } = found;
      const spanLabels = config && labels && new ScoredLabels(config, [labels]);
      return scoredSentence(input, { scores, decoding, spanLabels }, names);
    });
  }
}

function addressOf({ name }: ModelChoice): string {
  return new URL(`models/${encodeURIComponent(name)}/`, document.baseURI).href;
}

function sizeOf({ bytes, files }: Partial<ListedModel>): number | undefined {
  return bytes ?? files?.reduce((sum, file) => sum + file.bytes, 0);
}

function tooLong(input: SentenceInput, { labels }: ModelNames): Sentence {
  const parse = unparsed(input, `over ${MOST_WORDS} words: not parsed`);
  return remoteSentence(parse, labels, async () => parse);
}
