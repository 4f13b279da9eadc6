/** Looking rows up, in a table of parameters or among computed ones, and lengthening them. */

import { type Dim, times } from "../shape.js";
import { type Tape, type Value, widthOf } from "../tape.js";

/**
 * The rows of a table [entries, width] at the indices, one below the other. A table of word
 * embeddings is far larger than the rows of a batch, so its gradient is returned as those rows.
 */
export function embed(tape: Tape, table: Value, indices: Value): Value {
  const y = lookUp(tape, table, indices);
  return tape.record(y, (dy, back) => back.addRows(table, indices, dy));
}

/** The rows of x [from, width] at the indices; a row taken twice gets both gradients. */
export function gatherRows(tape: Tape, x: Value, indices: Value): Value {
  const y = lookUp(tape, x, indices);
  return tape.record(y, (dy, back) => {
    const { graph } = back;
    const zeros = graph.emit("Expand", [graph.scalar(0), graph.shape(x.shape)]);
    const column = graph.emit("Reshape", [back.use(indices), graph.integers([-1, 1])]);
    const places = graph.emit("Cast", [column], { to: INT64 });
    back.add(x, graph.emit("ScatterND", [zeros, places, dy], { reduction: "add" }));
  });
}

function lookUp(tape: Tape, x: Value, indices: Value): Value {
  const flat = tape.graph.emit("Reshape", [indices.name, tape.graph.integers([-1])]);
  const count = indices.shape.reduce(times);
  return tape.apply("Gather", [x], [count, widthOf(x)], { constants: [flat] });
}

const INT64 = 7;

/** Each row of x [rows, width] with a 1 after it. */
export function appendOne(tape: Tape, x: Value): Value {
  const { graph } = tape;
  const width = widthOf(x);
  const y = tape.apply("Pad", [x], [x.shape[0] as Dim, width + 1], {
    constants: [graph.integers([0, 0, 0, 1]), graph.scalar(1)],
  });
  return tape.record(y, (dy, back) => {
    const ends = [[0], [width], [1]].map((values) => back.graph.integers(values));
    back.add(x, back.graph.emit("Slice", [dy, ...ends]));
  });
}
