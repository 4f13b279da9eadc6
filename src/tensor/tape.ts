/**
 * The tape: an operator called with it adds its nodes to the forward graph and records the function
 * that will add the nodes of its gradient to the backward graph. Played back from the end, the tape
 * becomes the backward graph (see program.ts). Nothing is computed here.
 */

import { Graph } from "./graph.js";
import type { Attributes } from "./onnx.js";
import type { Dim, ElementType, Shape } from "./shape.js";

export interface Value {
  readonly name: string;
  readonly type: ElementType;
  readonly shape: Shape;
  readonly origin: "input" | "parameter" | "computed";
  /** Whether it depends on a parameter that is trained. */
  readonly differentiable: boolean;
  /** A number that none of it is below, where one is known. */
  readonly lowerBound?: number;
}

/** How a parameter starts; `glorot` is Glorot and Bengio's uniform distribution. */
export type Initial = "glorot" | "zeros" | "ones";

export interface Parameter {
  readonly name: string;
  readonly shape: readonly number[];
  readonly initial: Initial;
  readonly trainable: boolean;
  /** Whether the graph has it rounded to 8 bits: see quantise.ts. */
  readonly rounded?: boolean;
}

export interface Mask {
  readonly name: string;
  readonly shape: Shape;
  /** The share of entries that are zero. */
  readonly rate: number;
}

/** What a gradient function may do with the backward graph. */
export interface Backward {
  readonly graph: Graph;
  /** The name of a forward value; what was computed is thereby kept until the backward pass. */
  use(value: Value): string;
  wants(value: Value): boolean;
  /** Adds to the gradient of a value. */
  add(value: Value, gradient: string): void;
  /** Says that row i of the gradient belongs to row indices[i] of a parameter. */
  addRows(parameter: Value, indices: Value, gradient: string): void;
}

export type GradientFunction = (gradient: string, back: Backward) => void;

export interface Entry {
  readonly output: Value;
  readonly scope: string;
  readonly gradient: GradientFunction;
}

export interface TapeOptions {
  /** Without training, dropout does nothing and parameters become part of the graph. */
  readonly training: boolean;
  /** Which parameters are trained; by default all. */
  readonly isTrainable?: ((name: string) => boolean) | undefined;
  /** Which weights of linear layers are rounded to 8 bits, for inference; by default none. */
  readonly isQuantised?: ((name: string) => boolean) | undefined;
  /** The graph to build, where it is one of its own kind. */
  readonly graph?: Graph;
}

export class Tape {
  readonly training: boolean;
  readonly graph: Graph;
  readonly inputs: Value[] = [];
  readonly entries: Entry[] = [];
  readonly masks: Mask[] = [];
  readonly outputs = new Map<string, Value>();
  readonly #isTrainable: (name: string) => boolean;
  readonly #isQuantised: (name: string) => boolean;
  readonly #parameters = new Map<string, { parameter: Parameter; value: Value }>();

  constructor(options: TapeOptions) {
    const { training, isTrainable = () => true, isQuantised = () => false, graph } = options;
    this.training = training;
    this.#isTrainable = isTrainable;
    this.#isQuantised = (name) => !training && isQuantised(name);
    this.graph = graph ?? new Graph(training ? "forward" : "inference");
  }

  get parameters(): Parameter[] {
    return Array.from(this.#parameters.values(), ({ parameter }) => parameter);
  }

  input(name: string, type: "float32" | "int32", shape: Shape): Value {
    this.graph.input(name, type, shape);
    const value: Value = { name, type, shape, origin: "input", differentiable: false };
    this.inputs.push(value);
    return value;
  }

  parameter(name: string, shape: readonly number[], initial: Initial): Value {
    const known = this.#parameters.get(name);
    if (known) return known.value;
    const trainable = this.training && this.#isTrainable(name);
    if (this.training) this.graph.input(name, "float32", shape);
    const value: Value = {
      name,
      type: "float32",
      shape,
      origin: "parameter",
      differentiable: trainable,
    };
    const rounded = this.#isQuantised(name);
    this.#parameters.set(name, { parameter: { name, shape, initial, trainable, rounded }, value });
    return value;
  }

  isQuantised({ name }: Value): boolean {
    return this.#parameters.get(name)?.parameter.rounded ?? false;
  }

  /** A mask that is drawn anew for every training step. */
  mask(shape: Shape, rate: number): Value {
    const name = `mask ${this.masks.length} ${this.graph.scope}`;
    this.graph.input(name, "float32", shape);
    this.masks.push({ name, shape, rate });
    return { name, type: "float32", shape, origin: "input", differentiable: false };
  }

  /** Names made while `build` runs begin with this one. */
  scope<T>(name: string, build: () => T): T {
    const outer = this.graph.scope;
    this.graph.scope = outer ? `${outer}.${name}` : name;
    try {
      return build();
    } finally {
      this.graph.scope = outer;
    }
  }

  /** Adds one node to the forward graph. */
  apply(
    operator: string,
    inputs: readonly Value[],
    shape: Shape,
    { constants = [], attributes = {} }: NodeExtras = {},
  ): Value {
    const names = [...inputs.map(({ name }) => name), ...constants];
    return this.computed(this.graph.emit(operator, names, attributes), shape, inputs);
  }

  computed(name: string, shape: Shape, inputs: readonly Value[]): Value {
    const differentiable = inputs.some((input) => input.differentiable);
    return { name, type: "float32", shape, origin: "computed", differentiable };
  }

  /** Leaves an operator's gradient on the tape and passes its output on. */
  record(output: Value, gradient: GradientFunction): Value {
    if (this.training && output.differentiable) {
      this.entries.push({ output, scope: this.graph.scope, gradient });
    }
    return output;
  }

  output(name: string, value: Value): void {
    this.outputs.set(name, value);
  }
}

interface NodeExtras {
  /** Further inputs that no gradient flows to. */
  readonly constants?: readonly string[];
  readonly attributes?: Attributes;
}

/** The last dimension where it must be a number, as the width of a layer is. */
export function widthOf({ name, shape }: Value): number {
  const width: Dim | undefined = shape.at(-1);
  if (typeof width !== "number") throw new Error(`the last dimension of "${name}" is not fixed`);
  return width;
}
