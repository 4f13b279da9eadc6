// Bytes altered at random, as a broken disk, a cut connection or an enemy would.

/** One to eight of: a byte flipped, bytes cut out, doubled, swapped in from elsewhere, or the end gone. */
export function mutate(bytes, random) {
  let changed = Buffer.from(bytes);
  for (let left = 1 + random.below(8); left > 0 && changed.length > 1; left--) {
    const at = random.below(changed.length);
    const size = 1 + random.below(Math.min(64, changed.length - at));
    const piece = changed.subarray(at, at + size);
    const kind = random.below(6);
    if (kind === 0) changed[at] = random.below(256);
    else if (kind === 1)
      changed = Buffer.concat([changed.subarray(0, at), changed.subarray(at + size)]);
    else if (kind === 2)
      changed = Buffer.concat([changed.subarray(0, at), piece, changed.subarray(at)]);
    else if (kind === 3) changed = changed.subarray(0, at);
    else if (kind === 4)
      changed = Buffer.concat([
        changed.subarray(0, at),
        ODD[random.below(ODD.length)],
        changed.subarray(at),
      ]);
    else
      changed = Buffer.concat([
        changed.subarray(0, at),
        ...Array(1 + random.below(200)).fill(piece),
        changed.subarray(at),
      ]);
  }
  return changed;
}

const ODD = [
  "((((",
  "))))",
  "[[",
  "{{",
  "<b><i>",
  "\0",
  "\ufeff",
  '{"tokens":',
  "-1",
  "1e999",
  "NaN",
  "\u{1f9ea}",
].map((text) => Buffer.from(text));
