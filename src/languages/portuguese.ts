/** Portuguese: abbreviations and sentence starters. */

import { defineLanguage, type Language } from "./language.js";

export const portuguese: Language = defineLanguage({
  code: "pt",
  name: "Portuguese",
  abbreviations: {
    open: "Av Sr Sra Srs Sras Srta D Dra Profa Exmo Exma Eng Gen Cel p.ex Sto Sta aprox",
    either: "S.A Ltda Cia a.C d.C E.U.A",
    numbered: "núm pág págs jan fev mar abr jun jul ago set out nov dez",
  },
  starters: `o a os as um uma uns umas ele ela eles elas eu nós este esta estes estas esse essa isso
    isto aquele seu sua seus suas em no na nos nas de do da dos das ao à com sem por pelo pela para
    desde até entre sobre após durante segundo como quando onde se que quem mas e ou nem embora
    porque pois então depois antes agora hoje ontem também além assim não todos muitos alguns`,
  decimalComma: true,
});
