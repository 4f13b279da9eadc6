/** French: abbreviations and sentence starters. */

import { defineLanguage, type Language } from "./language.js";

export const french: Language = defineLanguage({
  code: "fr",
  name: "French",
  abbreviations: {
    open: "M MM Av Mmes Mlles Mgr Me Pr p.ex env Ste av apr",
    either: "Cie S.A S.A.R.L éd trad coll",
    numbered: "n° nᵒ t ill ann janv févr avr juil sept oct nov déc",
  },
  starters: `le la les l un une des du il elle ils elles on nous vous je tu ce cet cette ces c j qu s n son
    sa ses leur leurs en au aux à dans sur sous par pour avec sans après avant depuis pendant lors
    selon malgré mais et ou donc or ni car si quand lorsque comme puis ensuite enfin ainsi alors
    aujourd d de qui que quoi où pourquoi comment tout tous toute toutes plusieurs certains
    cependant toutefois`,
  decimalComma: true,
});
