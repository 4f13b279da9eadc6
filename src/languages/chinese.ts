/** Chinese: quotations, and dates that are one word. Words are cut by ICU's dictionary and corrected. */

import { recutChinese } from "./chinese-words.js";
import { defineLanguage, type Language } from "./language.js";
import { defineQuotations } from "./quotations.js";
import { unspacedScript } from "./unspaced.js";

export const chinese: Language = defineLanguage({
  code: "zh",
  name: "Chinese",
  unspaced: unspacedScript({
    dictionary: "zh",
    recut: recutChinese,
    /** A quotation after a colon holds sentences; one before a verb of saying is part of its sentence. */
    quotations: defineQuotations({
      continues: /^(?:[，,、；]|[^。！？，；：\s“”「」]{0,8}[说說問问道答喊叫嚷想笑])/,
      opensSpeech: /[：:]\s*$/,
    }),
  }),
  /** The years, months and days of a date, and round numbers, as in the Chinese Treebank. */
  numberWords:
    /[\d０-９]{2,4}年代|[\d０-９]{4}年|[\d０-９]{1,2}月份?|(?<=月)[\d０-９]{1,2}日|[\d０-９]+(?:[.．][\d０-９]+)?[百千]?[万萬亿億]+/y,
  quotes: "“” ‘’ 「」 『』 《》",
});
