/**
 * The tags of treebanks: which are punctuation, and by which a treebank is recognised. The Penn set has no one
 * answer: each protocol has its own list.
 */

import { category } from "../trees/labels.js";

/** The tags of one tradition. */
export interface TagSet {
  /** A description in a few words. */
  readonly summary: string;
  /** The tags of words. */
  readonly words: ReadonlySet<string>;
  /** The tags of punctuation. */
  readonly punctuation: ReadonlySet<string>;
  /** What these sets hold of a tag: the tag without its features. */
  base(tag: string): string;
}

/** The name of a tag set. */
export type TagSetName = "penn" | "universal" | "ctb" | "icon" | "keyaki" | "greynir";

/** Penn's 36 word tags. */
export const PENN_WORDS = tags(
  `CC CD DT EX FW IN JJ JJR JJS LS MD NN NNS NNP NNPS PDT POS PRP PRP$ RB RBR RBS RP SYM TO UH
   VB VBD VBG VBN VBP VBZ WDT WP WP$ WRB`,
);

/** What `nob` takes for punctuation. */
export const NOB_PUNCTUATION = tags(". , : -LRB- -RRB- '' `` # $");

/** What EVALB's parameter file COLLINS.prm deletes. */
export const EVALB_PUNCTUATION = tags("-NONE- , : `` '' .");

/** The tag sets by name; of two that fit a treebank alike the first is taken. */
export const TAG_SETS: Readonly<Record<TagSetName, TagSet>> = {
  penn: {
    summary: "Penn Treebank, with the protocol's own list",
    words: tags(`${[...PENN_WORDS].join(" ")} AFX ADD GW NFP XX`),
    punctuation: tags(`${[...NOB_PUNCTUATION].join(" ")} -NONE- HYPH -LSB- -RSB- -LCB- -RCB- " '`),
    base: (tag) => tag,
  },
  universal: {
    summary: "Universal Dependencies and the universal tag set: PUNCT, .",
    words: tags(
      "ADJ ADP ADV AUX CCONJ CONJ DET INTJ NOUN NUM PART PRON PROPN PRT SCONJ SYM VERB X",
    ),
    punctuation: tags("PUNCT ."),
    base: category,
  },
  ctb: {
    summary: "Chinese Treebank: PU",
    words: tags(
      `AD AS BA CC CD CS DEC DEG DER DEV DT EM ETC FW IC IJ JJ LB LC M MSP NN NOI NR NT OD ON P PN
       SB SP URL VA VC VE VV X`,
    ),
    punctuation: tags("PU"),
    base: category,
  },
  icon: {
    summary: "ICON, Indonesian: PUN",
    words: tags(
      `ADJ ADK ADV ART CCN CSN INT KUA NEG NNO NNP NUM PAR PPO PRI PRK PRN PRR SYM TAME UNS VBE VBI
       VBL VBP VBT`,
    ),
    punctuation: tags("PUN"),
    base: category,
  },
  keyaki: {
    summary: "Keyaki and NPCMJ, Japanese: PU, PUL, PUR, PUQ, -LRB-, -RRB-",
    words: tags(
      `ADJI ADJN ADV AX AXD CL CND CONJ D FN FS FW INTJ LS MD MD2 N NEG NEG3 NPR NUM P PASS PASS2
       PNL PRO Q QN SCON SYM VB VB0 VB2 VB3 WADV WD WNUM WPRO`,
    ),
    punctuation: tags("PU PUL PUR PUQ -LRB- -RRB-"),
    base: (tag) => category(tag.split(";")[0] as string),
  },
  greynir: {
    summary: "GreynirCorpus, Icelandic: grm",
    words: tags(
      `abbrev abfn amount ao dagsafs dagsföst entity eo fn foreign fs fyrirtæki gata gr lo lén
       mælieining nhm no person pfn prósenta raðnr sequence so st stt símanúmer sérnafn tala to tími
       tímapunktur tímapunkturafs töl tölvupóstfang uh vefslóð x ártal`,
    ),
    punctuation: tags("grm"),
    base: (tag) => tag.split("_")[0] as string,
  },
};

function tags(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/));
}
