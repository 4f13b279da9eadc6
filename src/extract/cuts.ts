/** Takes stretches out of a text and says where the other places of it have moved. */

/** A stretch that is taken out, and how much is taken out before it. */
interface Cut {
  readonly begin: number;
  readonly end: number;
  readonly goneBefore: number;
}

/** A text after its cuts. */
export interface CutText {
  readonly text: string;
  /** The place of a character of the whole text; the nearest place if the character is gone. */
  moved(place: number): number;
}

/** Takes out all matches of a pattern; undefined if there is none. */
export function cutMatches(whole: string, pattern: RegExp): CutText | undefined {
  const cuts: Cut[] = [];
  let [text, at, goneBefore] = ["", 0, 0];
  for (const { index: begin, 0: match } of whole.matchAll(pattern)) {
    const end = begin + match.length;
    cuts.push({ begin, end, goneBefore });
    text += whole.slice(at, begin);
    at = end;
    goneBefore += match.length;
  }
  if (cuts.length === 0) return undefined;
  return { text: text + whole.slice(at), moved: (place) => moved(place, cuts) };
}

/** The stretches of the whole text in the cut one, without those that are gone. */
export function moveStretches<Stretch extends { readonly begin: number; readonly end: number }>(
  { moved: move }: CutText,
  stretches: readonly Stretch[],
): Stretch[] {
  return stretches
    .map((each) => ({ ...each, begin: move(each.begin), end: move(each.end) }))
    .filter(({ begin, end }) => begin < end);
}

/** By bisection: there may be many places and many cuts. */
function moved(place: number, cuts: readonly Cut[]): number {
  let [low, high] = [0, cuts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((cuts[middle] as Cut).begin < place) low = middle + 1;
    else high = middle;
  }
  const last = cuts[low - 1];
  return last ? place - last.goneBefore - (Math.min(last.end, place) - last.begin) : place;
}
