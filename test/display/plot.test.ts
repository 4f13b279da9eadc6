import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { drawPicture, niceCeiling, shortNumber } from "../../src/display/plot.js";

test("a nice ceiling is no less than its number, at most twice it, and of one digit", () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-300, max: 1e300, noNaN: true }), (value) => {
      const ceiling = niceCeiling(value);
      expect(ceiling).toBeGreaterThanOrEqual(value * (1 - 1e-12));
      expect(ceiling).toBeLessThanOrEqual(value * 2 * (1 + 1e-12));
      expect(ceiling.toExponential(0)).toBe(Number(ceiling.toPrecision(12)).toExponential(0));
    }),
  );
  expect([0, -1, Number.NaN, Number.POSITIVE_INFINITY].map(niceCeiling)).toEqual([1, 1, 1, 1]);
});

test.each([
  [0, "0"],
  [2.5, "2.5"],
  [1234, "1230"],
  [12_500, "12.5 k"],
  [1_250_000, "1.25 M"],
  [0.00031, "3.1e-4"],
])("%d is shown as %s", (value, shown) => {
  expect(shortNumber(value)).toBe(shown);
});

describe("pictures", () => {
  const lines = (count: number) => ({
    title: "Loss <&>",
    series: [Array.from({ length: count }, (_, x) => ({ x, y: x % 7 }))],
  });

  test("hold their panels and names, escaped, within their frame", () => {
    const svg = drawPicture({
      title: "All",
      columns: 2,
      panels: [lines(20), { title: "Empty", series: [[]] }, lines(1)],
      legend: ["a<b"],
    });
    expect(svg).toContain("Loss &lt;&amp;&gt;");
    expect(svg).toContain("a&lt;b");
    expect(svg.match(/not measured/g)).toHaveLength(1);
    expect(svg).not.toMatch(/NaN|Infinity|undefined/);
    const [, points = ""] = /points="([^"]*)"/.exec(svg) ?? [];
    for (const point of points.split(" ")) {
      const [x = Number.NaN, y = Number.NaN] = point.split(",").map(Number);
      expect(x >= 56 && x <= 408 && y >= 34 && y <= 194).toBe(true);
    }
  });

  test("draw logs of any length", () => {
    expect(drawPicture({ title: "", columns: 1, panels: [lines(300_000)] })).toContain(
      "step 299999",
    );
  });

  test("count what is beyond the last bar in it", () => {
    const counts = new Map([
      [1, 4],
      [40, 2],
      [90, 1],
    ]);
    const svg = drawPicture({ title: "", columns: 1, panels: [{ title: "", unit: "x", counts }] });
    expect(svg).toContain("<title>30+: 3 x</title>");
    expect(svg).toContain("<title>1: 4 x</title>");
  });
});
