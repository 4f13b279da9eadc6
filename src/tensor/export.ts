/**
 * Graphs for other programs. Our own graphs are fed the sizes of their symbols and use an operator that
 * only ONNX Runtime has. A graph made on this tape computes its sizes from its inputs, has standard
 * operators only, and names its outputs, so that any runtime can run it.
 */

import { Graph } from "./graph.js";
import type { Dim, ElementType, Shape } from "./shape.js";
import { Tape, type Value } from "./tape.js";

interface MatMulAttributes {
  readonly transB?: number;
  readonly alpha?: { readonly float: number };
}

export class ExportTape extends Tape {
  constructor(title: string) {
    super({ training: false, graph: new ClosedGraph(title) });
  }

  override apply(...[operator, inputs, shape, extras]: Parameters<Tape["apply"]>): Value {
    const [a, b] = inputs;
    if (operator !== "FusedMatMul" || !a || !b) return super.apply(operator, inputs, shape, extras);
    const { transB, alpha } = (extras?.attributes ?? {}) as MatMulAttributes;
    const product = super.apply("MatMul", [a, transB ? this.#swapped(b) : b], shape);
    if (alpha === undefined || alpha.float === 1) return product;
    return super.apply("Mul", [product], shape, { constants: [this.graph.scalar(alpha.float)] });
  }

  /** Its last two axes exchanged. */
  #swapped(x: Value): Value {
    const perm = [...x.shape.keys()];
    perm.push(...perm.splice(-2).reverse());
    const shape = perm.map((axis) => x.shape[axis] as Dim);
    return super.apply("Transpose", [x], shape, { attributes: { perm } });
  }

  override output(name: string, value: Value): void {
    super.output(name, { ...value, name: this.graph.alias(name, value.name) });
  }
}

/** A graph that needs to be fed nothing but its inputs. */
class ClosedGraph extends Graph {
  /** For each symbol the input and axis that tell its size. */
  readonly #told = new Map<string, { input: string; axis: number }>();
  readonly #known = new Map<string, string>();

  override input(name: string, type: ElementType, shape: Shape): string {
    for (const [axis, dim] of shape.entries()) {
      const isSymbol = typeof dim === "string" && !dim.includes("*");
      if (isSymbol && !this.#told.has(dim)) this.#told.set(dim, { input: name, axis });
    }
    return super.input(name, type, shape);
  }

  override shape(shape: Shape): string {
    return this.#once(`[${shape.join()}]`, () => {
      const sizes = shape.map((dim) => this.#size(dim));
      return this.emit("Concat", sizes, { axis: 0 });
    });
  }

  /** A vector of one number. */
  #size(dim: Dim): string {
    if (typeof dim === "number" || /^\d+$/.test(dim)) return this.integers([Number(dim)]);
    return this.#once(dim, () => {
      const factors = dim.split("*");
      if (factors.length > 1) {
        const sizes = factors.map((factor) => this.#size(factor));
        return sizes.reduce((product, size) => this.emit("Mul", [product, size]));
      }
      const told = this.#told.get(dim);
      if (!told) throw new Error(`no input tells the size of "${dim}"`);
      return this.emit("Shape", [told.input], { start: told.axis, end: told.axis + 1 });
    });
  }

  #once(key: string, make: () => string): string {
    const name = this.#known.get(key) ?? make();
    this.#known.set(key, name);
    return name;
  }
}
