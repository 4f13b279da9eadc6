/**
 * The two halves of a training step. `forward` computes the outputs, the caller turns them into a loss
 * and its gradient by any means, and `backward` computes the gradient of every parameter of the store.
 * Masks, outputs and what is kept between the halves are in memory that is reused.
 */

import type { Random } from "../random.js";
import { fillMask } from "./masks.js";
import { outputGradientName, type RowGradient, type TrainingProgram } from "./program.js";
import { Session, type SessionOptions, shapeFeeds, Tensor } from "./session.js";
import { bindShape, resolveShape, type Shape, type Sizes, sizeOfShape } from "./shape.js";
import type { ParameterStore } from "./store.js";

export interface Feed {
  readonly data: Float32Array<ArrayBuffer> | Int32Array<ArrayBuffer>;
  readonly dims: readonly number[];
}

export interface Result {
  readonly data: Float32Array;
  readonly dims: readonly number[];
}

/**
 * How much larger new memory is than the batch needs. Memory that is replaced is garbage, and Node collects
 * a whole heap for it, with the data set in it. What no batch needs is never touched and takes no room.
 */
const HEADROOM = 1.5;

export class TrainingSession {
  readonly #program: TrainingProgram;
  readonly #store: ParameterStore;
  readonly #forward: Session;
  readonly #backward: Session;
  readonly #parameters: Record<string, Tensor> = {};
  readonly #gradients: Map<string, Tensor>;
  readonly #buffers = new Map<string, Float32Array<ArrayBuffer>>();
  /** Rows of gradients that the last step filled, by parameter. */
  readonly #touched: { parameter: string; rows: Int32Array }[] = [];
  #sizes: Sizes = new Map();
  #values: Record<string, Tensor> = {};

