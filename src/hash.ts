/**
 * Hashes of numbers and texts that are the same on every machine and in every version: files and
 * samples depend on them.
 */

/** A bijective scrambling of 32 bits. */
export function mix32(word: number): number {
  let value = Math.imul(word ^ (word >>> 16), 0x21f0aaad);
  value = Math.imul(value ^ (value >>> 15), 0x735a2d97);
  return value ^ (value >>> 15);
}

/** A text to 32 bits, from a starting value. */
export function hashText(text: string, start = 0): number {
  let value = start;
  for (let at = 0; at < text.length; at++) value = mix32(value ^ text.charCodeAt(at));
  return value;
}
