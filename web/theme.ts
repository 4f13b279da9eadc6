/** Light or dark: as the system says, until someone chooses. */

import { h } from "./dom.js";
import { keep, kept } from "./storage.js";

export type Theme = "light" | "dark";

const KEPT_AS = "bracken-theme";
const listeners = new Set<() => void>();
const system = matchMedia("(prefers-color-scheme: dark)");
const printer = matchMedia("print");

export function currentTheme(): Theme {
  // Paper is white.
  if (printer.matches) return "light";
  const chosen = document.documentElement.dataset.theme;
  if (chosen === "light" || chosen === "dark") return chosen;
  return system.matches ? "dark" : "light";
}

/** What a page in that theme would show: the palette is that of the root, whatever its style is made of. */
export function inTheme<Value>(theme: Theme, read: () => Value): Value {
  const { dataset } = document.documentElement;
  const before = dataset.theme;
  dataset.theme = theme;
  const value = read();
  if (before === undefined) delete dataset.theme;
  else dataset.theme = before;
  return value;
}

export function onThemeChange(listener: () => void): void {
  listeners.add(listener);
}

function announce(): void {
  for (const listener of listeners) listener();
}

function choose(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
  keep(KEPT_AS, theme);
  announce();
}

/** The button that switches; brings back what was chosen before. */
export function themeSwitch(): HTMLButtonElement {
  const before = kept(KEPT_AS);
  if (before === "light" || before === "dark") document.documentElement.dataset.theme = before;
  const button = h("button", { class: "plain theme", type: "button" });
  const label = () => {
    const next = currentTheme() === "dark" ? "light" : "dark";
    button.textContent = next === "dark" ? "☾" : "☀";
    button.setAttribute("aria-label", `Switch to ${next} colours`);
    button.title = `Switch to ${next} colours`;
  };
  button.addEventListener("click", () => choose(currentTheme() === "dark" ? "light" : "dark"));
  system.addEventListener("change", announce);
  printer.addEventListener("change", announce);
  onThemeChange(label);
  label();
  return button;
}
