/**
 * The parser in a browser: the same models, the same trees, computed by onnxruntime-web, best in a
 * worker. Nothing is fetched but the model's own files and ONNX Runtime's. It runs under Node as well,
 * with the native ONNX Runtime, for models that are at an address.
 */

import { env } from "#onnxruntime";
import { type FetchOptions, RemoteModel } from "./model/remote.js";
import { SpanModel } from "./model/span-model.js";
import { LocalDecoder } from "./parser/decoder.js";
import { Parser } from "./parser/parser.js";
import { processors } from "./tensor/processors.js";

export { InputError } from "./errors.js";
export type { FetchOptions, FetchProgress } from "./model/remote.js";
export { SpanModel } from "./model/span-model.js";
export { ParsedDocument } from "./parser/document.js";
export { sentencesFromText } from "./parser/from-text.js";
export type { DecodeOptions, ParseOptions } from "./parser/options.js";
export { type ParseRecord, type RecordOptions, toParseRecord } from "./parser/parse-record.js";
export { type Parseable, Parser } from "./parser/parser.js";
export { ScoredSentence } from "./parser/scored-sentence.js";
export type {
  Parse,
  ParseChart,
  ParsedSpan,
  ParseProblem,
  SentenceInput,
} from "./parser/sentence.js";

/** How a model is loaded in a browser. */
export interface BrowserOptions extends FetchOptions {
  /**
   * How many threads compute. Unless said otherwise up to four, if the page is isolated and `runtime` is
   * given; else one.
   */
  readonly threads?: number | undefined;
  /**
   * The folder, with a slash at its end, that ONNX Runtime's own files are in; those that the bundler
   * put beside the script unless it is given.
   */
  readonly runtime?: string | URL | undefined;
  /** Compute on the GPU if there is one; needs the build condition `bracken-webgpu`. */
  readonly gpu?: boolean | undefined;
}

/** A model in a browser, and what computes it. */
export interface LoadedModel {
  readonly spans: SpanModel;
  /** What computes. */
  readonly device: "cpu" | "webgpu";
  readonly threads: number;
}

/** Loads the model whose manifest.json lies under an address. */
export async function loadParserFromUrl(
  model: string | URL,
  options: BrowserOptions = {},
): Promise<Parser> {
  const { spans } = await loadModelFromUrl(model, options);
  return new Parser(new LocalDecoder(spans));
}

/** The same, for those who want the scores of all spans and decode themselves (`bracken/chart`). */
export async function loadModelFromUrl(
  model: string | URL,
  options: BrowserOptions = {},
): Promise<LoadedModel> {
  const threads = chooseThreads(options);
  env.wasm.numThreads = threads;
  if (options.runtime !== undefined) env.wasm.wasmPaths = String(options.runtime);
  const source = await RemoteModel.fetch(String(model), options);
  const onGpu = options.gpu ? await loadOnGpu(source) : undefined;
  if (onGpu) return { spans: onGpu, device: "webgpu", threads };
  return { spans: await SpanModel.load(source, { threads }), device: "cpu", threads };
}

/** More threads than this wait for each other on sentences. */
const MOST_THREADS = 4;

/**
 * Threads share memory, which browsers allow only to pages that are isolated from other origins. Each
 * starts with ONNX Runtime's script; where that is part of a bundle, they would start with the bundle.
 */
function chooseThreads({ threads, runtime }: BrowserOptions): number {
  const { crossOriginIsolated } = globalThis as { crossOriginIsolated?: boolean };
  if (crossOriginIsolated === false) return 1;
  if (threads !== undefined) return threads;
  const isBrowser = crossOriginIsolated !== undefined;
  if (!isBrowser) return processors();
  return runtime === undefined ? 1 : Math.max(1, Math.min(MOST_THREADS, processors()));
}

/** The parser on the GPU, or nothing where there is none or it cannot do it. */
async function loadOnGpu(source: RemoteModel): Promise<SpanModel | undefined> {
  const { navigator } = globalThis as {
    navigator?: { readonly gpu?: { requestAdapter(): Promise<unknown> } };
  };
  try {
    if (!(await navigator?.gpu?.requestAdapter())) return undefined;
    const parser = await SpanModel.load(source, { providers: ["webgpu", "cpu"] });
    for await (const { scores } of parser.scores([["A", "trial", "."]])) {
      if (scores.every(Number.isFinite)) return parser;
    }
    await parser.close();
  } catch {
    // The processor can do it.
  }
  return undefined;
}
