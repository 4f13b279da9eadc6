/**
 * Which tokens of a gold treebank are punctuation: by the tags of a known set, by the user's list of tags, or by
 * characters. What is taken for punctuation decides a score, so its name is printed with the score, and a set that
 * does not fit the treebank is warned of.
 */

import { percent } from "../display/columns.js";
import { InputError } from "../errors.js";
import { unescapeToken } from "../trees/labels.js";
import { type Leaf, leaves, type Tree } from "../trees/tree.js";
import { NOB_PUNCTUATION, PENN_WORDS, TAG_SETS, type TagSet, type TagSetName } from "./tag-sets.js";

/** Whether a token is a word and not punctuation. */
export type WordRule = (leaf: Leaf) => boolean;

/** What is punctuation in a treebank. */
export interface Punctuation {
  /** The name of the tag set; "characters" or "list" if the treebank has none that is known. */
  readonly name: TagSetName | "characters" | "list";
  /** The tags of punctuation; under `penn` the protocols have their own. */
  readonly tags: readonly string[];
  /** Why a score under it may mislead; undefined if nothing speaks against it. */
  readonly caution?: string | undefined;
  /** Whether a gold word without a tag is an error. */
  readonly needsTags: boolean;
  /**
   * What predictions over words alone may have kept. Under `penn` there are two rules in use, and protocols follow
   * their own.
   */
  readonly wordRules: readonly WordRule[];
}

/** Whether a word has a Penn word tag: the rule of `kim`. */
export const isPennWord: WordRule = ({ tag = "" }) => PENN_WORDS.has(tag);

/** Whether a word has no Penn punctuation tag: the rule of `nob`. */
export const isNobWord: WordRule = ({ tag = "" }) => !NOB_PUNCTUATION.has(tag);

/** Penn's punctuation, as each protocol has it. */
export const PENN: Punctuation = {
  name: "penn",
  tags: [],
  needsTags: true,
  wordRules: [isPennWord, isNobWord],
};

/** How many tokens are read to tell the tag set of a treebank. */
export const TOKENS_TO_TELL = 5000;

/** How often a tag occurs. */
export interface TagCount {
  /** The number of its tokens. */
  tokens: number;
  /** The number of those that are punctuation by their characters. */
  marks: number;
}

/** How often each tag occurs in the first sentences of a treebank. */
export class TagCounts {
  /** The number of tokens. */
  tokens = 0;
  /** The counts of each tag. */
  readonly tags = new Map<string, TagCount>();

  /** Counts the tags of a tree. */
  add(tree: Tree): void {
    for (const leaf of leaves(tree)) {
      this.tokens += 1;
      if (leaf.tag === undefined) continue;
      const counts = this.tags.get(leaf.tag) ?? { tokens: 0, marks: 0 };
      counts.tokens += 1;
      if (isMark(leaf.word)) counts.marks += 1;
      this.tags.set(leaf.tag, counts);
    }
  }

  /** The share of tokens whose tag is in the set. */
  shareOf(set: TagSet): number {
    let known = 0;
    for (const [tag, { tokens }] of this.tags) if (isKnown(tag, set)) known += tokens;
    return this.tokens === 0 ? 1 : known / this.tokens;
  }
}

function isKnown(tag: string, { words, punctuation, base }: TagSet): boolean {
  return words.has(base(tag)) || punctuation.has(base(tag));
}

