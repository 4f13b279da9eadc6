/** Portuguese: abbreviations, sentence starters, pronouns after the verb ("dá-|lo"). */

import { defineLanguage, type Language } from "./language.js";

export const portuguese: Language = defineLanguage({
  code: "pt",
  name: "Portuguese",
  abbreviations: {
    open: "Av sr sra srs sras dr dra Sr Sra Srs Sras Srta D Dra Profa Exmo Exma Eng Gen Cel p.ex Sto Sta aprox séc Pe V.Exa",
    either: "S.A Ltda Lda Cia a.C d.C E.U.A",
    numbered: "núm pág págs jan fev mar abr jun jul ago set out nov dez",
  },
  starters: `o a os as um uma uns umas ele ela eles elas eu nós este esta estes estas esse essa isso
    isto aquele seu sua seus suas em no na nos nas de do da dos das ao à com sem por pelo pela para
    desde até entre sobre após durante segundo como quando onde se que quem mas e ou nem embora
    porque pois então depois antes agora hoje ontem também além assim não todos muitos alguns`,
  decimalComma: true,
  /** In "vê-lo-ei" the pronoun is inside the verb, which stays whole. */
  enclitics: `me te se o a os as lhe lhes nos vos lo la los las no na nas mo ma mos mas to ta tos tas lho lha lhos
    lhas`,
  encliticHyphen: "verb",
  elisions: "d'",
  nameElisions: "d'",
  quotes: "“” ‘’ «»",
});
