import { describe, expect, test } from "vitest";
import { Random } from "../../src/random.js";
import type { Parameter } from "../../src/tensor/index.js";
import { clipScale, ParameterStore } from "../../src/tensor/train.js";

const PARAMETERS: Parameter[] = [
  { name: "matrix", shape: [7, 9], initial: "glorot", trainable: true },
  { name: "bias", shape: [9], initial: "zeros", trainable: true },
  { name: "gain", shape: [5], initial: "ones", trainable: true },
  { name: "frozen", shape: [3], initial: "ones", trainable: false },
];

/** Adam in plain doubles, as PyTorch's documentation has it. */
class PlainAdam {
  readonly first: Float64Array;
  readonly second: Float64Array;
  readonly value: Float64Array;

  constructor(value: Float32Array) {
    this.value = Float64Array.from(value);
    this.first = new Float64Array(value.length);
    this.second = new Float64Array(value.length);
  }

  step(t: number, gradient: ArrayLike<number>, rate: number, decay: number): void {
    for (let i = 0; i < this.value.length; i++) {
      const g = gradient[i] as number;
      const m = 0.9 * (this.first[i] as number) + 0.1 * g;
      const v = 0.999 * (this.second[i] as number) + 0.001 * g * g;
      this.first[i] = m;
      this.second[i] = v;
      const corrected = m / (1 - 0.9 ** t) / (Math.sqrt(v / (1 - 0.999 ** t)) + 1e-12);
      this.value[i] = (this.value[i] as number) * (1 - rate * decay) - rate * corrected;
    }
  }
}

function fillGradients(store: ParameterStore, random: Random): void {
  for (const { name } of store.trainable) {
    const gradient = store.gradient(name);
    for (let i = 0; i < gradient.length; i++) gradient[i] = random.unit() * 2 - 1;
  }
}

function expectNear(found: ArrayLike<number>, expected: ArrayLike<number>, scale: number): void {
  for (let i = 0; i < expected.length; i++) {
    const gap = Math.abs((found[i] as number) - (expected[i] as number));
    expect(gap / scale, `entry ${i}`).toBeLessThan(1e-6);
  }
}

describe("Adam in WebAssembly", () => {
  test("rows that never had a gradient are passed over, and nothing changes by it", () => {
    const words: Parameter[] = [
      { name: "words", shape: [50, 16], initial: "glorot", trainable: true },
    ];
    const [whole, byRows] = [new ParameterStore(words), new ParameterStore(words)];
    for (const store of [whole, byRows]) store.initialise(new Random(4));
    byRows.trackRows("words");
    for (let step = 1; step <= 12; step++) {
      const rows = [step % 5, 20 + step, 49];
      // Begun in the middle, as where a run goes on from a checkpoint, it must find the rows itself.
      if (step === 6) byRows.trackRows("words");
      byRows.touchRows("words", rows);
      for (const store of [whole, byRows]) {
        const gradient = store.gradient("words").fill(0);
        for (const row of rows) gradient.fill(row + step, row * 16, row * 16 + 16);
        store.adam({ step, rate: 0.01, epsilon: 1e-12 });
      }
    }
    expect(byRows.value("words")).toEqual(whole.value("words"));
    expect(byRows.secondMoment("words")).toEqual(whole.secondMoment("words"));
  });

  test("rows make up for the steps that they had no gradient in, and nothing changes by it", () => {
    const words: Parameter[] = [
      { name: "words", shape: [30, 16], initial: "glorot", trainable: true },
    ];
    const [whole, byRows] = [new ParameterStore(words), new ParameterStore(words)];
    for (const store of [whole, byRows]) store.initialise(new Random(4));
    byRows.trackRows("words");
    const random = new Random(5);
    const norms: number[][] = [[], []];
    for (let step = 1; step <= 1500; step++) {
      // Rare rows rest for hundreds of steps, until their moments are too small to change a value.
      const rows = [random.below(3), step % 400 === 0 ? 3 + random.below(27) : 0];
      const gradients = rows.map(() =>
        Float32Array.from({ length: 16 }, () => random.unit() - 0.5),
      );
      byRows.clearRows("words");
      byRows.needRows("words", rows);
      for (const [i, store] of [whole, byRows].entries()) {
        const gradient = store.gradient("words").fill(0);
        for (const [k, row] of rows.entries()) gradient.set(gradients[k] as Float32Array, row * 16);
        byRows.touchRows("words", rows);
        norms[i]?.push(store.gradientNorm());
        // The rate rises, falls, and jumps when the resting rows no longer change.
        const rate = step === 1350 ? 10 : 0.001 * Math.min(step / 100, 1 - step / 1600);
        store.adam({ step, rate, epsilon: 1e-12, gradientScale: 0.5 });
      }
      if (step % 170 !== 0) continue;
      expect(byRows.value("words"), `step ${step}`).toEqual(whole.value("words"));
    }
    expect(byRows.value("words")).toEqual(whole.value("words"));
    expect(byRows.firstMoment("words")).toEqual(whole.firstMoment("words"));
    expect(byRows.secondMoment("words")).toEqual(whole.secondMoment("words"));
    expectNear(norms[1] as number[], norms[0] as number[], 1);
  });

  for (const weightDecay of [0, 0.1]) {
    test(`is Adam in plain JavaScript, weight decay ${weightDecay}`, () => {
      const store = new ParameterStore(PARAMETERS);
      const random = new Random(1);
      store.initialise(random);
      const rate = (name: string) => (name === "bias" ? 0.02 : 0.01);
      const plain = new Map(
        store.trainable.map(({ name }) => [name, new PlainAdam(store.value(name))]),
      );
      for (let step = 1; step <= 20; step++) {
        fillGradients(store, random);
        for (const [name, reference] of plain) {
          const scaled = store.gradient(name).map((g) => g * 0.5);
          reference.step(step, scaled, rate(name), weightDecay);
        }
        store.adam({ step, rate, gradientScale: 0.5, epsilon: 1e-12, weightDecay });
      }
      for (const [name, { value, first, second }] of plain) {
        expectNear(store.value(name), value, 1);
        expectNear(store.firstMoment(name), first, 0.1);
        expectNear(store.secondMoment(name), second, 0.01);
      }
      expect([...store.value("frozen")]).toEqual([1, 1, 1]);
    });
  }

  test("moves nothing where no gradient ever was", () => {
    const store = new ParameterStore(PARAMETERS);
    store.initialise(new Random(2));
    const before = Float32Array.from(store.value("matrix"));
    store.adam({ step: 1, rate: 1, epsilon: 1e-12 });
    expect(store.value("matrix")).toEqual(before);
  });

  test("refuses an epsilon of 0, which divides by 0", () => {
    expect(() => new ParameterStore(PARAMETERS).adam({ step: 1, rate: 1, epsilon: 0 })).toThrow(
      RangeError,
    );
  });
});

