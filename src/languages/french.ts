/** French: abbreviations, sentence starters, elisions ("l'|État"), pronouns after the verb ("dit|-il"). */

import { defineLanguage, type Language } from "./language.js";

export const french: Language = defineLanguage({
  code: "fr",
  name: "French",
  abbreviations: {
    open: "M MM Av Mmes Mlles Mgr Me Pr p.ex env Ste av apr bd dép hab",
    either: "Cie S.A S.A.R.L éd trad coll",
    numbered: "n° nᵒ t ill al alin ann janv févr avr juil sept oct nov déc",
  },
  starters: `le la les l un une des du il elle ils elles on nous vous je tu ce cet cette ces c j qu s n son
    sa ses leur leurs en au aux à dans sur sous par pour avec sans après avant depuis pendant lors
    selon malgré mais et ou donc or ni car si quand lorsque comme puis ensuite enfin ainsi alors
    aujourd d de qui que quoi où pourquoi comment tout tous toute toutes plusieurs certains
    cependant toutefois`,
  spacedQuotes: "»",
  decimalComma: true,
  elisions: "l' d' j' m' t' s' n' c' qu' jusqu' lorsqu' puisqu' quoiqu' presqu' quelqu' ç'",
  nameElisions: "d' m' n' t' s'",
  enclitics: `je tu il elle on nous vous ils elles ce moi toi le la les lui leur y en t-il t-elle t-on t-ils
    t-elles t'en`,
  wholeWords: `aujourd'hui c'est-à-dire quelqu'un quelqu'une presqu'île presqu'îles prud'homme prud'hommes
    rendez-vous qu'en-dira-t-on m'as-tu-vu entr'ouvert`,
  quotes: "“” ‘’",
});
