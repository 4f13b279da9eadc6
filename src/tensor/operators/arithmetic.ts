/** Sums, multiples and dropout. */

import type { Graph } from "../graph.js";
import type { Tape, Value } from "../tape.js";

/** The sum of values of one shape. */
export function add(tape: Tape, a: Value, b: Value): Value {
  const y = tape.apply("Add", [a, b], a.shape);
  return tape.record(y, (dy, back) => {
    back.add(a, dy);
    back.add(b, dy);
  });
}

/** A fixed multiple. */
export function scale(tape: Tape, x: Value, factor: number): Value {
  const y = tape.apply("Mul", [x], x.shape, { constants: [tape.graph.scalar(factor)] });
  return tape.record(y, (dy, back) => {
    back.add(x, back.graph.emit("Mul", [dy, back.graph.scalar(factor)]));
  });
}

/** Sets a share of the entries to 0 and scales the others up; does nothing outside training. */
export function dropout(tape: Tape, x: Value, rate: number): Value {
  if (!tape.training || rate === 0) return x;
  const mask = tape.mask(x.shape, rate);
  const y = tape.apply("Mul", [x, mask], x.shape);
  return tape.record(y, (dy, back) => {
    back.add(x, back.graph.emit("Mul", [dy, back.use(mask)]));
  });
}

/**
 * factor · Σ softmax(weights)ᵢ xᵢ for values of one shape, weights [values] and factor [1] (Peters
 * et al. 2018). With p = softmax(weights) and sᵢ = Σ dy xᵢ: dxᵢ = factor pᵢ dy, dfactor = Σ pᵢ sᵢ
 * and dweightsᵢ = factor pᵢ (sᵢ - Σ pⱼ sⱼ).
 */
export function mix(tape: Tape, values: readonly Value[], weights: Value, factor: Value): Value {
  const shares = tape.apply("Softmax", [weights], weights.shape);
  const multiples = tape.graph.emit("Mul", [shares.name, factor.name]);
  const parts = values.map(({ name }, i) => timesEntry(tape.graph, name, multiples, i));
  const shape = (values[0] as Value).shape;
  const y = tape.computed(tape.graph.emit("Sum", parts), shape, [...values, weights, factor]);
  return tape.record(y, (dy, back) => {
    const { graph } = back;
    const p = back.use(shares);
    const factors = graph.emit("Mul", [p, back.use(factor)]);
    const sums = values.map((value, i) => {
      back.add(value, timesEntry(graph, dy, factors, i));
      const sum = graph.emit("ReduceSum", [graph.emit("Mul", [dy, back.use(value)])]);
      return graph.emit("Reshape", [sum, graph.integers([1])]);
    });
    const weighted = graph.emit("Mul", [p, graph.emit("Concat", sums, { axis: 0 })]);
    const total = graph.emit("ReduceSum", [weighted]);
    back.add(factor, total);
    const centred = graph.emit("Sub", [weighted, graph.emit("Mul", [p, total])]);
    back.add(weights, graph.emit("Mul", [centred, back.use(factor)]));
  });
}

/** x times entry i of a vector. */
function timesEntry(graph: Graph, x: string, vector: string, i: number): string {
  return graph.emit("Mul", [x, graph.emit("Gather", [vector, graph.integers([i])])]);
}
