/** Dutch: abbreviations and sentence starters. */

import { defineLanguage, type Language } from "./language.js";

export const dutch: Language = defineLanguage({
  code: "nl",
  name: "Dutch",
  abbreviations: {
    open: "dhr mevr mw ir ing drs mr bijv bv o.a d.w.z m.a.w m.b.t i.v.m t.o.v zgn vgl",
    either: "N.V B.V v.Chr n.Chr",
    numbered: "blz jan feb mrt apr jun jul aug sept okt nov dec",
    closed: "enz",
  },
  starters: `de het een hij zij ze het wij we ik jij u dit dat deze die zijn haar hun ons in op aan
    bij met van voor na naar uit over onder tussen door tegen zonder om tijdens sinds als toen
    wanneer omdat hoewel maar en of want dus ook nog daar hier nu dan er wat wie waar hoe alle veel
    sommige geen niet`,
  decimalComma: true,
});