test("the norm is over all gradients, and clipping brings it to the limit", () => {
  const store = new ParameterStore(PARAMETERS);
  fillGradients(store, new Random(3));
  let sum = 0;
  for (const { name } of store.trainable) for (const g of store.gradient(name)) sum += g * g;
  const norm = store.gradientNorm();
  expect(norm).toBeCloseTo(Math.sqrt(sum), 6);
  expect(norm * clipScale(norm, 1)).toBeCloseTo(1, 5);
  expect(clipScale(0.5, 1)).toBe(1);
});

test("averages follow the values", () => {
  const store = new ParameterStore(PARAMETERS, { averages: true });
  store.initialise(new Random(4));
  store.average("matrix").set(store.value("matrix"));
  const start = Float64Array.from(store.value("matrix"));
  store.value("matrix").fill(2);
  for (let step = 0; step < 3; step++) store.updateAverages(0.9);
  const expected = start.map((value) => 0.9 ** 3 * value + (1 - 0.9 ** 3) * 2);
  expectNear(store.average("matrix"), expected, 1);
});

test("parameters spread over several memories are treated the same", () => {
  const whole = new ParameterStore(PARAMETERS);
  const spread = new ParameterStore(PARAMETERS, { largestMemory: 1500 });
  for (const store of [whole, spread]) {
    const random = new Random(5);
    store.initialise(random);
    fillGradients(store, random);
    store.adam({ step: 1, rate: 0.1, gradientScale: clipScale(store.gradientNorm(), 1) });
  }
  expect(spread.value("matrix").buffer).not.toBe(spread.value("gain").buffer);
  for (const { name } of PARAMETERS) expect(spread.value(name)).toEqual(whole.value(name));
  expect(() => new ParameterStore(PARAMETERS, { largestMemory: 100 })).toThrow(/"matrix"/);
});

test("starting values are Glorot's for matrices", () => {
  const shape = [200, 100];
  const parameters: Parameter[] = [{ name: "w", shape, initial: "glorot", trainable: true }];
  const store = new ParameterStore(parameters);
  store.initialise(new Random(6));
  const values = store.value("w");
  const bound = Math.sqrt(6 / 300);
  expect(values.every((value) => Math.abs(value) <= bound)).toBe(true);
  const variance = values.reduce((sum, value) => sum + value * value, 0) / values.length;
  expect(variance / (bound ** 2 / 3)).toBeCloseTo(1, 1);
  const again = new ParameterStore(parameters);
  again.initialise(new Random(6));
  expect(again.value("w")).toEqual(values);
});

test("an unknown name is told", () => {
  const store = new ParameterStore(PARAMETERS);
  expect(() => store.value("nothing")).toThrow(/no parameter "nothing"/);
  expect(() => store.gradient("frozen")).toThrow(/"frozen" has no gradient/);
  expect(() => store.average("matrix")).toThrow(/"matrix" has no average/);
});
