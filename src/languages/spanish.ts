/** Spanish: abbreviations and sentence starters. */

import { defineLanguage, type Language } from "./language.js";

export const spanish: Language = defineLanguage({
  code: "es",
  name: "Spanish",
  abbreviations: {
    open: "EE Av Avda sr sra Sr Sra Sres Sras Srta D Dña Da Dra Dres Profa Excmo Ilmo Lic Ing Gral Cnel Tte p.ej Sto Sta Ud Uds aprox",
    either: "EE.UU UU S.A S.L Cía a.C d.C a.m p.m",
    numbered: "núm núms pág págs t ene feb abr jun jul ago sept oct nov dic",
  },
  starters: `el la los las un una unos unas lo él ella ellos ellas yo tú nosotros este esta estos
    estas ese esa esos esas aquel su sus mi en de del al a con sin por para desde hasta entre sobre
    tras durante según como cuando donde si que quien pero y o ni sino aunque porque pues entonces
    luego después antes ahora hoy ayer también además sin embargo así no se le les me nos todo todos
    muchos algunos otro otros`,
  decimalComma: true,
});
