/** German: abbreviations, sentence starters, ordinals with a full stop ("3. Mai"). */

import { defineLanguage, type Language } from "./language.js";

export const german: Language = defineLanguage({
  code: "de",
  name: "German",
  abbreviations: {
    open: `Hr Hrn Fr Frl Dipl Ing Mag z.B d.h u.a i.d.R v.a s.o s.u i.e e.g bzw vgl sog ggf evtl
      inkl exkl zzgl bspw insb insbes bes geb gest verh Jh Jhs Mio Mrd Tsd jew versch röm lat
      griech frz engl dt ital span russ tel Str z d u i v o.g hl`,
    either: "GmbH e.V v.Chr n.Chr Chr Gebr Mr Mrs a.D a.M o.Ä o.ä u.Ä u.ä",
    numbered:
      "Abb Abs Abschn Anm Aufl Bd Bde Hrsg Kap Nrn S Taf Tab Ziff Art St Jan Feb Aug Sept Okt Nov Dez",
    closed: "usw usf ff f uvm u.v.m o.a",
  },
  starters: `der die das dem den des ein eine einer eines einem einen er sie es wir ihr ich du sein
    seine ihre unser dieser diese dieses diesem diesen jener jene jenes in im am an auf aus bei beim
    mit nach von vom vor zu zum zur seit während wegen trotz durch für gegen ohne um unter über
    zwischen als wenn weil da dass obwohl nachdem bevor damit doch aber und oder denn sondern auch
    noch nur schon dann dort hier heute gestern später zuerst außerdem jedoch dennoch deshalb daher
    dadurch dabei dazu so wie was wer wo warum man alle viele einige manche kein keine nicht`,
  ordinals: true,
  decimalComma: true,
  /** "es" after words that often have it; a genitive ("Andrea's") is no token of its own. */
  fusedWords: `geht|'s gibt|'s ist|'s war|'s wär|'s hat|'s hab|'s wird|'s kann|'s muss|'s soll|'s will|'s macht|'s
    kommt|'s steht|'s weiß|'s ging|'s gab|'s wie|'s wenn|'s was|'s so|'s ich|'s er|'s du|'s wir|'s man|'s ob|'s
    dass|'s weil|'s`,
  /** „So“ and »so«, in Switzerland «so». */
  quotes: "„“ ‚‘ »« «» ›‹ ‹›",
});
