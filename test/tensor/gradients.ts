/**
 * Compares the gradients that a graph returns with central differences of its outputs. The loss is a
 * fixed random combination of the outputs, and differences of outputs are summed at double precision,
 * so that single-precision graphs still give three to four good digits.
 */

import { expect } from "vitest";
import { Random } from "../../src/random.js";
import { type Feed, Tape, type Value } from "../../src/tensor/index.js";
import {
  compileTraining,
  type ParameterStore,
  ParameterStore as Store,
  TrainingSession,
} from "../../src/tensor/train.js";

const STEP = 2e-2;
const TOLERANCE = 2e-3;

export interface GradientCase {
  /** Shapes of the operands to differentiate by. */
  readonly operands: Readonly<Record<string, readonly number[]>>;
  /** Fixed inputs. */
  readonly batch?: Readonly<Record<string, Feed>>;
  /** Symbolic shapes of the inputs where they are not those of the data. */
  readonly shapes?: Readonly<Record<string, readonly (number | string)[]>>;
  /** Inputs that `build` declares by itself. */
  readonly inputs?: Readonly<Record<string, Feed>>;
  /** What rounding may add up to, relative to the largest entry of a gradient. */
  readonly tolerance?: number;
  /** Parameters without influence. */
  readonly vanishing?: RegExp;
  build(tape: Tape, values: Record<string, Value>): Value;
}

export async function expectRightGradients(example: GradientCase): Promise<void> {
  const { tolerance = TOLERANCE } = example;
  const { store, session, batch } = await prepare(example);
  const forward = async () => {
    const { y } = await session.forward(batch, new Random(7));
    return Float32Array.from(y?.data ?? []);
  };
  const random = new Random(11);
  const weights = (await forward()).map(() => random.unit() * 2 - 1);
  await session.backward({ y: weights });
  for (const { name } of store.parameters) {
    const found = Float32Array.from(store.gradient(name));
    const expected = new Float64Array(found.length);
    for (let i = 0; i < found.length; i++) {
      const change = (by: number) => difference(store.value(name), i, by, forward, weights);
      // Two steps whose errors of third order cancel.
      expected[i] = (4 * (await change(STEP)) - (await change(2 * STEP))) / 3;
    }
    const largest = Math.max(...expected.map(Math.abs));
    const worst = expected.reduce((w, e, i) => Math.max(w, Math.abs(e - (found[i] as number))), 0);
    expect(worst / Math.max(largest, 0.05), `gradient of ${name}`).toBeLessThan(tolerance);
    if (example.vanishing?.test(name)) continue;
    expect(largest, `gradient of ${name} is not all zeros`).toBeGreaterThan(0.01);
  }
  await session.release();
}

/** How fast the loss changes along entry i, measured between `by` below and `by` above. */
async function difference(
  value: Float32Array,
  i: number,
  by: number,
  forward: () => Promise<Float32Array>,
  weights: Float32Array,
): Promise<number> {
  const middle = value[i] as number;
  value[i] = middle + by;
  const top = value[i] as number;
  const above = await forward();
  value[i] = middle - by;
  const bottom = value[i] as number;
  const below = await forward();
  value[i] = middle;
  const changes = weights.map((_, k) => (above[k] as number) - (below[k] as number));
  const sum = changes.reduce((total, change, k) => total + change * (weights[k] as number), 0);
  return sum / (top - bottom);
}

async function prepare({
  operands,
  batch = {},
  shapes = {},
  inputs = {},
  build,
}: GradientCase): Promise<{
  store: ParameterStore;
  session: TrainingSession;
  batch: Record<string, Feed>;
}> {
  const tape = new Tape({ training: true });
  const values: Record<string, Value> = {};
  for (const [name, { data, dims }] of Object.entries(batch)) {
    const type = data instanceof Int32Array ? "int32" : "float32";
    values[name] = tape.input(name, type, shapes[name] ?? dims);
  }
  for (const [name, shape] of Object.entries(operands)) {
    values[name] = tape.parameter(name, shape, "zeros");
  }
  tape.output("y", build(tape, values));
  const program = compileTraining(tape);
  const store = new Store(program.parameters);
  const random = new Random(5);
  for (const { name } of store.parameters) {
    const value = store.value(name);
    // Away from 0, where leaky ReLU has a corner.
    for (let i = 0; i < value.length; i++) {
      value[i] = (random.coin() ? 1 : -1) * (0.1 + random.unit());
    }
  }
  return {
    store,
    session: await TrainingSession.create(program, store),
    batch: { ...batch, ...inputs },
  };
}
