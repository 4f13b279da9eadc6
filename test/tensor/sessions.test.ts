import { describe, expect, test } from "vitest";
import { Random } from "../../src/random.js";
import { declareNoCopyOutput, Graph } from "../../src/tensor/graph.js";
import {
  add,
  compileInference,
  dropout,
  embed,
  InferenceRunner,
  linear,
  Session,
  Tape,
} from "../../src/tensor/index.js";
import { Tensor } from "../../src/tensor/session.js";
import {
  canSkipCopies,
  compileTraining,
  ParameterStore,
  TrainingSession,
} from "../../src/tensor/train.js";

function doubling(): { model: Uint8Array; output: string } {
  const graph = new Graph("doubling");
  graph.input("x", "float32", ["n"]);
  declareNoCopyOutput(graph);
  const output = graph.output(graph.emit("Add", ["x", "x"]), ["n"]);
  return { model: graph.encode(), output };
}

const vector = (...data: number[]) => new Tensor("float32", Float32Array.from(data), [data.length]);

describe("outputs arrive in the memory given for them", () => {
  test("without copies, if this ONNX Runtime allows it", async () => {
    expect(await canSkipCopies()).toBe(true);
  });

  for (const withoutCopies of [true, false]) {
    test(withoutCopies ? "without copies" : "by copies", async () => {
      const { model, output } = doubling();
      const session = await Session.create("doubling", model);
      const target = new Float32Array(3);
      const outputs = new Map([[output, new Tensor("float32", target, [3])]]);
      await session.runInto({ x: vector(1, 2, 3) }, outputs, withoutCopies);
      expect([...target]).toEqual([2, 4, 6]);
      await session.release();
    });
  }
});

test("errors name the graph and the node", async () => {
  const graph = new Graph("broken");
  graph.input("a", "float32", ["n"]);
  graph.input("b", "float32", ["m"]);
  graph.scope = "some.layer";
  const output = graph.output(graph.emit("Add", ["a", "b"]), ["n"]);
  const session = await Session.create("broken", graph.encode());
  const run = session.run({ a: vector(1, 2), b: vector(1, 2, 3) }, [output]);
  await expect(run).rejects.toThrow(/^broken graph: .*some\.layer\/add/);
  await session.release();
  const nonsense = Session.create("nonsense", new Uint8Array([1, 2, 3]));
  await expect(nonsense).rejects.toThrow(/^nonsense graph: /);
});

/** Looks rows of a table up, adds a shift and drops some entries. */
function lookUp(options: { training: boolean; isTrainable?: (name: string) => boolean }): Tape {
  const tape = new Tape(options);
  const rows = tape.input("rows", "int32", ["count"]);
  const table = tape.parameter("table", [4, 2], "glorot");
  const matrix = tape.parameter("matrix", [2, 2], "glorot");
  const found = embed(tape, table, rows);
  tape.output("y", dropout(tape, add(tape, found, linear(tape, found, matrix)), 0.5));
  return tape;
}

const rows = (...data: number[]) => ({
  rows: { data: Int32Array.from(data), dims: [data.length] },
});

