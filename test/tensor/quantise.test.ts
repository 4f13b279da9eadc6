import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Random } from "../../src/random.js";
import { compileInference, InferenceRunner, linear, Tape } from "../../src/tensor/index.js";
import { roundMatrix } from "../../src/tensor/quantise.js";

const numbers = fc.float({ min: -10, max: 10, noNaN: true });

describe("weights in 8 bits", () => {
  test("are within half a step of what they were, and never beyond 63", () => {
    const matrix = fc.array(fc.array(numbers, { minLength: 5, maxLength: 5 }), { minLength: 1 });
    fc.assert(
      fc.property(matrix, (rows) => {
        const { matrix: rounded, scales } = roundMatrix(
          Float32Array.from(rows.flat()),
          rows.length,
        );
        for (const [out, row] of rows.entries()) {
          const scale = scales[out] as number;
          for (const [at, value] of row.entries()) {
            const step = rounded[at * rows.length + out] as number;
            expect(Math.abs(step)).toBeLessThanOrEqual(63);
            expect(Math.abs(step * scale - value)).toBeLessThanOrEqual(scale * 0.501 + 1e-6);
          }
        }
      }),
    );
  });
});

const INPUTS = 32;
const OUTPUTS = 24;

describe("a layer in 8 bits", () => {
  const random = new Random(5);
  const draw = (length: number) => Float32Array.from({ length }, () => random.unit() * 2 - 1);
  const weights: Record<string, Float32Array> = { w: draw(OUTPUTS * INPUTS), b: draw(OUTPUTS) };
  let exact: InferenceRunner;
  let rounded: InferenceRunner;

  const makeLayer = (isQuantised: boolean) => {
    const tape = new Tape({ training: false, isQuantised: (name) => isQuantised && name === "w" });
    const x = tape.input("x", "float32", ["n", INPUTS]);
    const weight = tape.parameter("w", [OUTPUTS, INPUTS], "glorot");
    tape.output("y", linear(tape, x, weight, tape.parameter("b", [OUTPUTS], "zeros")));
    const program = compileInference(tape, (name) => weights[name] as Float32Array);
    return InferenceRunner.create(program, { threads: 1 });
  };

  beforeAll(async () => {
    exact = await makeLayer(false);
    rounded = await makeLayer(true);
  });

  afterAll(async () => {
    await exact.release();
    await rounded.release();
  });

  const run = async (layer: InferenceRunner, data: Float32Array<ArrayBuffer>) => {
    const { y } = await layer.run({ x: { data, dims: [data.length / INPUTS, INPUTS] } });
    return Array.from(y?.data as Float32Array);
  };

  test("gives nearly the same", async () => {
    const x = draw(7 * INPUTS);
    const [right, near] = [await run(exact, x), await run(rounded, x)];
    const size = (values: readonly number[]) => Math.hypot(...values);
    const error = size(right.map((value, at) => value - (near[at] as number)));
    expect(error / size(right)).toBeLessThan(0.02);
    expect(error).toBeGreaterThan(0);
  });

  test("gives a row the same numbers whatever the others are", async () => {
    const row = fc.float32Array({ minLength: INPUTS, maxLength: INPUTS, noNaN: true, max: 1e6 });
    const rows = fc.array(row, { minLength: 1, maxLength: 9 });
    await fc.assert(
      fc.asyncProperty(rows, async (all) => {
        const together = await run(rounded, Float32Array.from(all.flatMap((each) => [...each])));
        for (const [at, each] of all.entries()) {
          const alone = await run(rounded, Float32Array.from(each));
          expect(together.slice(at * OUTPUTS, (at + 1) * OUTPUTS)).toEqual(alone);
        }
      }),
      { numRuns: 50 },
    );
  });

  test("gives the bias for a row of zeros", async () => {
    const y = await run(rounded, Float32Array.from([...draw(INPUTS), ...new Float32Array(INPUTS)]));
    expect(y.slice(OUTPUTS)).toEqual([...(weights.b as Float32Array)]);
  });
});
