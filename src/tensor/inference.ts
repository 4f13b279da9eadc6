/** Runs a graph that has its parameters inside. */

import type { InferenceProgram } from "./program.js";
import { Session, type SessionOptions, shapeFeeds, Tensor } from "./session.js";
import { bindShape, resolveShape, type Sizes, sizeOfShape } from "./shape.js";
import type { Feed, Result } from "./training.js";

/** Results in memory that later runs use again. */
export interface LentResults {
  readonly results: Readonly<Record<string, Result>>;
  /** The results must not be read after this. */
  giveBack(): void;
}

type Buffers = Map<string, Float32Array<ArrayBuffer>>;

export class InferenceRunner {
  readonly #session: Session;
  readonly #program: Omit<InferenceProgram, "graph">;
  readonly #shapes: InferenceProgram["graph"]["shapes"];
  /** Memory for the results of one run each, not in use. */
  readonly #spare: Buffers[] = [];

  private constructor(session: Session, { graph, ...program }: InferenceProgram) {
    this.#session = session;
    // The model's bytes are not kept: the session has its own copy.
    this.#program = program;
    this.#shapes = graph.shapes;
  }

  static async create(
    program: InferenceProgram,
    options: SessionOptions = {},
  ): Promise<InferenceRunner> {
    const session = await Session.create("inference", program.graph.model, options);
    return new InferenceRunner(session, program);
  }

  /** The results in memory of their own. */
  async run(batch: Readonly<Record<string, Feed>>): Promise<Record<string, Result>> {
    const { feeds } = this.#feed(batch);
    const names = Array.from(this.#program.outputs.values(), ({ name }) => name);
    const tensors = await this.#session.run(feeds, names);
    return this.#label(tensors);
  }

  /**
   * The same for results that are read at once. Memory of their own for each run would make the garbage
   * collector run for every few batches, in threads that are then missing for the next batch.
   */
  async lend(batch: Readonly<Record<string, Feed>>): Promise<LentResults> {
    if (!this.#program.withoutCopies) {
      return { results: await this.run(batch), giveBack: () => {} };
    }
    const { feeds, sizes } = this.#feed(batch);
    const buffers = this.#spare.pop() ?? new Map();
    const tensors = new Map<string, Tensor>();
    for (const { name, shape } of this.#program.outputs.values()) {
      const dims = resolveShape(shape, sizes);
      tensors.set(name, new Tensor("float32", roomFor(buffers, name, sizeOfShape(dims)), dims));
    }
    await this.#session.runInto(feeds, tensors, true);
    return { results: this.#label(tensors), giveBack: () => this.#spare.push(buffers) };
  }

  #feed(batch: Readonly<Record<string, Feed>>): { feeds: Record<string, Tensor>; sizes: Sizes } {
    const sizes: Sizes = new Map();
    const feeds: Record<string, Tensor> = {};
    for (const { name, type, shape } of this.#program.inputs) {
      const feed = batch[name];
      if (!feed) throw new Error(`the batch lacks "${name}"`);
      bindShape(name, shape, feed.dims, sizes);
      feeds[name] = new Tensor(type, feed.data, feed.dims);
    }
    return { feeds: { ...feeds, ...shapeFeeds(this.#shapes, sizes) }, sizes };
  }

  #label(tensors: ReadonlyMap<string, Tensor>): Record<string, Result> {
    return Object.fromEntries(
      Array.from(this.#program.outputs, ([label, { name }]) => {
        const { data, dims } = tensors.get(name) as Tensor;
        return [label, { data: data as Float32Array, dims }];
      }),
    );
  }

  release(): Promise<void> {
    return this.#session.release();
  }
}

/** The first numbers of a buffer that grows to the largest result. */
function roomFor(buffers: Buffers, name: string, size: number): Float32Array<ArrayBuffer> {
  let buffer = buffers.get(name);
  if (!buffer || buffer.length < size) {
    buffer = new Float32Array(size);
    buffers.set(name, buffer);
  }
  return buffer.subarray(0, size);
}
