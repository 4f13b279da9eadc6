/** Colours of confidence: from the doubtful to the certain, readable on the page's ground. */

import { currentTheme } from "../theme.js";

type Rgb = readonly [number, number, number];

/** They differ in lightness as well as in hue, so that nobody has to tell red from green. */
const SCALES: Readonly<Record<"light" | "dark", readonly Rgb[]>> = {
  light: [
    [201, 106, 30],
    [146, 124, 32],
    [34, 96, 62],
  ],
  dark: [
    [201, 112, 46],
    [186, 158, 70],
    [134, 214, 158],
  ],
};

export function confidenceColour(probability: number, theme = currentTheme()): string {
  const scale = SCALES[theme];
  const place = Math.min(1, Math.max(0, probability)) * (scale.length - 1);
  const below = Math.min(Math.floor(place), scale.length - 2);
  const [from, to] = [scale[below] as Rgb, scale[below + 1] as Rgb];
  const mixed = from.map((part, at) => {
    const value = part + ((to[at] as number) - part) * (place - below);
    return Math.round(value).toString(16).padStart(2, "0");
  });
  return `#${mixed.join("")}`;
}
