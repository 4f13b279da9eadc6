/** Functions that bring the last axis to a common scale: layer normalisation and softmax. */

import type { Dim, Shape } from "../shape.js";
import { type Tape, type Value, widthOf } from "../tape.js";
import { sumOfRows } from "./linear.js";

/**
 * y = γ x̂ + β with x̂ = s (x - mean) over the last axis of x [rows, width], where s is 1 / deviation. With
 * g = γ dy: dx = s (g - mean(g) - x̂ mean(g x̂)). Sums over columns and rows are products with vectors, into
 * which s, γ and the width are drawn: x̂ is never written out.
 */
export function layerNorm(tape: Tape, x: Value, gamma: Value, beta: Value, epsilon: number): Value {
  const rows = x.shape[0] as Dim;
  const width = widthOf(x);
  const inputs = [x, gamma, beta];
  const names = inputs.map(({ name }) => name);
  const attributes = { axis: -1, epsilon: { float: epsilon } };
  const [output = "", mean = "", inverse = ""] = tape.graph.emitAll(
    "LayerNormalization",
    names,
    tape.training ? 3 : 1,
    attributes,
  );
  const meanValue = tape.computed(mean, [rows, 1], inputs);
  const inverseDeviation = tape.computed(inverse, [rows, 1], inputs);
  return tape.record(tape.computed(output, x.shape, inputs), (dy, back) => {
    const { graph } = back;
    const scale = back.use(inverseDeviation);
    const centred = graph.emit("Sub", [back.use(x), back.use(meanValue)]);
    const along = graph.emit("Mul", [dy, centred]);
    const scaleRow = graph.emit("Reshape", [scale, graph.shape([rows])]);
    back.add(gamma, graph.emit("MatMul", [scaleRow, along]));
    back.add(beta, sumOfRows(dy, rows, back));
    if (!back.wants(x)) return;
    const share = graph.emit("Mul", [back.use(gamma), graph.scalar(1 / width)]);
    const shareColumn = graph.emit("Reshape", [share, graph.integers([width, 1])]);
    const gMean = graph.emit("MatMul", [dy, shareColumn]);
    const alongMean = graph.emit("MatMul", [along, shareColumn]);
    const factor = graph.emit("Mul", [graph.emit("Mul", [scale, scale]), alongMean]);
    const g = graph.emit("Mul", [dy, back.use(gamma)]);
    const inner = graph.emit("Sub", [
      graph.emit("Sub", [g, gMean]),
      graph.emit("Mul", [centred, factor]),
    ]);
    back.add(x, graph.emit("Mul", [inner, scale]));
  });
}

/** What a masked-out score is lowered by: enough for its share to be exactly 0. */
const HIDDEN = 1e9;

/** The sum that turns a mask of ones (seen) and zeros (hidden) into something to add to scores. */
export function hidingMask(tape: Tape, seen: Value, shape: Shape): Value {
  const shaped = tape.apply("Reshape", [seen], shape, { constants: [tape.graph.shape(shape)] });
  const negative = tape.apply("Sub", [shaped], shape, { constants: [tape.graph.scalar(1)] });
  return tape.apply("Mul", [negative], shape, { constants: [tape.graph.scalar(HIDDEN)] });
}

/** Softmax over the last axis of x + hiding, p. Then dx = p (dp - Σ p dp). */
export function softmax(tape: Tape, x: Value, hiding?: Value): Value {
  const scores = hiding ? tape.apply("Add", [x, hiding], x.shape) : x;
  const p = tape.apply("Softmax", [scores], x.shape, { attributes: { axis: -1 } });
  return tape.record(p, (dp, back) => {
    const { graph } = back;
    const at = back.use(p);
    const weighted = graph.emit("Mul", [at, dp]);
    const total = graph.emit("ReduceSum", [weighted, graph.integers([-1])]);
    back.add(x, graph.emit("Sub", [weighted, graph.emit("Mul", [at, total])]));
  });
}
