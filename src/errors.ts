/**
 * Errors that need no stack. InputError is the user's to mend: whatever reads input throws it with the
 * place and the remedy, and the command line turns it into a two-line message and exit code 2.
 * WorkFailure is nobody's fault: the work was well asked for and went wrong, exit code 1. Every other
 * error is ours.
 */

/** A place in a file. */
export interface Place {
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

/** Something that the user can fix. `message` names the place, `remedy` says what to do. */
export class InputError extends Error {
  override readonly name = "InputError";
  readonly place: Place;
  readonly remedy: string | undefined;
  /** What is wrong, without the place, which `message` carries in front. */
  readonly problem: string;

  constructor(problem: string, place: Place = {}, remedy?: string) {
    const where = describePlace(place);
    super(where ? `${where}: ${problem}` : problem);
    this.problem = problem;
    this.place = place;
    this.remedy = remedy;
  }
}

/** Work that was well asked for and went wrong, such as a training that diverged. */
export class WorkFailure extends Error {
  override readonly name = "WorkFailure";
  readonly remedy: string | undefined;

  constructor(problem: string, remedy?: string) {
    super(problem);
    this.remedy = remedy;
  }
}

/** `file:line:column`, the form that editors and terminals turn into a link. */
export function describePlace({ file, line, column }: Place): string {
  const name = file === "-" ? "standard input" : file;
  return [name, line, column].filter((part) => part !== undefined).join(":");
}
