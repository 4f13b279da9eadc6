/**
 * The parser in a worker of its own, so that the page stays awake while it computes. It answers with
 * the scores of all spans; the page decodes them, and again at once when brackets are forced.
 */

import { type LabelFactors, type LoadedModel, loadModelFromUrl } from "../../src/browser.js";
import type { Answer, LoadRequest, Request, ScoreRequest } from "./messages.js";

declare const GPU: boolean;

const models = new Map<string, Promise<LoadedModel>>();
const scope = globalThis as unknown as {
  onmessage: (event: MessageEvent<Request>) => void;
  postMessage(answer: Answer, transfer?: Transferable[]): void;
};

// One request after the other: ONNX Runtime runs one graph at a time.
let last: Promise<void> = Promise.resolve();
scope.onmessage = ({ data }) => {
  last = last.then(() => answer(data));
};

async function answer(request: Request): Promise<void> {
  const { id } = request;
  try {
    if (request.kind === "load") await load(request);
    else await score(request);
  } catch (error) {
    scope.postMessage({ kind: "failed", id, problem: (error as Error).message ?? String(error) });
  }
}

async function load({ id, model, runtime }: LoadRequest): Promise<void> {
  const onProgress = (progress: { loaded: number; total: number }) =>
    scope.postMessage({ kind: "progress", id, ...progress });
  let loading = models.get(model);
  if (!loading) {
    loading = loadModelFromUrl(model, { runtime, gpu: GPU, onProgress });
    models.set(model, loading);
    // It may succeed at the next attempt.
    loading.catch(() => models.delete(model));
  }
  const { device, threads, spans } = await loading;
  const { decoding, labels } = spans.config;
  scope.postMessage({ kind: "loaded", id, device, threads, decoding, labels });
}

async function score({ id, model, sentences }: ScoreRequest): Promise<void> {
  const loaded = await models.get(model);
  if (!loaded) throw new Error(`the model ${model} is not loaded`);
  const scores = new Array<Float32Array<ArrayBuffer>>(sentences.length);
  const labels: LabelFactors[] = [];
  for await (const scored of loaded.spans.scores(sentences)) {
    scores[scored.index] = scored.scores as Float32Array<ArrayBuffer>;
    if (scored.labels) labels[scored.index] = scored.labels;
  }
  const arrays = [...scores, ...labels.flatMap(({ left, right }) => [left, right])];
  scope.postMessage(
    { kind: "scored", id, scores, labels },
    arrays.map(({ buffer }) => buffer as ArrayBuffer),
  );
}
