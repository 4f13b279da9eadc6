/**
 * Japanese words, better than the dictionary's. ICU's dictionary has hardly any inflected forms, so it cuts 食べられた
 * into 食|べら|れ|た. Grammars teach which endings a verb or adjective has (it is written in kanji, its ending in
 * hiragana), and auxiliaries and particles are closed classes. From both follows the best way through the text:
 * 食べ|られ|た.
 */

import { splitWords } from "./grammar.js";

const PARTICLES = `が を に へ と で は も の や か ね よ な ぞ ぜ わ て ば し から より まで だけ しか ばかり など くらい
  ぐらい ほど こそ さえ でも ながら たり だり つつ けれど けれども のに ので とか なり やら きり ずつ すら とも ても だって`;

/** Auxiliary verbs, in all their forms. */
const AUXILIARIES = `れる れ れれ られる られ られれ せる させる させ させれ ない なかっ なく なけれ なかろう ぬ ん ず よう まい
  たい たく たかっ たけれ たがる たがり たがっ た たら だ だっ だろう なら ます まし ませ ましょう です でし でしょう らしい らしく
  らしかっ みたい そう べき べく`;

/** Verbs and adjectives that are written in hiragana. */
const VERBS = `する すれ しろ せよ しよう いる いれ いよう ある あり あっ あれ なる なり なっ なれ できる でき できれ いう いい いっ
  いわ くる くれる くれ くれれ もらう もらい もらっ もらえ あげる あげ やる やっ やり おく おき おい しまう しまい しまっ みる
  いく いき ください くださる くださっ いただく いただき いただい いただけ おる おり おっ ござい よる よっ つい おけ おける いけ いける とっ
  もつ もっ わたる わたり わたっ ない よい よく よかっ`;
/** Forms of one letter, which nearly every letter could be. */
const SHORT_VERBS = "し さ い み き せ";

const OTHERS = `こと もの ため とき ところ わけ つもり うち まま とおり ほう はず あと なか これ それ あれ どれ ここ そこ あそこ どこ
  こちら そちら この その あの どの こんな そんな あんな どんな こう どう わたし あなた だれ なに いつ いくつ また しかし そして
  さらに または および あるいは ただし つまり なお とても もっと まだ もう すぐ すべて みんな さん たち ら さま くん`;

/** The rows of the syllabary, by their vowel: the forms of a verb end in them. */
const A_ROW = "かさたばまらわ";
const I_ROW = "きぎしじちぢびみりい";
const U_ROW = "くぐすずつぬぶむるう";
const E_ROW = "けげせぜねべめれえ";

/** The few verbs whose ending looks like a particle after a noun. */
const IN_GA = new Set("泳急防騒脱継注稼凌");
const IN_TE = new Set("捨育立建当慌果充隔企");

/** Verbs of one syllable, to which auxiliaries are joined without an ending. */
const WITHOUT_ENDING = new Set("見着寝得出来似居煮経診観");
/** An auxiliary or て at the beginning of what follows a verb. */
const AUXILIARY =
  /^(?:ない|なかっ|なく|なけれ|ます|まし|ませ|たい|たく|たかっ|た|だ|て|で|られ|させ|ながら|そう|よう|ず)/;
/** Adjectives of two kanji end so: 美味しい. */
const ADJECTIVE_ENDING = /^(?:しい|しく|しかっ|しけれ)$/;
/** Verbs with て or た that the dictionary has as one word: した. */
const JOINED = /(?:[たてだで]|てい)$/;

const NEGATION = /^(?:ない|なかっ|なく|なけれ|ず|ぬ|れ|せ|ざる)/;

/** The cost of a word by its length: of two ways, the one with fewer and longer words is better. */
const CLOSED_COSTS = [0, 0.9, 0.8, 0.7, 0.7, 0.7];
const LONGEST_CLOSED = 5;
/** What a verb costs by the letters of its ending. */
const ENDING_COSTS = [1, 1.15, 1.35, 1.7];
const SHORT_VERB_COST = 1.2;
/** A word in hiragana that only the dictionary knows, and what each of its letters adds. */
const KANA_WORD_COST = 0.9;
const KANA_LETTER_COST = 0.3;
const UNKNOWN_COST = 2;

const closedWords = new Set(splitWords(`${PARTICLES} ${AUXILIARIES} ${VERBS} ${OTHERS}`));
const shortVerbs = new Set(splitWords(SHORT_VERBS));

const HIRAGANA = /^[\u3041-\u3096]+$/;
/** A dictionary's word of one kanji, perhaps with an ending. */
const ONE_KANJI = /^\p{scx=Han}(?=[\u3041-\u3096]*$)/u;
const ONLY_KANJI = /^\p{scx=Han}+$/u;

