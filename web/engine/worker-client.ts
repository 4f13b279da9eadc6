/** The page's end of the parsing worker: loads models once, tells progress, asks for scores. */

import type { SentenceScores } from "../../src/model/span-model.js";
import type { Answer, Request } from "./messages.js";

export type Loaded = Answer & { readonly kind: "loaded" };

export type Progress = (loaded: number, total: number) => void;

type Unnumbered<R> = R extends Request ? Omit<R, "id"> : never;

const CPU = "parser.js";
const GPU = "parser-gpu.js";
type Script = typeof CPU | typeof GPU;

interface Pending {
  readonly script: Script;
  readonly onProgress: Progress | undefined;
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

export class WorkerClient {
  readonly #pending = new Map<number, Pending>();
  readonly #loading = new Map<string, Promise<Loaded>>();
  /** The worker on the processor, and the one that may use a GPU. */
  readonly #workers = new Map<Script, Worker>();
  /** Which worker has a model. */
  readonly #scripts = new Map<string, Promise<Script>>();
  #requests = 0;

  /** Whether a model is there, so that nothing has to be fetched for it. */
  hasLoaded(model: string): boolean {
    return this.#loading.has(model);
  }

  /**
   * Loads a model, or waits for its loading if that has begun. The runtime for GPUs is a download twice as large: only
   * a large model may ask for it.
   */
  load(model: string, isLarge: boolean, onProgress?: Progress): Promise<Loaded> {
    if (!this.#scripts.has(model)) {
      const script = isLarge ? hasGpu().then((found) => (found ? GPU : CPU)) : CPU;
      this.#scripts.set(model, Promise.resolve(script));
    }
    const runtime = new URL("runtime/", document.baseURI).href;
    let loading = this.#loading.get(model);
    if (!loading) {
      loading = this.#ask({ kind: "load", model, runtime }, onProgress) as Promise<Loaded>;
      this.#loading.set(model, loading);
      loading.catch(() => this.#loading.delete(model));
    }
    return loading;
  }

  async score(model: string, sentences: readonly (readonly string[])[]): Promise<SentenceScores[]> {
    const answer = await this.#ask({ kind: "score", model, sentences });
    const { scores, labels } = answer as Answer & { kind: "scored" };
    return scores.map((each, index) => {
      const factors = labels[index];
      return factors ? { scores: each, labels: factors } : { scores: each };
    });
  }

  async #ask(request: Unnumbered<Request>, onProgress?: Progress): Promise<Answer> {
    const script = (await this.#scripts.get(request.model)) ?? CPU;
    const worker = this.#workers.get(script) ?? this.#start(script);
    const id = this.#requests++;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { script, onProgress, resolve, reject });
      worker.postMessage({ ...request, id });
    });
  }

  #start(script: Script): Worker {
    const worker = new Worker(new URL(script, document.baseURI), { type: "module" });
    worker.onmessage = ({ data }: MessageEvent<Answer>) => this.#receive(data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.#fail(script, new Error(event.message || "the parser could not be started"));
    };
    this.#workers.set(script, worker);
    return worker;
  }

  #receive(answer: Answer): void {
    const pending = this.#pending.get(answer.id);
    if (answer.kind === "progress") {
      pending?.onProgress?.(answer.loaded, answer.total);
      return;
    }
    this.#pending.delete(answer.id);
    if (answer.kind === "failed") pending?.reject(new Error(answer.problem));
    else pending?.resolve(answer);
  }

  /** The requests of a worker that died are lost; the next request starts another one. */
  #fail(script: Script, error: Error): void {
    this.#workers.delete(script);
    this.#loading.clear();
    for (const [id, pending] of this.#pending) {
      if (pending.script !== script) continue;
      this.#pending.delete(id);
      pending.reject(error);
    }
  }
}

/** A GPU that is emulated by the processor is slower than the processor itself. */
async function hasGpu(): Promise<boolean> {
  const { gpu } = navigator as unknown as {
    gpu?: { requestAdapter(): Promise<{ info?: { isFallbackAdapter?: boolean } } | null> };
  };
  const adapter = await gpu?.requestAdapter().catch(() => null);
  return !!adapter && adapter.info?.isFallbackAdapter !== true;
}
