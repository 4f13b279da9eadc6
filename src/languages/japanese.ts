/** Japanese: quotations, particles. Words are cut by ICU's dictionary and by the endings of verbs. */

import { wordClass } from "./grammar.js";
import { recutJapanese } from "./japanese-words.js";
import { defineLanguage, type Language } from "./language.js";
import { defineQuotations } from "./quotations.js";
import { unspacedScript } from "./unspaced.js";

export const japanese: Language = defineLanguage({
  code: "ja",
  name: "Japanese",
  unspaced: unspacedScript({
    dictionary: "ja",
    recut: recutJapanese,
    /** A quotation that a particle follows is part of its sentence. */
    quotations: defineQuotations({
      continues: /^(?:[、，,・]|と(?!ころが|にかく|りあえず)|って|など|なんて|の(?!ち)|を)/,
    }),
  }),
  quotes: "「」 『』 “” ‘’",
  particles: {
    case: wordClass("が を に へ と から より で まで は も こそ さえ しか だけ など"),
    genitive: wordClass("の"),
    /** Not と, や and か, which also join nouns. */
    ends: wordClass("が を に へ から より で まで は も こそ さえ しか"),
    isNoun: (token) =>
      /^[\p{Script=Han}\p{Script=Katakana}\p{Script=Latin}\p{N}ー々〆ヶ％%・]+$/u.test(token),
    /** The plain forms of verbs and adjectives, and な: "美しい", "行った", "静かな". */
    modifies: (token) => /[るたいな]$/.test(token ?? ""),
    /** "学生である": what follows で tells. */
    isCopula: (tokens) =>
      tokens[0] === "で" && /^(?:あ[るりっろ]?|す|し|ござい)$/.test(tokens.at(-1) ?? ""),
  },
});
