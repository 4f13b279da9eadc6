/**
 * Collects the nodes of one ONNX graph and names them. A name contains the scope it was made in, such
 * as `encoder.layer.3/gelu`, because ONNX Runtime's errors quote it.
 */

import { type Attributes, encodeModel, type Initialiser, type Node, type Port } from "./onnx.js";
import type { ElementType, Shape } from "./shape.js";

/** Operators that exist only in ONNX Runtime's own domain. */
const CONTRIBUTED = new Set(["FusedMatMul", "MatMulIntegerToFloat"]);

export class Graph {
  readonly #title: string;
  readonly #nodes: Node[] = [];
  readonly #inputs = new Map<string, Port>();
  readonly #outputs = new Map<string, Port>();
  readonly #initialisers = new Map<string, Initialiser>();
  readonly #shapes = new Map<string, Shape>();
  readonly #taken = new Set<string>();
  /** Put before the names of nodes. */
  scope = "";

  constructor(title: string) {
    this.#title = title;
  }

  /** Adds a node with one output and returns the output's name. */
  emit(operator: string, inputs: readonly string[], attributes: Attributes = {}): string {
    return this.emitAll(operator, inputs, 1, attributes)[0] as string;
  }

  emitAll(
    operator: string,
    inputs: readonly string[],
    outputs: number,
    attributes: Attributes = {},
  ): string[] {
    const name = this.#fresh(`${this.scope}/${operator.toLowerCase()}`);
    const made = Array.from({ length: outputs }, (_, i) => (i === 0 ? name : `${name}:${i}`));
    const domain = CONTRIBUTED.has(operator) ? "com.microsoft" : "";
    this.#nodes.push({ operator, inputs, outputs: made, name, attributes, domain });
    return made;
  }

  /** Gives a value another name, one that is to be read outside. */
  alias(name: string, value: string): string {
    const node = { operator: "Identity", name, attributes: {}, domain: "" };
    this.#nodes.push({ ...node, inputs: [value], outputs: [name] });
    return name;
  }

  input(name: string, type: ElementType, shape: Shape): string {
    if (!this.#inputs.has(name)) this.#inputs.set(name, { name, type, shape });
    return name;
  }

  /** Declares an output; what is an input or an output already is passed through a node of its own. */
  output(name: string, shape: Shape | undefined): string {
    const isTaken = this.#inputs.has(name) || this.#outputs.has(name);
    const own = isTaken ? this.emit("Identity", [name]) : name;
    this.#outputs.set(own, { name: own, type: "float32", shape });
    return own;
  }

  /** A vector with the sizes of a shape; it is fed when the graph is run. */
  shape(shape: Shape): string {
    const name = `shape[${shape.join(",")}]`;
    this.#shapes.set(name, shape);
    return this.input(name, "int64", [shape.length]);
  }

  scalar(value: number): string {
    const name = `constant ${value}`;
    return this.initialiser(name, "float32", [], new Float32Array([value]));
  }

  integers(values: readonly number[]): string {
    const name = `constant [${values.join(",")}]`;
    return this.initialiser(
      name,
      "int64",
      [values.length],
      BigInt64Array.from(values.map((value) => BigInt(value))),
    );
  }

  initialiser(
    name: string,
    type: ElementType,
    dims: readonly number[],
    data: Float32Array | BigInt64Array | Int8Array | Uint8Array,
  ): string {
    const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    if (!this.#initialisers.has(name)) this.#initialisers.set(name, { name, type, dims, bytes });
    return name;
  }

  get inputNames(): string[] {
    return [...this.#inputs.keys()];
  }

  /** The inputs made by `shape`. */
  get shapes(): ReadonlyMap<string, Shape> {
    return this.#shapes;
  }

  encode(): Uint8Array {
    return encodeModel({
      name: this.#title,
      nodes: this.#nodes,
      inputs: [...this.#inputs.values()],
      outputs: [...this.#outputs.values()],
      initialisers: [...this.#initialisers.values()],
    });
  }

  #fresh(base: string): string {
    let name = base;
    for (let count = 2; this.#taken.has(name); count++) name = `${base}.${count}`;
    this.#taken.add(name);
    return name;
  }
}

/** The empty sequence by which sessions avoid copies (see session.ts); must be the first output. */
export function declareNoCopyOutput(graph: Graph): void {
  graph.output(graph.emit("SequenceEmpty", [], { dtype: FLOAT32 }), undefined);
}

const FLOAT32 = 1;