  private constructor(
    program: TrainingProgram,
    store: ParameterStore,
    forward: Session,
    backward: Session,
  ) {
    this.#program = program;
    this.#store = store;
    this.#forward = forward;
    this.#backward = backward;
    for (const { name, shape } of program.parameters) {
      this.#parameters[name] = new Tensor("float32", store.value(name), shape);
    }
    for (const { parameter } of program.rowGradients) {
      if (!program.gradients.has(parameter)) store.trackRows(parameter);
    }
    this.#gradients = new Map(
      Array.from(program.gradients, ([parameter, name]) => {
        const { dims } = this.#parameters[parameter] as Tensor;
        return [name, new Tensor("float32", store.gradient(parameter), dims)];
      }),
    );
  }

  static async create(
    program: TrainingProgram,
    store: ParameterStore,
    options: SessionOptions = {},
  ): Promise<TrainingSession> {
    const forward = await Session.create("forward", program.forward.model, options);
    try {
      const backward = await Session.create("backward", program.backward.model, options);
      return new TrainingSession(program, store, forward, backward);
    } catch (error) {
      await forward.release();
      throw error;
    }
  }

  /**
   * The outputs for a batch, valid until the next call. Dropout masks are drawn from `random`; without
   * it nothing is dropped.
   */
  async forward(
    batch: Readonly<Record<string, Feed>>,
    random?: Random,
  ): Promise<Record<string, Result>> {
    const { inputs, masks, kept, outputs, forward, rowGradients } = this.#program;
    this.#sizes = new Map();
    this.#values = {};
    for (const { name, type, shape } of inputs) {
      const feed = batch[name];
      if (!feed) throw new Error(`the batch lacks "${name}"`);
      bindShape(name, shape, feed.dims, this.#sizes);
      this.#values[name] = new Tensor(type, feed.data, feed.dims);
    }
    for (const { parameter, indices } of rowGradients) {
      this.#store.needRows(parameter, (this.#values[indices] as Tensor).data as Int32Array);
    }
    for (const { name, shape, rate } of masks) {
      const mask = this.#buffer(name, shape);
      if (random) fillMask(mask.data as Float32Array, rate, random);
      else (mask.data as Float32Array).fill(1);
      this.#values[name] = mask;
    }
    const targets = new Map(kept.map(({ name, shape }) => [name, this.#buffer(name, shape)]));
    await this.#forward.runInto(this.#feeds(forward.inputs, forward.shapes), targets);
    Object.assign(this.#values, Object.fromEntries(targets));
    return Object.fromEntries(
      Array.from(outputs, ([label, { name }]) => {
        const { data, dims } = targets.get(name) as Tensor;
        return [label, { data: data as Float32Array, dims }];
      }),
    );
  }

  /** Fills the store's gradients from the gradients of the outputs of the last `forward`. */
  async backward(
    outputGradients: Readonly<Record<string, Float32Array<ArrayBuffer>>>,
  ): Promise<void> {
    const { outputs, backward, rowGradients } = this.#program;
    for (const [label, { shape }] of outputs) {
      const gradient = outputGradients[label];
      if (!gradient) throw new Error(`the gradient of "${label}" is missing`);
      const dims = resolveShape(shape, this.#sizes);
      this.#values[outputGradientName(label)] = new Tensor("float32", gradient, dims);
    }
    this.#clearRows();
    const rows = rowGradients.map(({ name, shape }) => [name, this.#buffer(name, shape)] as const);
    const targets = new Map([...this.#gradients, ...rows]);
    await this.#backward.runInto(this.#feeds(backward.inputs, backward.shapes), targets);
    for (const [i, rowGradient] of rowGradients.entries()) {
      this.#addRows(rowGradient, (rows[i] as readonly [string, Tensor])[1].data as Float32Array);
    }
  }

  /** Gives the memory outside the store back; the session cannot be used any more. */
  async release(): Promise<void> {
    this.#buffers.clear();
    this.#values = {};
    await this.#forward.release();
    await this.#backward.release();
  }

  #feeds(names: readonly string[], shapes: ReadonlyMap<string, Shape>): Record<string, Tensor> {
    const feeds = shapeFeeds(shapes, this.#sizes);
    for (const name of names) {
      const tensor = feeds[name] ?? this.#parameters[name] ?? this.#values[name];
      if (!tensor) throw new Error(`"${name}" is needed before it is there: call forward first`);
      feeds[name] = tensor;
    }
    return feeds;
  }

  /** A tensor over memory that grows with the largest batch seen, in steps that soon become rare. */
  #buffer(name: string, shape: Shape): Tensor {
    const dims = resolveShape(shape, this.#sizes);
    const size = sizeOfShape(dims);
    let buffer = this.#buffers.get(name);
    if (!buffer || buffer.length < size) {
      buffer = new Float32Array(Math.ceil(size * HEADROOM));
      this.#buffers.set(name, buffer);
    }
    return new Tensor("float32", buffer.subarray(0, size), dims);
  }

  #clearRows(): void {
    for (const { parameter, rows } of this.#touched) {
      if (this.#program.gradients.has(parameter)) continue;
      const gradient = this.#store.gradient(parameter);
      const width = gradient.length / this.#rowsOf(parameter);
      for (const row of rows) gradient.fill(0, row * width, (row + 1) * width);
      this.#store.clearRows(parameter);
    }
    this.#touched.length = 0;
  }

  #addRows({ parameter, indices }: RowGradient, added: Float32Array): void {
    const gradient = this.#store.gradient(parameter);
    const width = gradient.length / this.#rowsOf(parameter);
    const rows = (this.#values[indices] as Tensor).data as Int32Array;
    let from = 0;
    for (const row of rows) {
      const start = row * width;
      for (let i = 0; i < width; i++) {
        gradient[start + i] = (gradient[start + i] as number) + (added[from++] as number);
      }
    }
    this.#store.touchRows(parameter, rows);
    this.#touched.push({ parameter, rows: Int32Array.from(rows) });
  }

  #rowsOf(parameter: string): number {
    return (this.#parameters[parameter] as Tensor).dims[0] as number;
  }
}
