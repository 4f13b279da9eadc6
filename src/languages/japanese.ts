/** Japanese: quotations. Words are cut by ICU's dictionary and by the endings of verbs. */

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
});
