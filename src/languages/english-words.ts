/** Classes of English words that tell the names of phrases, beyond those of the grammar. */

import { union, wordClass } from "./grammar.js";

/** They begin a prepositional phrase wherever a noun phrase or a gerund follows. */
export const PREPOSITIONS = wordClass(
  `of in on at by for with from into onto upon within without between among amongst amid during
  against through throughout toward towards across behind beside besides despite beyond along
  alongside via about over under above below beneath near outside inside underneath aboard around
  like unlike per concerning regarding including versus notwithstanding`,
);

/** Prepositions before a noun phrase or a gerund, subordinators before a clause. */
export const EITHER = wordClass("since after before until till as than");

export const SUBORDINATORS = wordClass(
  "that if whether because although though unless while whereas lest whenever wherever once",
);

/** "Mr. Smith , who left": they stand for a noun phrase within their clause. */
export const WH_NOUNS = wordClass("who whom which what whoever whatever whichever");

/** They stand for an adverbial within their clause. */
export const WH_ADVERBS = wordClass("when where why how whenever wherever");

export const RELATIVE_PRONOUNS = wordClass("who which that");

/** Words that only a noun phrase begins with. */
export const NOUN_PHRASE_STARTERS = wordClass(
  `the a an its his their my your our every each some any no another these those this such several
  many few various all both either neither certain numerous most`,
);

/** Pronouns that are a noun phrase by themselves. */
export const PRONOUNS = wordClass(
  `i you he she it we they me him us them myself yourself himself herself itself ourselves themselves
  everyone everybody everything someone somebody something anyone anybody anything nobody nothing
  none mine yours hers ours theirs`,
);

export const SUBJECT_PRONOUNS = wordClass("i you he she it we they there");

export const POSSESSIVES = wordClass("its his their my your our whose");

export const COPULAS = wordClass(
  `be am is are was were been being 's 're 'm become becomes became becoming seem seems seemed
  remain remains remained appear appears appeared feel feels felt look looks looked`,
);

export const BE = wordClass("be am is are was were been being 's 're 'm get gets got getting");

export const AUXILIARIES = wordClass(
  `be am is are was were been being have has had having do does did will would shall should can could
  may might must 'm 're 've 'd 'll ca wo`,
  { except: "May Will" },
);

/** Verbs that are often not asked about, after "to". */
export const BASE_VERBS = wordClass(
  `be have do go get make take give come see say know think find use keep let put help show try leave
  call become bring begin start run move live work play pay meet hold turn follow stop create speak
  read allow add spend grow open walk win offer remember consider appear buy wait serve die send
  expect build stay fall cut reach kill remain raise pass sell require report decide pull develop
  provide improve reduce increase avoid prevent ensure produce protect support form cause contain
  include change learn understand explain describe determine achieve obtain receive return enter
  join lead lose save seek sign travel treat visit vote wear write`,
);

/** Verbs with a clause as their object, which may have no "that". */
export const REPORTING_VERBS = wordClass(
  `said say says saying think thinks thought believe believes believed claim claims claimed know knows
  knew hope hopes hoped argue argues argued suggest suggests suggested announce announced expects expect
  expected feel feels felt mean means meant noted notes stated states admitted added told tells show
  shows showed shown find finds found reported reports indicate indicates indicated conclude concludes
  concluded insist insists insisted acknowledge acknowledged reveal reveals revealed explain explains
  explained warn warns warned predict predicts predicted estimate estimates estimated fear fears feared
  realize realizes realized understand guess suppose assume assumes assumed agreed promise promised denied
  denies confirm confirms confirmed ensure ensures imply implies implied prove proves proved learned
  discovered decided doubt doubts wish wishes swore heard remember recalled maintain maintains maintained
  contend contends contended vowed declared demonstrate demonstrated sure glad afraid certain confident
  convinced aware happy sorry`,
);

/** -ly words are adverbs but for these. */
export const ADVERBS = wordClass(
  `also still then now never often already yet soon always sometimes again ever here however instead
  perhaps maybe therefore thus meanwhile together away abroad overseas moreover furthermore
  nevertheless nonetheless otherwise hence twice once elsewhere indeed afterwards afterward alone
  forward forwards backwards upward downward anyway ahead apart aside seldom later earlier`,
  {
    ending: /..ly$/,
    except: `family Family supply Supply early Early only Only July Italy Assembly assembly ally Ally
      reply Reply daily Daily weekly Weekly monthly Monthly yearly Yearly friendly likely unlikely
      elderly Elderly holy Holy lovely lonely costly deadly ugly silly jelly belly rally Rally fly
      apply imply comply multiply rely monopoly anomaly melancholy butterfly Kelly Billy Emily Molly
      Sally Lily Lilly Polly Beverly Kimberly orderly scholarly lively timely homily bully folly`,
  },
);

