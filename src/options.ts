/** Checks the options of callers of the library, with errors that name the option. */

import { InputError } from "./errors.js";

/** Whether a value is right for an option, and what it should be. */
export type OptionCheck = readonly [isRight: (value: unknown) => boolean, expected: string];

/** One check for each option there is. */
export type OptionChecks<Options> = Readonly<Record<keyof Options, OptionCheck>>;

/** More threads than any machine of today has processors: they would only take memory. */
export const MOST_THREADS = 256;

export const FLAG: OptionCheck = [(value) => typeof value === "boolean", "true or false"];

export const SIGNAL: OptionCheck = [(value) => value instanceof AbortSignal, "an AbortSignal"];

export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER): OptionCheck {
  return [
    (value) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most,
    most === Number.MAX_SAFE_INTEGER
      ? `a whole number, ${least} or more`
      : `a whole number from ${least} to ${most}`,
  ];
}

export function oneOf(names: readonly string[]): OptionCheck {
  return [(value) => names.some((name) => name === value), `one of ${names.join(", ")}`];
}

export function listOf(names: readonly string[]): OptionCheck {
  return [
    (value) => Array.isArray(value) && value.every((each) => names.includes(each)),
    `a list of ${names.join(", ")}`,
  ];
}

export const TEXTS: OptionCheck = [
  (value) => Array.isArray(value) && value.every((each) => typeof each === "string"),
  "a list of strings",
];

/**
 * Checks options that a caller gave. An option that is undefined counts as not given.
 * @throws InputError that names the option, for an unknown one or a value it cannot have.
 */
export function checkOptions<Options extends object>(
  options: Options,
  checks: OptionChecks<Options>,
): void {
  for (const [name, value] of Object.entries(options)) {
    const check: OptionCheck | undefined = checks[name as keyof Options];
    if (!check) {
      throw new InputError(
        `there is no option "${name}"`,
        {},
        `options are ${Object.keys(checks).join(", ")}`,
      );
    }
    const [isRight, expected] = check;
    if (value === undefined || isRight(value)) continue;
    throw new InputError(`option "${name}" must be ${expected}, not ${show(value)}`);
  }
}

/** A value as an error message shows it. */
export function show(value: unknown): string {
  if (typeof value === "number" || value === undefined) return String(value);
  const text = JSON.stringify(value) ?? typeof value;
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
