/**
 * ONNX Runtime sessions, with outputs written straight into memory of ours.
 *
 * The binding copies every output after a run, even those it was given memory for. It converts them
 * in order, though, and gives up at the first that is not a tensor, when all are computed: so our
 * graphs return an empty sequence first, and the error it causes is expected. That is private
 * behaviour; whether it still holds is tried once on a small graph, and if not, outputs are copied.
 *
 * onnxruntime.ts says what `#onnxruntime` is.
 */

import { env, InferenceSession, Tensor } from "#onnxruntime";
import { nativeCall } from "../workers/native-calls.js";
import { declareNoCopyOutput, Graph } from "./graph.js";
import { processors } from "./processors.js";
import { resolveShape, type Shape, type Sizes } from "./shape.js";

export { Tensor };

/** How ONNX Runtime computes. */
export interface SessionOptions {
  /** The number of threads; by default one per processor. More would be slower. */
  readonly threads?: number | undefined;
  /** ONNX Runtime's execution providers in order of preference. */
  readonly providers?: readonly string[] | undefined;
}

/** What a session keeps private and the shortcut needs. */
interface Handler {
  run(
    feeds: Readonly<Record<string, Tensor>>,
    fetches: Readonly<Record<string, Tensor | null>>,
    options: object,
  ): Promise<unknown>;
}

export class Session {
  readonly #session: InferenceSession;
  readonly #title: string;

  private constructor(session: InferenceSession, title: string) {
    this.#session = session;
    this.#title = title;
  }

  static async create(
    title: string,
    model: Uint8Array,
    { threads = processors(), providers = ["cpu"] }: SessionOptions = {},
  ): Promise<Session> {
    // WebAssembly's threads are started with the first session, and serve all of them.
    env.wasm.numThreads ??= threads;
    const options = {
      intraOpNumThreads: threads,
      interOpNumThreads: 1,
      executionProviders: [...providers],
      enableCpuMemArena: true,
      // Patterns are remembered for every shape seen, and batches come in many shapes.
      enableMemPattern: false,
      graphOptimizationLevel: "all",
      // Errors are thrown with their text, and need not be printed as well.
      logSeverityLevel: 4,
      // Threads that wait actively take the processor from the other session's.
      extra: { session: { force_spinning_stop: "1" } },
    } as const;
    try {
      return new Session(await nativeCall(() => InferenceSession.create(model, options)), title);
    } catch (error) {
      throw graphError(title, error);
    }
  }

  /** Runs the graph and returns the named outputs in memory of their own. */
  async run(
    feeds: Readonly<Record<string, Tensor>>,
    outputs: readonly string[],
  ): Promise<Map<string, Tensor>> {
    try {
      const results = await nativeCall(() => this.#session.run(feeds, [...outputs]));
      return new Map(outputs.map((name) => [name, results[name] as Tensor]));
    } catch (error) {
      throw graphError(this.#title, error);
    }
  }

  /** Runs the graph and writes each output into the tensor given for it. */
  async runInto(
    feeds: Readonly<Record<string, Tensor>>,
    outputs: ReadonlyMap<string, Tensor>,
    withoutCopies?: boolean,
  ): Promise<void> {
    if (withoutCopies ?? (await canSkipCopies())) return this.#runWithoutCopies(feeds, outputs);
    const results = await this.run(feeds, [...outputs.keys()]);
    for (const [name, target] of outputs) {
      (target.data as Float32Array).set(results.get(name)?.data as Float32Array);
    }
  }

  async #runWithoutCopies(
    feeds: Readonly<Record<string, Tensor>>,
    outputs: ReadonlyMap<string, Tensor>,
  ): Promise<void> {
    const { handler } = this.#session as unknown as { handler: Handler };
    const sequence = this.#session.outputNames[0] as string;
    try {
      const fetches = { [sequence]: null, ...Object.fromEntries(outputs) };
      await nativeCall(() => handler.run(feeds, fetches, {}));
    } catch (error) {
      if (isExpected(error)) return;
      throw graphError(this.#title, error);
    }
    throw new Error(`${this.#title} graph: ONNX Runtime returned a sequence without complaint`);
  }

  async release(): Promise<void> {
    await nativeCall(() => this.#session.release());
  }
}

function isExpected(error: unknown): boolean {
  return String(error).includes("Non tensor type is temporarily not supported");
}

/** ONNX Runtime's message names the node, which carries the scope it was made in. */
function graphError(title: string, error: unknown): Error {
  const message = error instanceof Error ? error.message : String(error);
  return new Error(`${title} graph: ${message}`, { cause: error });
}

let skipsCopies: Promise<boolean> | undefined;

/**
 * Whether outputs can be had without the binding's copies. Browsers have another binding, and there is no need to try it.
 *
 * @param options the number of threads, which WebAssembly takes from its first session.
 */
export function canSkipCopies(options: Pick<SessionOptions, "threads"> = {}): Promise<boolean> {
  skipsCopies ??= isNode() ? tryWithoutCopies(options) : Promise.resolve(false);
  return skipsCopies;
}

function isNode(): boolean {
  const { process } = globalThis as { process?: { versions?: { node?: string } } };
  return process?.versions?.node !== undefined;
}

async function tryWithoutCopies({
  threads = 1,
}: Pick<SessionOptions, "threads">): Promise<boolean> {
  const graph = new Graph("trial");
  graph.input("x", "float32", ["n"]);
  declareNoCopyOutput(graph);
  const doubled = graph.output(graph.emit("Add", ["x", "x"]), ["n"]);
  const session = await Session.create("trial", graph.encode(), { threads });
  const target = new Float32Array(3);
  try {
    const feeds = { x: new Tensor("float32", new Float32Array([1, 2, 3]), [3]) };
    const outputs = new Map([[doubled, new Tensor("float32", target, [3])]]);
    await session.runInto(feeds, outputs, true);
    return target.join() === "2,4,6";
  } catch {
    return false;
  } finally {
    await session.release();
  }
}

/** The tensors that tell a graph the sizes behind its symbols. */
export function shapeFeeds(
  shapes: ReadonlyMap<string, Shape>,
  sizes: Sizes,
): Record<string, Tensor> {
  const feeds: Record<string, Tensor> = {};
  for (const [name, shape] of shapes) {
    const dims = resolveShape(shape, sizes).map((dim) => BigInt(dim));
    feeds[name] = new Tensor("int64", BigInt64Array.from(dims), [dims.length]);
  }
  return feeds;
}
