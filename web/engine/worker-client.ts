/** The page's end of the parsing worker: loads models once, tells progress, asks for scores. */

import type { SentenceScores } from "../../src/model/span-model.js";
import type { Answer, Request } from "./messages.js";

export type Loaded = Answer & { readonly kind: "loaded" };

export type Progress = (loaded: number, total: number) => void;

type Unnumbered<R> = R extends Request ? Omit<R, "id"> : never;

interface Pending {
  readonly onProgress: Progress | undefined;
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

export class WorkerClient {
  readonly #pending = new Map<number, Pending>();
  readonly #loading = new Map<string, Promise<Loaded>>();
  #worker: Promise<Worker> | undefined;
  #requests = 0;

  /** Loads a model, or waits for its loading if that has begun. */
  load(model: string, onProgress?: Progress): Promise<Loaded> {
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
    this.#worker ??= this.#start();
    const worker = await this.#worker;
    const id = this.#requests++;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { onProgress, resolve, reject });
      worker.postMessage({ ...request, id });
    });
  }

  async #start(): Promise<Worker> {
    const script = (await hasGpu()) ? "parser-gpu.js" : "parser.js";
    const worker = new Worker(new URL(script, document.baseURI), { type: "module" });
    worker.onmessage = ({ data }: MessageEvent<Answer>) => this.#receive(data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.#fail(new Error(event.message || "the parser could not be started"));
    };
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
  #fail(error: Error): void {
    this.#worker = undefined;
    this.#loading.clear();
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
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
