/** Functions of single numbers. */

import type { Tape, Value } from "../tape.js";

/** Just below the least of x Φ(x). */
const LEAST_GELU = -0.17;

/**
 * x Φ(x), with the exact error function as BERT has it. Its derivative is Φ(x) + x φ(x), which is
 * (1 + erf u) / 2 + u exp(-u²) / √π for u = x / √2.
 */
export function gelu(tape: Tape, x: Value): Value {
  const y = { ...tape.apply("Gelu", [x], x.shape), lowerBound: LEAST_GELU };
  return tape.record(y, (dy, back) => {
    const { graph } = back;
    const u = graph.emit("Mul", [back.use(x), graph.scalar(Math.SQRT1_2)]);
    const half = { float: 0.5 };
    // max(0, min(1, α erf + β)), of which α erf + β is wanted: one pass instead of two.
    const cumulative = graph.emit("HardSigmoid", [graph.emit("Erf", [u])], {
      alpha: half,
      beta: half,
    });
    const exponent = graph.emit("Sub", [
      graph.scalar(-Math.log(Math.PI) / 2),
      graph.emit("Mul", [u, u]),
    ]);
    const byDensity = graph.emit("Mul", [u, graph.emit("Exp", [exponent])]);
    back.add(x, graph.emit("Mul", [dy, graph.emit("Add", [cumulative, byDensity])]));
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
