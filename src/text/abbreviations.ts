/**
 * Abbreviations, sorted by what a full stop after them tells about the end of a sentence, and the
 * words that a sentence likes to begin with. Short lists for each language instead of a learnt
 * model: they can be read, corrected and extended by whoever finds a wrong split.
 *
 * An entry in lower case stands for every spelling; one with a capital (`Mass`, `Wash`) only for
 * the capitalised and the all-capitals one, because the plain word ends sentences too.
 */

import { isOpener, isUpper } from "./characters.js";

export type Language = "en" | "de" | "fr" | "es" | "it" | "nl" | "pt";

/** How a full stop after a word is to be read. */
export type AbbreviationKind =
  /** Something always follows: `Mr.`, `e.g.`; never the end of a sentence. */
  | "open"
  /** May end a sentence, if the next word is one that begins sentences: `Inc.`, `U.S.`. */
  | "either"
  /** An abbreviation before a number, otherwise perhaps a plain word: `No. 5`, `Jan. 3`. */
  | "numbered"
  /** Ends a sentence wherever a plain word would, but not before a number: `etc.`, `5 ft.`. */
  | "closed";

export interface LanguageRules {
  readonly kinds: ReadonlyMap<string, AbbreviationKind>;
  /** Words that, capitalised, begin a sentence rather than continue a name. */
  readonly starters: ReadonlySet<string>;
  /** `3.` is an ordinal: the full stop after a small number rarely ends a sentence. */
  readonly ordinals: boolean;
  /** A comma between digits is a decimal point. */
  readonly decimalComma: boolean;
}

interface WordLists {
  readonly open: string;
  readonly either: string;
  readonly numbered: string;
  readonly closed: string;
  readonly starters: string;
  readonly ordinals?: boolean;
}

const SHARED: Omit<WordLists, "starters"> = {
  open: "Dr Prof Mme Mlle Mgr Mons Hon cf vs ca fig figs pp",
  either: "St Jr Sr Co Inc Corp Ltd Bros Ph.D M.A B.A M.D al ibid",
  numbered: "no NO No nr vol tab p art cap chap",
  closed: "etc min max",
};

const ENGLISH: WordLists = {
  open: `Mr Mrs Ms Messrs Drs Profs Rev Fr Msgr Gen Col Maj Capt Cpt Cpl Cmdr Adm Lt Sgt Pvt Brig
    Sen Sens Rep Reps Gov Govs Pres Amb Atty Supt Insp Det Mt Ft Sts Mmes Eng Gens Lts Cols Hons
    e.g i.e viz eq eqs nos approx esp incl resp aka v`,
  either: `Cos Pty Plc LLC Assn Assoc Dept Univ Inst Intl Natl Mfg Bldg Ave Blvd Rd Hwy Sq Pl Ct
    Esq D.D.S Ph.D Ed.D LL.B M.B.A C.P.A S.p.A S.A N.V A.G op cit et.al
    Ala Ariz Ark Calif Colo Conn Del Fla Ga Ill Ind Kan Ky La Mass Md Mich Minn Miss Mo Mont Neb
    Nev Okla Ore Pa Penn Tenn Tex Va Vt Wash Wis Wyo Ont Que Alta U.S U.K U.N E.U a.m p.m A.D B.C
    pseud Abp Bp transl trans ed eds`,
  numbered: `sect ch ref refs par para vols ver col cols app pt pts
    Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec Mon Tue Tues Wed Thu Thur Thurs Fri Sat Sun
    est cat Chr Sch pl Ex Matt Ps Cor`,
  closed: "ft lb lbs oz hr hrs sec secs yr yrs misc gal",
  starters: `the this that these those a an he she it they we you i his her its their our my your
    in on at by for from with without as if when whenever while where who whom whose what why how
    which after before during since until unless although though because despite however moreover
    furthermore meanwhile nevertheless nonetheless otherwise thus therefore hence then there here
    now but and or so yet nor still also another other others some many most several each every
    both all any no not none only even once one two three nobody nothing everyone everybody
    everything someone somebody something anyone anybody anything to under over among between
    more less few through throughout within upon about above below across against along around behind beyond
    like unlike instead later earlier today yesterday tomorrow recently finally eventually
    currently previously formerly originally subsequently similarly likewise consequently
    accordingly additionally further alternatively such is are was were did do does has have had
    could would should must might perhaps maybe indeed according due given following including
    based rather often sometimes usually typically generally apparently obviously clearly
    unfortunately fortunately let mr mrs ms`,
};

