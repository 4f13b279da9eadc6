/** A sentence of about ten words in each language, written for the tests. */

export const TEN_LANGUAGES: Readonly<Record<string, string>> = {
  en: "The children walked home through the park before it rained.",
  de: "Am 3. Mai gingen die Kinder durch den Park nach Hause.",
  fr: "Les enfants rentraient à la maison quand j'ai vu l'orage.",
  es: "Los niños volvían a casa por el parque cuando empezó a llover.",
  pt: "As crianças voltavam para casa pelo parque quando começou a chover.",
  it: "I bambini tornavano a casa attraverso il parco dell'amico di mia madre.",
  id: "Anak-anak itu berjalan pulang melewati taman ketika hujan mulai turun.",
  is: "Börnin gengu heim í gegnum garðinn þegar það byrjaði að rigna.",
  ja: "雨が降り始めたとき、子供たちは公園を通って家に帰っていた。",
  zh: "下雨的时候，孩子们正穿过公园走路回家。",
};
