/** Functions of single numbers. */

import type { Tape, Value } from "../tape.js";

/** Just below the least of x Φ(x). */
const LEAST_GELU = -0.17;

/** x Φ(x), with the exact error function as BERT has it. Its derivative is Φ(x) + x φ(x). */
export function gelu(tape: Tape, x: Value): Value {
  const y = { ...tape.apply("Gelu", [x], x.shape), lowerBound: LEAST_GELU };
  return tape.record(y, (dy, back) => {
    const { graph } = back;
    const at = back.use(x);
    const erf = graph.emit("Erf", [graph.emit("Mul", [at, graph.scalar(Math.SQRT1_2)])]);
    const twiceCumulative = graph.emit("Add", [erf, graph.scalar(1)]);
    const exponent = graph.emit("Mul", [graph.emit("Mul", [at, at]), graph.scalar(-0.5)]);
    const twiceDensity = graph.emit("Mul", [
      graph.emit("Exp", [exponent]),
      graph.scalar(2 / Math.sqrt(2 * Math.PI)),
    ]);
    const twiceSlope = graph.emit("Add", [twiceCumulative, graph.emit("Mul", [at, twiceDensity])]);
    const halfGradient = graph.emit("Mul", [dy, graph.scalar(0.5)]);
    back.add(x, graph.emit("Mul", [halfGradient, twiceSlope]));
  });
}

/** x where it is positive, slope · x elsewhere; the slope is above 0, so y has the sign of x. */
export function leakyRelu(tape: Tape, x: Value, slope: number): Value {
  const y = tape.apply("LeakyRelu", [x], x.shape, { attributes: { alpha: { float: slope } } });
  return tape.record(y, (dy, back) => {
    const { graph } = back;
    const isPositive = graph.emit("Greater", [back.use(y), graph.scalar(0)]);
    const slopes = graph.emit("Where", [isPositive, graph.scalar(1), graph.scalar(slope)]);
    back.add(x, graph.emit("Mul", [dy, slopes]));
  });
}

/** The derivative is 1 - tanh². */
export function tanh(tape: Tape, x: Value): Value {
  const y = tape.apply("Tanh", [x], x.shape);
  return tape.record(y, (dy, back) => {
    const { graph } = back;
    const at = back.use(y);
    const slope = graph.emit("Sub", [graph.scalar(1), graph.emit("Mul", [at, at])]);
    back.add(x, graph.emit("Mul", [dy, slope]));
  });
}
