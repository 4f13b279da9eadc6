/** English: all that bracken knows about it besides what its models have learnt. */

import { defineGrammar, phraseClass, union, wordClass } from "./grammar.js";
import { defineLanguage, type Language } from "./language.js";

/**
 * Not here: words that are as often adverbs before numbers ("about", "over"), that begin no phrase
 * of their own ("than", "as"), or that go with a verb ("up", "off").
 */
const PREPOSITIONS = wordClass(
  `of in on at by for with from into onto upon within without between among during against through
  throughout toward towards across behind beside besides despite beyond along amid via`,
);

/** After a measure: "two years old". */
export const MEASURE_ADJECTIVES = wordClass("old long wide high tall deep thick");

const INTENSIFIERS = wordClass(
  `very extremely highly relatively fairly particularly especially increasingly slightly
    significantly newly recently widely fully largely heavily completely truly`,
);

const grammar = defineGrammar({
  /** Not here: words that can also stand alone ("that", "her"). */
  determiners: wordClass("the a an its his their my your our every"),

  /** "May" is also a month and "Will" a man's name. */
  auxiliaries: wordClass(
    `to be am is are was were been being have has had having do does did will would shall should can
    could may might must 's 're 've 'd 'll`,
    { except: "May Will" },
  ),
  /** Not here: "'s", which is a possessive mark as often. */
  finiteAuxiliaries: wordClass(
    `am is are was were has have had do does did will would shall should can could may might must 'm
    're 've 'd 'll ca wo`,
    { except: "May Will" },
  ),
  modals: wordClass("do does did will would shall should can could may might must 'll ca wo", {
    except: "May Will",
  }),
  questionWords: wordClass("what how why when whether"),
  infinitiveMarks: wordClass("to"),
  participles: wordClass("", { ending: /ed$/ }),
  gerunds: wordClass("", { ending: /..ing$/ }),
  adverbs: wordClass(
    `not n't also still then now never often already just only even yet soon once always sometimes
    again ever`,
    { ending: /ly$/ },
  ),

  prepositions: PREPOSITIONS,
  nounPrepositions: wordClass("of"),

  /** "to" begins an infinitive, or a phrase as a preposition does. */
  subordinators: wordClass(
    `to that who whom whose which when where because if whether although though while until since
    after before`,
  ),
  whDeterminers: wordClass("whose which"),
  sentenceAdverbials: wordClass(
    `as around over under above below near outside inside unlike like once unless according however
    then also instead meanwhile thus therefore furthermore moreover nevertheless nonetheless today
    yesterday`,
    { ending: /..ly$/ },
  ),
  coordinators: wordClass("and or but nor &"),
  pronouns: wordClass("i you he she it we they there me him us them"),
  subjectPronouns: wordClass("i he she it we they there this these"),
  personalPronouns: wordClass("i you he she it we they me him us them"),
  objectPronouns: wordClass("me him us them"),
  adverbialPrepositions: union(PREPOSITIONS, wordClass("as since until till after before")),
  measureUnits: wordClass(
    `% percent second seconds minute minutes min hour hours day days week weeks month months year years
    decade decades degree degrees`,
  ),
  /** Not here: verbs whose object is the infinitive's subject and no object of theirs ("want", "expect", "allow"). */
  objectControlVerbs: wordClass(
    `tell tells told telling ask asks asked asking persuade persuades persuaded persuading urge urges urged
    urging order orders ordered ordering convince convinces convinced convincing encourage encourages
    encouraged encouraging advise advises advised advising force forces forced forcing invite invites
    invited inviting instruct instructs instructed instructing remind reminds reminded reminding warn warns
    warned warning teach teaches taught teaching compel compels compelled compelling inform informs informed
    informing assure assures assured assuring notify notifies notified notifying`,
  ),
  adverbialSubordinators: wordClass("because although though unless whereas if while"),
  absolutePrepositions: wordClass("with without"),
  /** Not here: adjectives after which the infinitive is the subject's ("it is easy to leave"). */
  complementAdjectives: wordClass(
    `likely unlikely able unable willing unwilling ready eager reluctant anxious keen prepared afraid free
    bound certain sure due content determined about`,
  ),
  intensifiers: INTENSIFIERS,
  possessiveMarks: wordClass("'s '"),
  contractedWords: wordClass(
    `he she it that this there here what who where when how why let everything something nothing
    everybody everyone somebody someone nobody anything`,
  ),
  /** Words in "-al", "-ic" and "-ent" are as often nouns ("hospital", "music", "president"). */
  plainAdjectives: wordClass(
    `old new young good bad big small large great high low long short early late strong weak rich poor
    free full clear dark bright deep wide hot cold legal illegal moral social political economic
    physical chemical natural cultural medical national international local global modern ancient
    public private black white red green blue yellow brown grey gray simple complex`,
    { ending: /...(?:ous|ible|able|ful|less|ical|ional)$/, except: "vegetable vegetables table" },
  ),
  copulas: wordClass(
    "be am is are was were been being 'm 're become becomes became seem seems seemed",
  ),
  numbers: wordClass(
    `one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand
    million billion trillion`,
    { ending: /^\d[\d.,/]*$/ },
  ),
  magnitudes: wordClass("hundred thousand million billion trillion"),
  rangeMarks: wordClass("to or"),
  currencySigns: wordClass("$ £ € ¥ us$ c$ a$ hk$"),
  percentSigns: wordClass("% percent"),
  /** Not here: "over", "under" and "around", which as often begin a phrase ("over two years"). */
  hedges: union(
    wordClass("about nearly almost roughly approximately some"),
    phraseClass(
      ...["more than", "less than", "fewer than", "at least", "at most", "up to", "as many as"],
      ...["as much as", "as few as", "as little as"],
    ),
  ),
  months: wordClass(
    `january february march april may june july august september october november december jan. feb.
    mar. apr. aug. sept. oct. nov. dec.`,
    { except: "may march" },
  ),
  measureAdverbs: wordClass("ago later earlier"),
  measureAdjectives: MEASURE_ADJECTIVES,
  whPronouns: wordClass("which whom"),
  relatives: wordClass("who whom whose which where"),
  fixedPhrases: phraseClass(
    ...[
      "as well as",
      "not only",
      "but also",
      "each other",
      "one another",
      "no longer",
      "of course",
    ],
    ...["for example", "for instance", "so far", "as well", "a lot"],
  ),
  /**
   * Not here: adverbs that may modify a preposition ("mainly in Rome", "shortly after noon"), and words in
   * "-ly" that are none.
   */
  mannerAdverbs: wordClass(
    `sharply steadily rapidly slowly quickly strongly heavily steeply dramatically considerably substantially
    significantly markedly moderately modestly gradually briefly successfully freely quietly openly publicly
    secretly peacefully violently badly poorly seriously carefully easily happily sadly angrily suddenly
    smoothly efficiently widely actively aggressively regularly frequently repeatedly permanently temporarily
    greatly drastically abruptly softly loudly gently firmly closely deeply tightly slightly`,
  ),
  /** Not here: "both", which may also join: "both the man and the boy". */
  predeterminers: wordClass("all half such quite twice"),
  negativeDeterminers: wordClass("no"),
  reportingVerbs: wordClass(
    `said says say added adds noted notes explained explains argued argues replied asked answered whispered shouted
    cried thought thinks wrote writes reported recalled insisted announced warned predicted conceded`,
  ),
  comparatives: wordClass(
    `higher lower larger smaller bigger greater lesser better worse older younger newer cheaper faster slower
    longer shorter stronger weaker easier harder wider deeper cleaner heavier lighter richer poorer later
    earlier closer safer warmer colder hotter simpler larger taller thicker thinner`,
  ),
  comparativeDegrees: union(INTENSIFIERS, wordClass("much far")),
  equativeQuantities: wordClass("well much many few little"),
  comparisonMarks: wordClass("than"),
  equativeMarks: wordClass("as"),
  /** Not here: verbs of two objects ("tell", "force"), which are above. */
  raisingVerbs: wordClass(
    `want wants wanted wanting expect expects expected expecting allow allows allowed allowing permit permits
    permitted permitting enable enables enabled enabling cause causes caused causing require requires required
    requiring`,
  ),
  preverbalPhrases: phraseClass("no longer"),
  negations: wordClass("not n't"),
  particles: wordClass("up off out down away back"),
  timeNames: wordClass(
    `monday tuesday wednesday thursday friday saturday sunday january february march april may june july
    august september october november december i`,
  ),
  twoWordPrepositions: phraseClass(
    ...["because of", "such as", "due to", "instead of", "as of", "as for", "as to", "but for"],
  ),
  boundPrefixes: wordClass(
    `a anti arch auto bi bio co counter cross de dis e ex extra hyper il im in infra inter intra ir macro
    mega meta micro mid mini mis mono multi neo non over para poly post pre pro proto pseudo quasi re semi
    sub super supra sur tele trans tri u ultra un under uni vice x`,
  ),
  compoundAdjectives: wordClass(
    `known born made bound grown old long high deep wide thick free rich poor like wise prone proof specific
    worthy friendly`,
    { ending: /...(?:ed|ing|ent|ant|ive|al|ic|ous|able|ible|ful|less)$/ },
  ),
  phraseInternalWords: wordClass(
    `than as about over under up off out down like not n't no more most less least so too quite
    rather how what why both either neither later earlier ago below above`,
  ),
});

