/** How sure the parser is of a tree, in words: nobody can tell a good score from a bad one. */

import type { Parse } from "../../src/parser/sentence.js";
import { quote } from "./conflict.js";
import { percent } from "./nodes.js";

/** From this probability on the parser is said to be sure of a phrase. */
const SURE = 0.8;

/** Of phrases of two or more words; that the whole sentence is one is no news. */
export function describeCertainty({ spans, leaves }: Parse): string {
  const judged = spans.filter(
    ({ begin, end, marginal }) =>
      marginal !== undefined && end - begin > 1 && end - begin < leaves.length,
  );
  const sure = judged.filter(({ marginal = 0 }) => marginal >= SURE).length;
  const least = judged.toSorted((a, b) => (a.marginal ?? 0) - (b.marginal ?? 0))[0];
  if (!least) return "";
  if (sure === judged.length) {
    return sure === 1 ? "sure of its one phrase" : `sure of all ${sure} phrases`;
  }
  const doubt = `${quote(least, leaves)} (${percent(least.marginal ?? 0)})`;
  return `sure of ${sure} of ${judged.length} phrases, least of ${doubt}`;
}
