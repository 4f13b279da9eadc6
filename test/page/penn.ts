/** Trees written out by hand, to hold those on the page against. */

/** The phrases of a tree as `begin-end:label`, parents first; words stand bare, `(NP She)` is a phrase of one word. */
export function fromPenn(text: string): string[] {
  const found: { begin: number; end: number; label: string }[] = [];
  const open: number[] = [];
  let words = 0;
  for (const [token, , label] of text.matchAll(/(\((\S+))|\)|[^\s()]+/g)) {
    if (label !== undefined) {
      open.push(found.length);
      found.push({ begin: words, end: words, label });
    } else if (token === ")") {
      const phrase = found[open.pop() ?? -1];
      if (!phrase) throw new Error(`a bracket too many in ${text}`);
      phrase.end = words;
    } else words += 1;
  }
  return found.map(({ begin, end, label }) => `${begin}-${end}:${label}`);
}
