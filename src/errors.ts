/**
 * Errors that are reported without a stack trace. An InputError is one that the user can fix: it has the
 * place and the remedy, and the command line prints it in two lines and exits with code 2. A WorkFailure
 * is nobody's mistake: the request was right, but the work failed (exit code 1). Every other error is a
 * bug of ours.
 */

/** A place in a file. */
export interface Place {
  /** The file's path, its URL, or `-` for standard input. */
  readonly file?: string | undefined;
  /** Counted from 1. */
  readonly line?: number | undefined;
  /** Counted from 1. */
  readonly column?: number | undefined;
}

/**
 * An error that the user can fix. `message` begins with the place, `remedy` says what to do.
 *
 * @example
 * ```ts
 * import { InputError, parsePenn } from "bracken";
 *
 * try {
 *   parsePenn("(S (NP the cat)", { file: "cat.mrg" });
 * } catch (error) {
 *   if (!(error instanceof InputError)) throw error;
 *   console.log(error.message, error.place.line, error.remedy);
 * }
 * ```
 */
export class InputError extends Error {
  /** Always `InputError`. */
  override readonly name = "InputError";
  /** Where the problem is; empty if it is not in a file. */
  readonly place: Place;
  /** What to do about it. */
  readonly remedy: string | undefined;
  /** What is wrong, without the place. */
  readonly problem: string;

  constructor(problem: string, place: Place = {}, remedy?: string) {
    super(describeProblem(problem, place));
    this.problem = problem;
    this.place = place;
    this.remedy = remedy;
  }

  /** The same error with a further remedy. */
  withRemedy(further: string): InputError {
    const remedy = this.remedy === undefined ? further : `${this.remedy}; ${further}`;
    return new InputError(this.problem, this.place, remedy);
  }
}

/** The input was right but the work failed, for example a training run that diverged. */
export class WorkFailure extends Error {
  /** Always `WorkFailure`. */
  override readonly name = "WorkFailure";
  /** What to do about it. */
  readonly remedy: string | undefined;

  constructor(problem: string, remedy?: string) {
    super(problem);
    this.remedy = remedy;
  }
}

/** What is wrong, after the place where it is. */
export function describeProblem(problem: string, place: Place): string {
  const where = describePlace(place);
  return where ? `${where}: ${problem}` : problem;
}

/** `file:line:column`, the form that editors and terminals turn into a link. */
export function describePlace({ file, line, column }: Place): string {
  const name = file === "-" ? "standard input" : file;
  return [name, line, column].filter((part) => part !== undefined).join(":");
}