export const english: Language = defineLanguage({
  code: "en",
  name: "English",
  abbreviations: {
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
  },
  starters: `the this that these those a an he she it they we you i his her its their our my your
    in on at by for from with without as if when whenever while where who whom whose what why how
    which after before during since until unless although though because despite however moreover
    furthermore meanwhile nevertheless nonetheless otherwise thus therefore hence then there here
    now but and or so yet nor still also another other others some many most several each every
    both all any no not none only even once one two three nobody nothing everyone everybody
    everything someone somebody something anyone anybody anything to under over among between
    more less few through throughout within upon about above below across against along around
    behind beyond like unlike instead later earlier today yesterday tomorrow recently finally
    eventually currently previously formerly originally subsequently similarly likewise consequently
    accordingly additionally further alternatively such is are was were did do does has have had
    could would should must might perhaps maybe indeed according due given following including
    based rather often sometimes usually typically generally apparently obviously clearly
    unfortunately fortunately let`,
  abbreviatedStarters: "mr mrs ms",
  clitics: "'s 'm 'd 're 've 'll 'ye n't",
  fusedWords: "can|not gon|na wan|na got|ta gim|me lem|me more|'n 't|is 't|was",
  clippedStarts: "em tis twas cause til till bout round nuff n n'",
  clippedEnds: "o ol",
  decadeSuffix: "s",
  beforePossessive: /[s\d]$/i,
  grammar,
  /** Of "has left town" it is "left", of "the old bridge by the river" "bridge". */
  heads: {
    NP: { word: "last" },
    WHNP: { word: "last" },
    QP: { word: "last" },
    ADJP: { word: "last" },
    ADVP: { word: "last" },
    VP: { phrases: ["VP"], word: "first" },
    S: { phrases: ["VP", "S"], word: "last" },
    SBAR: { phrases: ["S", "SBAR"], word: "first" },
    PP: { word: "first" },
    PRT: { word: "first" },
    PRN: { word: "first" },
  },
});
