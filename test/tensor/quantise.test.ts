import fc from "fast-check";
import { describe, expect, test } from "vitest";
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

  test("a layer gives nearly the same with them", async () => {
    const random = new Random(5);
    const draw = (length: number) => Float32Array.from({ length }, () => random.unit() * 2 - 1);
    const weights: Record<string, Float32Array> = { w: draw(24 * 32), b: draw(24) };
    const x = { data: draw(7 * 32), dims: [7, 32] };
    const run = async (isQuantised: boolean) => {
      const tape = new Tape({
        training: false,
        isQuantised: (name) => isQuantised && name === "w",
      });
      const input = tape.input("x", "float32", ["n", 32]);
      const weight = tape.parameter("w", [24, 32], "glorot");
      tape.output("y", linear(tape, input, weight, tape.parameter("b", [24], "zeros")));
      const program = compileInference(tape, (name) => weights[name] as Float32Array);
      const runner = await InferenceRunner.create(program, { threads: 1 });
      const { y } = await runner.run({ x });
      await runner.release();
      return Array.from(y?.data as Float32Array);
    };
    const [exact, rounded] = [await run(false), await run(true)];
    const size = (values: readonly number[]) => Math.hypot(...values);
    const error = size(exact.map((value, at) => value - (rounded[at] as number)));
    expect(error / size(exact)).toBeLessThan(0.02);
    expect(error).toBeGreaterThan(0);
  });
});
