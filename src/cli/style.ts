/** Colours on standard error, only on a terminal and never if NO_COLOR is set. */

export function styleError(text: string): string {
  const wanted = process.stderr.isTTY && !process.env.NO_COLOR && process.env.TERM !== "dumb";
  return wanted ? `\u001b[31;1m${text}\u001b[0m` : text;
}