/** Characters that are no punctuation, though Unicode calls them so. */
const MARKS = /^(?:(?![#%&@*§¶‰])\p{P}|[`~―─])+$/u;

/** Whether a token is punctuation by its characters. */
export function isMark(word: string): boolean {
  return MARKS.test(unescapeToken(word));
}

/** Where all tokens have a tag of one set but for this share, the treebank is taken to have it. */
const MOST_UNKNOWN = 0.1;

/**
 * The punctuation of a treebank.
 *
 * @param request `auto`, the name of a tag set, `characters`, or a list of tags, separated by blanks or else by
 * commas; a tag that ends in `*` stands for all that begin so.
 * @param counts the tags of the treebank.
 * @throws InputError if the request is empty.
 */
export function choosePunctuation(request: string, counts: TagCounts): Punctuation {
  if (request === "auto") return recognise(counts);
  if (request === "characters") return byCharacters(counts);
  if (isTagSetName(request)) return { ...bySet(request), caution: misfit(request, counts) };
  return byList(request, counts);
}

function isTagSetName(name: string): name is TagSetName {
  return Object.hasOwn(TAG_SETS, name);
}

function recognise(counts: TagCounts): Punctuation {
  let best: { name: TagSetName; share: number } = { name: "penn", share: 0 };
  for (const name of Object.keys(TAG_SETS) as TagSetName[]) {
    const share = counts.shareOf(TAG_SETS[name]);
    if (share > best.share) best = { name, share };
  }
  if (best.share >= 1 - MOST_UNKNOWN) return bySet(best.name);
  const found = { ...byCharacters(counts), needsTags: true };
  const marks = found.tags.length > 0 ? `tags ${found.tags.join(" ")}` : "no tag";
  return {
    ...found,
    caution: `the tags of this treebank are not known, so punctuation is recognised by its characters (${marks}); if that is wrong, give its tags with --punctuation`,
  };
}

function bySet(name: TagSetName): Punctuation {
  if (name === "penn") return PENN;
  const { punctuation, base } = TAG_SETS[name];
  return {
    name,
    tags: [...punctuation],
    needsTags: true,
    wordRules: [({ tag = "" }) => !punctuation.has(base(tag))],
  };
}

/** A tag is punctuation if most of its tokens are; a token without such evidence is judged alone. */
function byCharacters({ tags }: TagCounts): Punctuation {
  const marks = [...tags].filter(([, { tokens, marks }]) => 2 * marks > tokens).map(([tag]) => tag);
  const known = new Set(marks);
  const isWord: WordRule = ({ word, tag }) =>
    tag !== undefined && tags.has(tag) ? !known.has(tag) : !isMark(word);
  return { name: "characters", tags: marks, needsTags: false, wordRules: [isWord] };
}

function byList(request: string, counts: TagCounts): Punctuation {
  const list = request.trim();
  const tags = (/\s/.test(list) || list === "," ? list.split(/\s+/) : list.split(",")).filter(
    (tag) => tag !== "",
  );
  if (tags.length === 0) {
    throw new InputError(
      "the list of punctuation tags is empty",
      {},
      `give tags such as "PU SYM", or one of auto, characters, ${Object.keys(TAG_SETS).join(", ")}`,
    );
  }
  const isListed = (tag: string) =>
    tags.some((each) =>
      each.endsWith("*") && each.length > 1 ? tag.startsWith(each.slice(0, -1)) : tag === each,
    );
  const isUsed = [...counts.tags.keys()].some(isListed);
  return {
    name: "list",
    tags,
    needsTags: true,
    wordRules: [({ tag = "" }) => !isListed(tag)],
    caution: isUsed ? undefined : `no token has one of the punctuation tags ${tags.join(" ")}`,
  };
}

function misfit(name: TagSetName, counts: TagCounts): string | undefined {
  const set = TAG_SETS[name];
  const unknown = 1 - counts.shareOf(set);
  if (unknown <= MOST_UNKNOWN) return undefined;
  const strange = [...counts.tags].filter(([tag]) => !isKnown(tag, set));
  const examples = strange.sort(([, a], [, b]) => b.tokens - a.tokens).map(([tag]) => tag);
  return `${percent(unknown)} % of the tokens have tags that are not in the set ${name} (${examples.slice(0, 5).join(" ")}); --punctuation auto chooses the set by the tags`;
}

/** How a report names it. */
export function describePunctuation({ name, tags }: Punctuation): string {
  return tags.length > 0 ? `${name} (${tags.join(" ")})` : name;
}
