/** 16-bit floating point numbers (IEEE 754 binary16), for which Node 20 has no array. */

const bits = new Uint32Array(1);
const single = new Float32Array(bits.buffer);

/** The nearest half of a number, ties to even; what is too large becomes infinite. */
export function toHalf(value: number): number {
  single[0] = value;
  const word = bits[0] as number;
  const sign = (word >>> 16) & 0x8000;
  const exponent = (word >>> 23) & 0xff;
  const fraction = word & 0x7fffff;
  if (exponent === 0xff) return sign | 0x7c00 | (fraction ? 0x200 : 0);
  const scaled = exponent - 112;
  if (scaled >= 31) return sign | 0x7c00;
  if (scaled < -10) return sign;
  if (scaled <= 0) return sign | roundShift(fraction | 0x800000, 14 - scaled);
  // A fraction that rounds up to 1 carries into the exponent, as it should.
  return sign | ((scaled << 10) + roundShift(fraction, 13));
}

function roundShift(value: number, by: number): number {
  const kept = value >>> by;
  const rest = value & ((1 << by) - 1);
  const half = 1 << (by - 1);
  return rest > half || (rest === half && (kept & 1) === 1) ? kept + 1 : kept;
}
