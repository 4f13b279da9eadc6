/** The colours of labels: told apart on either ground, and by people who lack one kind of cones. */

import { expect, test } from "vitest";
import { labelColours } from "../../web/tree/label-colour.js";

const LABELS = ["NP", "VP", "PP", "S", "SBAR", "ADJP", "ADVP", "QP"];
const GROUNDS = { light: "#ffffff", dark: "#1b1f1c" } as const;
type Rgb = readonly [number, number, number];
/** How people see who lack one kind of cones (Machado et al. 2009), in linear RGB. */
const SIGHTS: Readonly<Record<string, readonly [Rgb, Rgb, Rgb]>> = {
  all: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  noRed: [[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]],
  noGreen: [[0.367, 0.861, -0.228], [0.28, 0.673, 0.047], [-0.012, 0.043, 0.969]],
  noBlue: [[1.256, -0.077, -0.179], [-0.078, 0.931, 0.148], [0.005, 0.691, 0.304]],
}; // biome-ignore format: matrices

function linear(hex: string): Rgb {
  const part = (at: number) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return [part(1), part(3), part(5)];
}

const dot = ([a, b, c]: Rgb, [x, y, z]: Rgb) => a * x + b * y + c * z;

function contrast(a: string, b: string): number {
  const [dark = 0, light = 0] = [a, b]
    .map((hex) => dot(linear(hex), [0.2126, 0.7152, 0.0722]))
    .sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

/** In OKLab, where equal distances look equal; a difference of 0.02 can just be seen. */
function distance(a: string, b: string, sight: readonly [Rgb, Rgb, Rgb]): number {
  const lab = (hex: string): Rgb => {
    const [red, green, blue] = sight.map((row) =>
      Math.min(1, Math.max(0, dot(row, linear(hex)))),
    ) as [number, number, number];
    const cones: Rgb = [
      Math.cbrt(0.4122 * red + 0.5363 * green + 0.0514 * blue),
      Math.cbrt(0.2119 * red + 0.6807 * green + 0.1074 * blue),
      Math.cbrt(0.0883 * red + 0.2817 * green + 0.63 * blue),
    ];
    return [
      dot(cones, [0.2105, 0.7936, -0.0041]),
      dot(cones, [1.978, -2.4286, 0.4506]),
      dot(cones, [0.0259, 0.7828, -0.8087]),
    ];
  };
  const [p, q] = [lab(a), lab(b)];
  return Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
}

test.each(["light", "dark"] as const)(
  "are told from the ground and from each other, %s",
  (theme) => {
    const colour = labelColours(LABELS, theme);
    const colours = LABELS.map((label) => colour(label) as string);
    for (const each of colours) expect(contrast(each, GROUNDS[theme])).toBeGreaterThan(3);
    for (const [name, sight] of Object.entries(SIGHTS)) {
      for (const [index, a] of colours.entries()) {
        for (const b of colours.slice(index + 1)) {
          expect([name, a, b, distance(a, b, sight) > 0.08]).toEqual([name, a, b, true]);
        }
      }
    }
  },
);

test("are shared within a family, and taken in turn where labels are no treebank's", () => {
  const colour = labelColours(["NP", "C1", "C2"], "light");
  expect(colour("WHNP")).toBe(colour("NP"));
  expect(colour("C1")).not.toBe(colour("C2"));
  expect(colour("")).toBeUndefined();
  const many = Array.from({ length: 20 }, (_, index) => `C${index}`);
  const found = new Set(many.map(labelColours(many, "dark")));
  expect(found.size).toBe(8);
});