export const INTENSIFIERS = wordClass(
  `very extremely highly relatively fairly particularly especially increasingly slightly
  significantly too so quite rather really pretty more most less least as equally`,
);

/** Words that are adjectives by their ending or by themselves. */
export const ADJECTIVES = wordClass(
  `good bad better best worse worst new old high higher highest low lower lowest large larger largest
  small smaller smallest big bigger biggest great greater greatest important different similar clear
  likely unlikely difficult easy easier hard harder able unable ready free true false sure open close
  closer closed wrong right late early happy unhappy aware unaware worth proud afraid alive dead full
  empty strong stronger weak weaker safe rich poor short shorter long longer necessary common rare
  popular familiar similar willing unwilling interested involved concerned prone subject equal superior
  inferior due certain uncertain angry tired sick ill well healthy dangerous famous known unknown unclear
  present absent independent dependent convinced based hot cold warm cool wet dry dark light young
  younger slow slower fast faster silent busy comfortable complete incomplete cheap cheaper expensive
  loyal eager keen guilty innocent`,
  { ending: /...(?:able|ible|ful|ous|ive|less|ical|ial|ional|tal|ral|nal|ant|ent)$/ },
);

export const PARTICLES = wordClass("up off out down away back over along");

export const TIME_NOUNS = wordClass("yesterday today tomorrow tonight");

export const COORDINATORS = wordClass("and or but nor & yet");

/** They follow a measure and make an adverbial of it: "two years ago". */
export const MEASURE_ADVERBS = wordClass("ago later earlier away apart ahead before after");

const NUMBER_WORDS = wordClass(
  `one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty sixty
  seventy eighty ninety hundred thousand million billion trillion dozen`,
);

export function isNumber(token: string | undefined): boolean {
  return token !== undefined && (/^[\d][\d.,/]*$/.test(token) || NUMBER_WORDS.has(token));
}

export function isCurrency(token: string | undefined): boolean {
  return token !== undefined && /^(?:\$|£|€|¥|US\$|C\$|A\$|HK\$)$/.test(token);
}

/** Punctuation, or the sentence's end. */
export function isBoundary(token: string | undefined): boolean {
  return token === undefined || !/[\p{L}\p{N}$%£€&]/u.test(token) || /^-[LR][RSC]B-$/.test(token);
}

export function isCapitalised(token: string | undefined): boolean {
  return token !== undefined && /^\p{Lu}/u.test(token);
}

/** Auxiliaries that are never infinitives or participles. */
export const FINITE = wordClass(
  `am is are was were has have had do does did will would shall should can could may might must 'm 're
  've 'd 'll ca wo`,
  { except: "May Will" },
);

export const MONTHS = wordClass(
  `january february march april may june july august september october november december jan. feb. mar.
  apr. aug. sept. oct. nov. dec.`,
  { except: "may march" },
);

/** They begin a clause within a noun phrase: "the man that was there", "the plan to leave". */
export const CLAUSE_STARTERS = union(
  SUBORDINATORS,
  EITHER,
  wordClass("to whose where when why who which that"),
);

export const HEDGE_WORDS = wordClass(
  "about nearly almost roughly approximately some more less fewer than at least most up to as many much few",
);

export const APPROXIMATE = wordClass(
  "about over under around nearly almost roughly approximately some",
);

/** They head no phrase of several words but with a quantifier ("them all"): "him to leave" is a clause. */
export const PERSONAL_PRONOUNS = wordClass("i he she it we they me him us them");

export const OBJECT_PRONOUNS = wordClass("me him us them");

export const QUANTIFIERS = wordClass(
  "all both each alone himself herself itself themselves ourselves myself",
);

/** Words that "as" modifies: "as much as" is no prepositional phrase. */
export const INTENSIFIED = wordClass("much many well far long little few high low");

export const TWO_WORD_PREPOSITIONS = new Set([
  ...["because of", "according to", "due to", "such as", "instead of", "out of", "rather than"],
  ...["prior to", "up to", "as of", "as for", "next to", "close to", "along with", "apart from"],
  ...["away from", "based on", "except for", "contrary to", "regardless of", "together with"],
]);

export const TWO_WORD_SUBORDINATORS = new Set([
  ...["so that", "even though", "even if", "as if", "as though", "now that", "only if", "just as"],
  ...["even when", "even as", "in that", "except that", "provided that", "such that"],
]);