const GERMAN: WordLists = {
  open: `Hr Hrn Fr Frl Dipl Ing Mag z.B d.h u.a i.d.R v.a s.o s.u i.e e.g bzw vgl sog ggf evtl
    inkl exkl zzgl bspw insb insbes bes geb gest verh Jh Jhs Mio Mrd Tsd jew versch röm lat
    griech frz engl dt ital span russ tel Str z d u i v o.g hl`,
  either: "GmbH e.V v.Chr n.Chr Chr Gebr Mr Mrs a.D a.M o.Ä o.ä u.Ä u.ä",
  numbered:
    "Abb Abs Abschn Anm Aufl Bd Bde Hrsg Kap Nrn S Taf Tab Ziff Art St Jan Feb Aug Sept Okt Nov Dez",
  closed: "usw usf ff f uvm u.v.m o.a",
  starters: `der die das dem den des ein eine einer eines einem einen er sie es wir ihr ich du sein
    seine ihre unser dieser diese dieses diesem diesen jener jene jenes in im am an auf aus bei beim
    mit nach von vom vor zu zum zur seit während wegen trotz durch für gegen ohne um unter über
    zwischen als wenn weil da dass obwohl nachdem bevor damit doch aber und oder denn sondern auch
    noch nur schon dann dort hier heute gestern später zuerst außerdem jedoch dennoch deshalb daher
    dadurch dabei dazu so wie was wer wo warum man alle viele einige manche kein keine nicht`,
  ordinals: true,
};

const FRENCH: WordLists = {
  open: "M MM Av Mmes Mlles Mgr Me Pr p.ex c.-à-d env Ste av apr",
  either: "Cie S.A S.A.R.L J.-C éd trad coll",
  numbered: "n° nᵒ t ill ann janv févr avr juil sept oct nov déc",
  closed: "",
  starters: `le la les l un une des du il elle ils elles on nous vous je tu ce cet cette ces c j qu s n son
    sa ses leur leurs en au aux à dans sur sous par pour avec sans après avant depuis pendant lors
    selon malgré mais et ou donc or ni car si quand lorsque comme puis ensuite enfin ainsi alors
    aujourd d de qui que quoi où pourquoi comment tout tous toute toutes plusieurs certains
    cependant toutefois`,
};

const SPANISH: WordLists = {
  open: "Av Avda Sr Sra Sres Sras Srta D Dña Da Dra Dres Profa Excmo Ilmo Lic Ing Gral Cnel Tte p.ej Sto Sta Ud Uds aprox",
  either: "EE.UU S.A S.L Cía a.C d.C a.m p.m",
  numbered: "núm núms pág págs t ene feb abr jun jul ago sept oct nov dic",
  closed: "",
  starters: `el la los las un una unos unas lo él ella ellos ellas yo tú nosotros este esta estos
    estas ese esa esos esas aquel su sus mi en de del al a con sin por para desde hasta entre sobre
    tras durante según como cuando donde si que quien pero y o ni sino aunque porque pues entonces
    luego después antes ahora hoy ayer también además sin embargo así no se le les me nos todo todos
    muchos algunos otro otros`,
};

const ITALIAN: WordLists = {
  open: "Sig Sigg Sig.ra Sig.na dott dott.ssa avv ing arch rag geom On Sen Egr Gent S SS p.es es Prof.ssa circa",
  either: "S.p.A S.r.l a.C d.C C.A",
  numbered: "n nn pag pagg gen feb mar apr mag giu lug ago set sett ott nov dic",
  closed: "ecc",
  starters: `il lo la i gli le l un uno una egli ella esso essa essi lui lei loro noi voi io questo
    questa questi queste quello quella suo sua suoi sue nel nella nei nelle negli nell dell all dall in di del
    della dei delle dello a al alla ai alle da dal dalla con su sul sulla per tra fra dopo prima
    durante secondo come quando dove se che chi ma e ed o oppure anche perché poiché quindi allora
    poi infine infatti fu era inoltre tuttavia oggi ieri così non si nonostante tutti molti alcuni`,
};

