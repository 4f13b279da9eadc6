/**
 * Chinese words as the Penn Chinese Treebank's guidelines cut them (Xia 2000), where ICU's dictionary does otherwise:
 * the particles 的 and 了 are words, and so are the number and the measure word of 三年, but suffixes are not (使用者).
 */

const NUMBERS = "一二两三四五六七八九十几这那每各某這兩幾";
const MEASURES =
  "个個只本张張条條位名家次种種年天届屆部辆輛台座件份项項块塊片场場岁歲句支枝批层層套页頁篇首棵把杯瓶碗双雙间間所";
const MEASURED = new RegExp(`^[${NUMBERS}][${MEASURES}]$`, "u");

/** Words that end like a particle, but are one word. */
const WITH_PARTICLE = new Set(
  "目的 有的 似的 别的 別的 标的 標的 真的 的 为了 為了 除了 罢了 罷了 算了 得了 极了 極了 末了 了".split(
    " ",
  ),
);
const PARTICLE = /[的了]$/;

/** Words that begin with a pronoun, but are one word. */
const WITH_PRONOUN =
  /^[我你他她它](?:们|們|人|国|國|方|军|軍|校|市|省|县|縣|厂|廠|好|乡|鄉|日|杀|殺)/;
const PRONOUN = /^[我你他她它您]./u;

/** Suffixes of nouns, which follow a word of two or more syllables. */
const SUFFIXES = new Set("们們者性化率式型界感员員度力器品法量");

/** Cuts a text without blanks again, which the dictionary cut into these words. */
export function recutChinese(words: readonly string[]): readonly string[] {
  const recut: string[] = [];
  for (const word of words) {
    const last = recut.at(-1) ?? "";
    if (SUFFIXES.has(word) && last.length > 1) recut[recut.length - 1] = last + word;
    else recut.push(...cut(word));
  }
  return recut;
}

function cut(word: string): readonly string[] {
  if (word.length < 2 || WITH_PARTICLE.has(word)) return [word];
  if (MEASURED.test(word)) return [...word];
  if (PARTICLE.test(word)) return [...cut(word.slice(0, -1)), word.slice(-1)];
  if (PRONOUN.test(word) && !WITH_PRONOUN.test(word)) return [word.charAt(0), word.slice(1)];
  return [word];
}
