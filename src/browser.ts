/**
 * The parser for browsers: the same models and the same trees, computed by onnxruntime-web, best in a worker.
 * It fetches only the model's files and ONNX Runtime's. It also runs under Node, with the native ONNX Runtime,
 * for models at a URL.
 */

import { env } from "#onnxruntime";
import { type FetchOptions, RemoteModel } from "./model/remote.js";
import { SpanModel } from "./model/span-model.js";
import { LocalDecoder } from "./parser/decoder.js";
import { Parser } from "./parser/parser.js";
import { processors } from "./tensor/processors.js";

export { InputError } from "./errors.js";
export type { LabelFactors } from "./model/label-scorer.js";
export type { FetchOptions, FetchProgress } from "./model/remote.js";
export { type SentenceScores, SpanModel } from "./model/span-model.js";
export { ParsedDocument } from "./parser/document.js";
export { sentencesFromText } from "./parser/from-text.js";
export type { DecodeOptions, ParseOptions } from "./parser/options.js";
export { type ParseRecord, type RecordOptions, toParseRecord } from "./parser/parse-record.js";
export { type Parseable, Parser } from "./parser/parser.js";
export {
  type DocumentPhrase,
  NESTINGS,
  type Nesting,
  type PhraseOptions,
} from "./parser/phrases.js";
export { type Decoded, ScoredSentence } from "./parser/scored-sentence.js";
export type {
  Parse,
  ParseChart,
  ParsedSpan,
  ParseProblem,
  SentenceInput,
} from "./parser/sentence.js";
export {
  type LabelChart,
  ScoredLabels,
  type SentenceLabels,
  type SpanLabel,
} from "./parser/sentence-labels.js";

/** How a model is loaded in a browser. */
export interface BrowserOptions extends FetchOptions {
  /**
   * The number of threads. By default up to four if the page is isolated from other origins and `runtime`
   * is given, otherwise one.
   */
  readonly threads?: number | undefined;
  /**
   * The URL of the folder with ONNX Runtime's files, ending in a slash. By default the files that the
   * bundler put beside the script.
   */
  readonly runtime?: string | URL | undefined;
  /** Use WebGPU if there is a GPU. It needs the build condition `bracken-webgpu`. */
  readonly gpu?: boolean | undefined;
}

/** A model in a browser, and the device that computes it. */
export interface LoadedModel {
  /** Scores all spans of sentences. */
  readonly spans: SpanModel;
  /** The device that computes. */
  readonly device: "cpu" | "webgpu";
  /** The number of threads. */
  readonly threads: number;
}

/**
 * Loads a parser from a model folder at a URL.
 *
 * @param model the URL of the folder that has the model's manifest.json.
 * @throws InputError that names the file that is missing or damaged.
 * @example
 * ```ts browser no-run
 * import { loadParserFromUrl } from "bracken/browser";
 *
 * const parser = await loadParserFromUrl(new URL("/models/bracken-en/", location.href), {
 *   onProgress: ({ loaded, total }) => console.log(`${Math.round((100 * loaded) / total)} %`),
 * });
 * const { sentences } = await parser.parseText("He saw the dog.");
 * ```
 */
export async function loadParserFromUrl(
  model: string | URL,
  options: BrowserOptions = {},
): Promise<Parser> {
  const { spans } = await loadModelFromUrl(model, options);
  return new Parser(new LocalDecoder(spans));
}

/**
 * Loads a model from a folder at a URL, to score spans and decode them yourself with `bracken/chart`.
 *
 * @param model the URL of the folder that has the model's manifest.json.
 * @throws InputError that names the file that is missing or damaged.
 */
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

/** With more threads, they wait for each other on short sentences. */
const MOST_THREADS = 4;

/**
 * Threads share memory, which browsers allow only on pages that are isolated from other origins. Each
 * thread starts with ONNX Runtime's script; if that is part of a bundle, it would start with the bundle.
 */
function chooseThreads({ threads, runtime }: BrowserOptions): number {
  const { crossOriginIsolated } = globalThis as { crossOriginIsolated?: boolean };
  if (crossOriginIsolated === false) return 1;
  if (threads !== undefined) return threads;
  const isBrowser = crossOriginIsolated !== undefined;
  if (!isBrowser) return processors();
  return runtime === undefined ? 1 : Math.max(1, Math.min(MOST_THREADS, processors()));
}

/** The model on the GPU; undefined if there is no GPU or it fails. */
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
    // The CPU does it instead.
  }
  return undefined;
}
