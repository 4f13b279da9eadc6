/** Colours and other emphasis, only on a terminal and never if NO_COLOR is set. */

interface Stream {
  readonly isTTY?: boolean;
}

/** The text with a code of the terminal's (SGR), such as `31;1` for bold red. */
export function paint(text: string, code: string, stream: Stream): string {
  const wanted = stream.isTTY && !process.env.NO_COLOR && process.env.TERM !== "dumb";
  return wanted ? `\u001b[${code}m${text}\u001b[0m` : text;
}

export function styleError(text: string): string {
  return paint(text, "31;1", process.stderr);
}
