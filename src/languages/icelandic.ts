/** Icelandic: abbreviations, sentence starters, ordinals with a full stop ("17. júní"), quotation marks („svo“). */

import { defineLanguage, type Language } from "./language.js";

export const icelandic: Language = defineLanguage({
  code: "is",
  name: "Icelandic",
  abbreviations: {
    open: `t.d þ.e þ.e.a.s m.a u.þ.b m.t.t þ.á.m þ.m.t þ.á a.m.k sbr skv svk m.ö.o e.t.v f.h hr frú frk sr próf
      alþm ráðh forstj fv svok svonefnd nk sl n.k s.l þ.a m.v sk kgl gr.gerð sím s þús millj ma mljó`,
    either: "hf ehf sf ohf slf ses bs f.Kr e.Kr fl jr",
    numbered:
      "nr kl bls árg útg tbl þskj jan feb mar apr jún júl ágú sep sept okt nóv des mán þri mið fim fös lau sun",
    /** Parts of a law follow their number: "1. mgr. 5. gr. laga". */
    closed: "gr mgr tölul málsl kap o.s.frv o.fl o.þ.h o.þ.u.l m.m kr stk",
  },
  starters: `hann hún það þeir þær þau ég þú við þið þetta þessi þessir þessar þessa þess þeirra sá sú þeim í á um
    til frá með án fyrir eftir undir yfir hjá að af úr gegn vegna samkvæmt þegar ef er en og eða því þar hér nú þá
    síðan svo einnig líka ekki allir allar öll margir sumir enginn engin ekkert hvað hver hvar hvernig hvers hvort
    hvenær þó samt hins enda meðal auk milli síðar áður fyrst loks var voru hefur hafa mun verður eins annar önnur
    hinn hin hið nokkrir báðir bæði aftur alls svona þannig þrátt gert ljóst`,
  ordinals: true,
  decimalComma: true,
  quotes: "„“ ‚‘ »«",
});
