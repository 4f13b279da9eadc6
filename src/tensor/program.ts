/**
 * Turns a tape into the two graphs of a training step, or into the one graph of inference. The forward
 * graph returns the outputs and the values that the gradients need. The backward graph takes those, the
 * parameters and the gradients of the outputs, and returns the gradients of the parameters.
 */

import { declareNoCopyOutput, Graph } from "./graph.js";
import { roundedNames, roundMatrix } from "./quantise.js";
import { type Shape, times } from "./shape.js";
import type { Backward, Mask, Parameter, Tape, Value } from "./tape.js";

export interface GraphPart {
  readonly model: Uint8Array;
  readonly inputs: readonly string[];
  /** Inputs that hold the sizes of a shape. */
  readonly shapes: ReadonlyMap<string, Shape>;
}

export interface RowGradient {
  readonly parameter: string;
  /** The input with the rows' numbers. */
  readonly indices: string;
  readonly name: string;
  readonly shape: Shape;
}

export interface TrainingProgram {
  readonly forward: GraphPart;
  readonly backward: GraphPart;
  readonly inputs: readonly Value[];
  readonly parameters: readonly Parameter[];
  readonly masks: readonly Mask[];
  readonly outputs: ReadonlyMap<string, Value>;
  /** What the forward graph returns: its outputs and what the backward graph needs. */
  readonly kept: readonly Value[];
  /** The backward graph's name for the gradient of each parameter that is used whole. */
  readonly gradients: ReadonlyMap<string, string>;
  /** Gradients of rows looked up in a parameter, to be added to it row by row. */
  readonly rowGradients: readonly RowGradient[];
}

/** The backward graph's input for the gradient of an output. */
export function outputGradientName(output: string): string {
  return `gradient of ${output}`;
}

export function compileTraining(tape: Tape): TrainingProgram {
  const differentiation = new Differentiation(tape);
  const { gradients, rowGradients } = differentiation.run();
  const kept = new Map([...tape.outputs.values()].map((value) => [value.name, value]));
  for (const value of differentiation.kept) kept.set(value.name, value);
  declareNoCopyOutput(tape.graph);
  for (const value of kept.values()) tape.graph.output(value.name, value.shape);
  return {
    forward: partOf(tape.graph),
    backward: partOf(differentiation.graph),
    inputs: tape.inputs,
    parameters: tape.parameters,
    masks: tape.masks,
    outputs: tape.outputs,
    kept: [...kept.values()],
    gradients,
    rowGradients,
  };
}

function partOf(graph: Graph): GraphPart {
  return { model: graph.encode(), inputs: graph.inputNames, shapes: graph.shapes };
}

class Differentiation implements Backward {
  readonly graph = new Graph("backward");
  readonly kept = new Set<Value>();
  readonly #tape: Tape;
  readonly #gradients = new Map<string, string[]>();
  readonly #rowGradients: RowGradient[] = [];
  readonly #rowOutputs = new Map<string, string>();

  constructor(tape: Tape) {
    this.#tape = tape;
  }

  run(): Pick<TrainingProgram, "gradients" | "rowGradients"> {
    declareNoCopyOutput(this.graph);
    for (const [name, value] of this.#tape.outputs) {
      if (!value.differentiable) throw new Error(`output "${name}" depends on no parameter`);
      this.add(value, this.graph.input(outputGradientName(name), "float32", value.shape));
    }
    for (const { output, scope, gradient } of this.#tape.entries.toReversed()) {
      this.graph.scope = `gradient/${scope}`;
      const total = this.#total(output.name);
      if (total !== undefined) gradient(total, this);
    }
    return { gradients: this.#parameterGradients(), rowGradients: this.#rowGradients };
  }

  use(value: Value): string {
    if (value.origin === "computed") this.kept.add(value);
    return this.graph.input(value.name, value.type, value.shape);
  }

  wants(value: Value): boolean {
    return value.differentiable;
  }

  add(value: Value, gradient: string): void {
    if (!value.differentiable) return;
    const soFar = this.#gradients.get(value.name);
    if (soFar) soFar.push(gradient);
    else this.#gradients.set(value.name, [gradient]);
  }

  addRows(parameter: Value, indices: Value, gradient: string): void {
    if (!parameter.differentiable) return;
    const shape = [indices.shape.reduce(times), ...parameter.shape.slice(1)];
    // What several tables were summed to has one gradient, which is returned once.
    const name = this.#rowOutputs.get(gradient) ?? this.graph.output(gradient, shape);
    this.#rowOutputs.set(gradient, name);
    this.#rowGradients.push({ parameter: parameter.name, indices: indices.name, name, shape });
  }

  #total(name: string): string | undefined {
    const parts = this.#gradients.get(name);
    if (!parts || parts.length < 2) return parts?.[0];
    const total = this.graph.emit("Sum", parts);
    this.#gradients.set(name, [total]);
    return total;
  }

  #parameterGradients(): Map<string, string> {
    const gradients = new Map<string, string>();
    for (const { name, shape } of this.#tape.parameters) {
      this.graph.scope = `gradient/${name}`;
      const total = this.#total(name);
      if (total !== undefined) gradients.set(name, this.graph.output(total, shape));
    }
    return gradients;
  }
}

export interface InferenceProgram {
  readonly graph: GraphPart;
  readonly inputs: readonly Value[];
  readonly outputs: ReadonlyMap<string, Value>;
  /** Whether outputs can be written into memory of ours: see session.ts. */
  readonly withoutCopies: boolean;
}

/** The graph with the parameters' values inside, which lets ONNX Runtime lay them out as it likes. */
export function compileInference(
  tape: Tape,
  weights: (parameter: string) => Float32Array,
  { withoutCopies = false } = {},
): InferenceProgram {
  if (withoutCopies) declareNoCopyOutput(tape.graph);
  for (const { name, shape, rounded } of tape.parameters) {
    if (rounded) initialiseRounded(tape.graph, name, shape as [number, number], weights(name));
    else tape.graph.initialiser(name, "float32", shape, weights(name));
  }
  const outputs = new Map<string, Value>();
  for (const [name, value] of tape.outputs) {
    outputs.set(name, { ...value, name: tape.graph.output(value.name, value.shape) });
  }
  return { graph: partOf(tape.graph), inputs: tape.inputs, outputs, withoutCopies };
}

function initialiseRounded(
  graph: Graph,
  weight: string,
  [outputs, inputs]: readonly [number, number],
  values: Float32Array,
): void {
  const names = roundedNames(weight);
  const { matrix, scales } = roundMatrix(values, outputs);
  graph.initialiser(names.matrix, "int8", [inputs, outputs], matrix);
  graph.initialiser(names.scales, "float32", [outputs], scales);
}