const DUTCH: WordLists = {
  open: "dhr mevr mw ir ing drs mr bijv bv o.a d.w.z m.a.w m.b.t i.v.m t.o.v zgn vgl",
  either: "N.V B.V v.Chr n.Chr",
  numbered: "blz jan feb mrt apr jun jul aug sept okt nov dec",
  closed: "enz",
  starters: `de het een hij zij ze het wij we ik jij u dit dat deze die zijn haar hun ons in op aan
    bij met van voor na naar uit over onder tussen door tegen zonder om tijdens sinds als toen
    wanneer omdat hoewel maar en of want dus ook nog daar hier nu dan er wat wie waar hoe alle veel
    sommige geen niet`,
};

const PORTUGUESE: WordLists = {
  open: "Av Sr Sra Srs Sras Srta D Dra Profa Exmo Exma Eng Gen Cel p.ex Sto Sta aprox",
  either: "S.A Ltda Cia a.C d.C E.U.A",
  numbered: "núm pág págs jan fev mar abr jun jul ago set out nov dez",
  closed: "",
  starters: `o a os as um uma uns umas ele ela eles elas eu nós este esta estes estas esse essa isso
    isto aquele seu sua seus suas em no na nos nas de do da dos das ao à com sem por pelo pela para
    desde até entre sobre após durante segundo como quando onde se que quem mas e ou nem embora
    porque pois então depois antes agora hoje ontem também além assim não todos muitos alguns`,
};

const LISTS: Record<Language, WordLists> = {
  en: ENGLISH,
  de: GERMAN,
  fr: FRENCH,
  es: SPANISH,
  it: ITALIAN,
  nl: DUTCH,
  pt: PORTUGUESE,
};

const compiled = new Map<Language, LanguageRules>();

export function rulesFor(language: Language): LanguageRules {
  const known = compiled.get(language);
  if (known) return known;
  const lists = LISTS[language];
  if (!lists) {
    throw new RangeError(
      `no such language: ${language}; known are ${Object.keys(LISTS).join(", ")}`,
    );
  }
  const rules = compile(lists);
  compiled.set(language, rules);
  return rules;
}

function compile(lists: WordLists): LanguageRules {
  const kinds = new Map<string, AbbreviationKind>();
  for (const kind of ["closed", "either", "numbered", "open"] as const) {
    for (const word of wordsOf(`${SHARED[kind]} ${lists[kind]}`)) kinds.set(word, kind);
  }
  return {
    kinds,
    starters: new Set(wordsOf(lists.starters)),
    ordinals: lists.ordinals ?? false,
    decimalComma: lists !== ENGLISH,
  };
}

function wordsOf(list: string): string[] {
  return list.split(/\s+/).filter((word) => word !== "");
}

/** No entry is longer, so no look back for one goes further. */
const LONGEST = 12;

/** Where the word before a full stop begins; after a hyphen or slash a word begins too. */
export function abbreviationBegin(text: string, stop: number, from: number): number {
  const earliest = Math.max(from, stop - LONGEST);
  let begin = stop;
  while (begin > earliest && !isOpener(text, begin - 1) && !"-/".includes(text.charAt(begin - 1))) {
    begin -= 1;
  }
  return begin;
}

const DOTTED = /^(?:\p{L}\.)+\p{L}$/u;
const NO_VOWEL = /^[B-DF-HJ-NP-TV-XZ]?[b-df-hj-np-tv-xz]{1,3}$/;

/** The entry to look under: `Etc` is `etc`, and `CORP` is `Corp`, but `PP` is not `pp`. */
function otherSpelling(word: string): string {
  const capitals = word === word.toUpperCase();
  return capitals ? word.charAt(0) + word.slice(1).toLowerCase() : word.toLowerCase();
}

/**
 * What kind of abbreviation a word (without its last full stop) is, if it is one. Besides the
 * listed ones: initials, letters with full stops between (`U.S`), and short words without a vowel,
 * which are names of forms when capitalised (`Blvd`) and units when not (`km`).
 */
export function abbreviationKind(
  word: string,
  { kinds }: LanguageRules,
): AbbreviationKind | undefined {
  // A lone capital is an initial, whatever the small letter stands for.
  if (/^\p{L}\p{M}?$/u.test(word)) return kinds.get(word) ?? "either";
  const listed = kinds.get(word) ?? kinds.get(otherSpelling(word));
  if (listed) return listed;
  if (DOTTED.test(word)) return "either";
  if (!NO_VOWEL.test(word)) return undefined;
  return isUpper(word) ? "either" : "closed";
}
