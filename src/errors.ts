/**
 * The one error that is the user's to mend. Whatever reads input throws it with the place and the
 * remedy, and the command line turns it into a two-line message and exit code 2; every other error
 * is ours and keeps its stack.
 */

export interface Place {
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

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

/** `file:line:column`, the form that editors and terminals turn into a link. */
export function describePlace({ file, line, column }: Place): string {
  const name = file === "-" ? "standard input" : file;
  return [name, line, column].filter((part) => part !== undefined).join(":");
}
