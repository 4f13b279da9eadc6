/** Italian: abbreviations and sentence starters. */

import { defineLanguage, type Language } from "./language.js";

export const italian: Language = defineLanguage({
  code: "it",
  name: "Italian",
  abbreviations: {
    open: "Sig Sigg Sig.ra Sig.na dott dott.ssa avv ing arch rag geom On Sen Egr Gent S SS p.es es Prof.ssa circa",
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
});
