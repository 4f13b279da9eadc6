/**
 * Characters that are meant literally (`<nowiki>`) pass through the stages as code points of a private
 * area, where no rule sees them.
 */

const AREA = 0xe000;
const SPECIAL = /[[\]{}'<>&=*#:;|_~-]/g;
const PROTECTED = /[\ue000-\ue07f]/g;

export function protect(text: string): string {
  return text.replace(SPECIAL, (sign) => String.fromCharCode(AREA + sign.charCodeAt(0)));
}

export function restore(text: string): string {
  return text.replace(PROTECTED, (sign) => String.fromCharCode(sign.charCodeAt(0) - AREA));
}

/** A source's own characters of that area would come out as others. */
export function dropProtected(text: string): string {
  return text.replace(PROTECTED, "");
}
