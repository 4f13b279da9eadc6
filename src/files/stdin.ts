/** The names of standard input. */

export const STDIN = "-";

const NAMES = new Set([STDIN, "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"]);

export function isStdin(file: string): boolean {
  return NAMES.has(file);
}
