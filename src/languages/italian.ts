/** Italian: abbreviations, sentence starters, elisions ("dell'|amico"), clipped words ("un po'"). */

import { defineLanguage, type Language } from "./language.js";

export const italian: Language = defineLanguage({
  code: "it",
  name: "Italian",
  abbreviations: {
    open: `sig sigg sig.ra sig.na dott dott.ssa avv ing arch rag geom On Sen Egr Gent S SS p.es es Prof.ssa circa
      sec cfr cit v.le c.so p.zza`,
    either: "S.p.A S.r.l a.C d.C C.A",
    numbered: "n nn pag pagg gen feb mar apr mag giu lug ago set sett ott nov dic",
    closed: "ecc",
  },
  starters: `il lo la i gli le l un uno una egli ella esso essa essi lui lei loro noi voi io questo
    questa questi queste quello quella suo sua suoi sue nel nella nei nelle negli nell dell all dall in di del
    della dei delle dello a al alla ai alle da dal dalla con su sul sulla per tra fra dopo prima
    durante secondo come quando dove se che chi ma e ed o oppure anche perché poiché quindi allora
    poi infine infatti fu era inoltre tuttavia oggi ieri così non si nonostante tutti molti alcuni`,
  decimalComma: true,
  elisions: `l' un' d' c' s' v' m' t' n' gl' dell' nell' all' dall' sull' coll' degl' negl' agl' dagl' sugl' quell'
    quest' sant' bell' buon' grand' com' dov' cos' anch' neanch' tutt' nient' nessun' ciascun' alcun' qualcun' mezz'
    quant' senz' vent' trent' quarant' cent' altr'`,
  nameElisions: "d' dell' dall' m' n' s' degl'",
  /** "un po'", and the imperatives. */
  clippedEnds: "po mo fa da va sta di be to ca",
  clippedStarts: "ndrangheta",
  /** "il '900". */
  decadeSuffix: "0",
});