describe("a training session", () => {
  test("leaves no trace of earlier batches in the gradients of tables", async () => {
    const program = compileTraining(lookUp({ training: true }));
    const gradientOf = async (...batches: number[][]) => {
      const store = new ParameterStore(program.parameters);
      store.initialise(new Random(1));
      const session = await TrainingSession.create(program, store);
      for (const batch of batches) {
        const { y } = await session.forward(rows(...batch), new Random(2));
        await session.backward({ y: new Float32Array(y?.data.length ?? 0).fill(1) });
      }
      await session.release();
      return Float32Array.from(store.gradient("table"));
    };
    expect(await gradientOf([0, 1, 2, 2], [3, 1])).toEqual(await gradientOf([3, 1]));
  });

  test("repeats exactly with the same seed", async () => {
    const program = compileTraining(lookUp({ training: true }));
    const store = new ParameterStore(program.parameters);
    store.initialise(new Random(1));
    const session = await TrainingSession.create(program, store);
    const outputs = async (seed: number) => {
      const { y } = await session.forward(rows(0, 1, 2, 3), new Random(seed));
      return Float32Array.from(y?.data ?? []);
    };
    expect(await outputs(5)).toEqual(await outputs(5));
    expect(await outputs(5)).not.toEqual(await outputs(6));
    await session.release();
  });

  test("leaves frozen parameters without gradients", async () => {
    const tape = lookUp({ training: true, isTrainable: (name) => name === "matrix" });
    const program = compileTraining(tape);
    expect([...program.gradients.keys()]).toEqual(["matrix"]);
    expect(program.rowGradients).toEqual([]);
    const store = new ParameterStore(program.parameters);
    expect(() => store.gradient("table")).toThrow(/no gradient/);
  });

  test("says what is missing or misshapen", async () => {
    const program = compileTraining(lookUp({ training: true }));
    const store = new ParameterStore(program.parameters);
    const session = await TrainingSession.create(program, store);
    const random = new Random(1);
    await expect(session.backward({ y: new Float32Array(2) })).rejects.toThrow(/"count"/);
    await expect(session.forward({}, random)).rejects.toThrow(/lacks "rows"/);
    const square = { rows: { data: new Int32Array(4), dims: [2, 2] } };
    await expect(session.forward(square, random)).rejects.toThrow(/\[2,2\] where \[count\]/);
    await session.forward(rows(0), random);
    await expect(session.backward({})).rejects.toThrow(/gradient of "y" is missing/);
    await session.release();
  });
});

test("inference gives what was worked out by hand", async () => {
  const training = lookUp({ training: true });
  const store = new ParameterStore(compileTraining(training).parameters);
  store.initialise(new Random(1));
  const weights = (name: string) => store.value(name);
  const program = compileInference(lookUp({ training: false }), weights);
  const runner = await InferenceRunner.create(program);
  const { y } = await runner.run(rows(2));
  const [a = 0, b = 0] = store.value("table").slice(4, 6);
  const [m0 = 0, m1 = 0, m2 = 0, m3 = 0] = store.value("matrix");
  expect(y?.dims).toEqual([1, 2]);
  expect(y?.data[0]).toBeCloseTo(a + m0 * a + m1 * b, 5);
  expect(y?.data[1]).toBeCloseTo(b + m2 * a + m3 * b, 5);
  await runner.release();
});

test.each([false, true])(
  "lends results until they are given back (without copies: %s)",
  async (withoutCopies) => {
    const store = new ParameterStore(compileTraining(lookUp({ training: true })).parameters);
    store.initialise(new Random(1));
    const weights = (name: string) => store.value(name);
    const program = compileInference(lookUp({ training: false }), weights, { withoutCopies });
    const runner = await InferenceRunner.create(program);
    const expected = async (...indices: number[]) => [
      ...((await runner.run(rows(...indices))).y?.data ?? []),
    ];
    const first = await runner.lend(rows(2, 0, 1));
    const second = await runner.lend(rows(3));
    expect([...(first.results.y?.data ?? [])]).toEqual(await expected(2, 0, 1));
    expect([...(second.results.y?.data ?? [])]).toEqual(await expected(3));
    first.giveBack();
    second.giveBack();
    const third = await runner.lend(rows(1, 3));
    expect(third.results.y?.dims).toEqual([2, 2]);
    expect([...(third.results.y?.data ?? [])]).toEqual(await expected(1, 3));
    await runner.release();
  },
);

test("a training session without random numbers drops nothing, as inference", async () => {
  const program = compileTraining(lookUp({ training: true }));
  const store = new ParameterStore(program.parameters);
  store.initialise(new Random(1));
  const session = await TrainingSession.create(program, store);
  const weights = (name: string) => store.value(name);
  const runner = await InferenceRunner.create(
    compileInference(lookUp({ training: false }), weights),
  );
  const trained = await session.forward(rows(0, 1, 2, 3));
  const inferred = await runner.run(rows(0, 1, 2, 3));
  expect([...(trained.y?.data ?? [])]).toEqual([...(inferred.y?.data ?? [1])]);
  await session.release();
  await runner.release();
});
