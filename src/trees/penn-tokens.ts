/** The characters of Penn brackets, and where tokens end. */

export const OPEN = 40;
export const CLOSE = 41;
export const NEWLINE = 10;
const BACKSLASH = 92;

export function isBlank(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}

function isBracket(code: number): boolean {
  return code === OPEN || code === CLOSE;
}

/** Where the token ends that begins at `from`; with `escapes`, a backslash makes a bracket part of it. */
export function tokenEnd(text: string, from: number, escapes: boolean): number {
  for (let end = from; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (escapes && code === BACKSLASH && isBracket(text.charCodeAt(end + 1))) end += 1;
    else if (isBracket(code) || isBlank(code)) return end;
  }
  return text.length;
}

/** A token for a message. */
export function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
