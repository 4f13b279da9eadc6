/** Runs a graph that has its parameters inside. */

import type { InferenceProgram } from "./program.js";
import { Session, type SessionOptions, shapeFeeds, Tensor } from "./session.js";
import { bindShape, type Sizes } from "./shape.js";
import type { Feed, Result } from "./training.js";

export class InferenceRunner {
  readonly #session: Session;
  readonly #program: Pick<InferenceProgram, "inputs" | "outputs">;
  readonly #shapes: InferenceProgram["graph"]["shapes"];

  private constructor(session: Session, { inputs, outputs, graph }: InferenceProgram) {
    this.#session = session;
    // The model's bytes are not kept: the session has its own copy.
    this.#program = { inputs, outputs };
    this.#shapes = graph.shapes;
  }

  static async create(
    program: InferenceProgram,
    options: SessionOptions = {},
  ): Promise<InferenceRunner> {
    const session = await Session.create("inference", program.graph.model, options);
    return new InferenceRunner(session, program);
  }

  async run(batch: Readonly<Record<string, Feed>>): Promise<Record<string, Result>> {
    const sizes: Sizes = new Map();
    const feeds: Record<string, Tensor> = {};
    for (const { name, type, shape } of this.#program.inputs) {
      const feed = batch[name];
      if (!feed) throw new Error(`the batch lacks "${name}"`);
      bindShape(name, shape, feed.dims, sizes);
      feeds[name] = new Tensor(type, feed.data, feed.dims);
    }
    Object.assign(feeds, shapeFeeds(this.#shapes, sizes));
    const names = Array.from(this.#program.outputs.values(), ({ name }) => name);
    const results = await this.#session.run(feeds, names);
    return Object.fromEntries(
      Array.from(this.#program.outputs, ([label, { name }]) => {
        const { data, dims } = results.get(name) as Tensor;
        return [label, { data: data as Float32Array, dims }];
      }),
    );
  }

  release(): Promise<void> {
    return this.#session.release();
  }
}