interface Step {
  readonly begin: number;
  readonly cost: number;
}

/** Cuts a text without blanks again, which the dictionary cut into these words. */
export function recutJapanese(words: readonly string[]): readonly string[] {
  if (!words.some((word) => HIRAGANA.test(word.slice(-1)))) return words;
  const text = words.join("");
  const best: (Step | undefined)[] = [{ begin: 0, cost: 0 }];
  const reach = (begin: number, end: number, cost: number) => {
    const from = best[begin];
    if (!from || end > text.length) return;
    const total = from.cost + cost;
    if (total < (best[end]?.cost ?? Number.POSITIVE_INFINITY)) best[end] = { begin, cost: total };
  };
  const dictionary = new Map<number, string>();
  let at = 0;
  for (const word of words) {
    dictionary.set(at, word);
    at += word.length;
  }
  for (let begin = 0; begin < text.length; begin++) {
    if (!best[begin]) continue;
    const word = dictionary.get(begin);
    if (word) reachWords(text, begin, word, reach);
    for (let length = 1; length <= LONGEST_CLOSED; length++) {
      const part = text.slice(begin, begin + length);
      if (closedWords.has(part)) reach(begin, begin + length, CLOSED_COSTS[length] as number);
      else if (shortVerbs.has(part)) reach(begin, begin + 1, SHORT_VERB_COST);
    }
    reach(begin, begin + ((text.codePointAt(begin) as number) > 0xffff ? 2 : 1), UNKNOWN_COST);
  }
  return wordsOf(text, best);
}

/** The word of the dictionary, and if it is one kanji, that with each ending it can have here. */
function reachWords(
  text: string,
  begin: number,
  word: string,
  reach: (begin: number, end: number, cost: number) => void,
): void {
  if (!HIRAGANA.test(word)) reach(begin, begin + word.length, 1);
  else if (word.length > 1 && !JOINED.test(word)) {
    reach(begin, begin + word.length, KANA_WORD_COST + KANA_LETTER_COST * word.length);
  }
  const kanji = ONE_KANJI.exec(word)?.[0] ?? ONLY_KANJI.exec(word)?.[0];
  if (!kanji) return;
  const stem = begin + kanji.length;
  for (let length = 1; length < ENDING_COSTS.length; length++) {
    const ending = text.slice(stem, stem + length);
    if (ending.length < length || !HIRAGANA.test(ending)) return;
    const following = text.slice(stem + length, stem + length + 4);
    if (canEnd(kanji, ending, following))
      reach(begin, stem + length, ENDING_COSTS[length] as number);
  }
}

function canEnd(kanji: string, ending: string, following: string): boolean {
  if (kanji.length > 1) return ADJECTIVE_ENDING.test(ending);
  return isEnding(kanji, ending, following) && !hasAuxiliary(kanji, ending, following);
}

/** Whether an auxiliary begins inside the ending, as in 食|べら. */
function hasAuxiliary(kanji: string, ending: string, following: string): boolean {
  for (let cut = 0; cut < ending.length; cut++) {
    const before = ending.slice(0, cut);
    const rest = ending.slice(cut) + following;
    const isStem = cut === 0 ? WITHOUT_ENDING.has(kanji) : isEnding(kanji, before, rest);
    if (!isStem || U_ROW.includes(before.slice(-1) || "-")) continue;
    if (AUXILIARY.test(rest) || (A_ROW.includes(before.slice(-1) || "-") && /^[れせ]/.test(rest)))
      return true;
  }
  return false;
}

/** Whether a verb or adjective of this kanji can end so before what follows. */
function isEnding(kanji: string, ending: string, following: string): boolean {
  const last = ending.slice(-1);
  if (U_ROW.includes(last) || I_ROW.includes(last) || E_ROW.includes(last)) return true;
  if (A_ROW.includes(last)) return NEGATION.test(following);
  switch (last) {
    case "っ":
      return /^[たて]/.test(following);
    case "ん":
      return /^[だで]/.test(following);
    case "が":
      return IN_GA.has(kanji) && NEGATION.test(following);
    case "て":
      return IN_TE.has(kanji);
    case "な":
      return (kanji === "死" && NEGATION.test(following)) || ending === "きな";
    default:
      return false;
  }
}

function wordsOf(text: string, best: readonly (Step | undefined)[]): string[] {
  const words: string[] = [];
  for (let end = text.length; end > 0; ) {
    const { begin } = best[end] as Step;
    words.push(text.slice(begin, end));
    end = begin;
  }
  return words.reverse();
}
