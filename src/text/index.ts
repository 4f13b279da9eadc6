/** Sentences and words of plain text, with their places. Also runs in a browser. */

export { type Detokenised, type DetokeniseOptions, detokenise, layOut } from "./detokenise.js";
export { type Sentence, type SentenceOptions, splitSentences } from "./sentences.js";
export { type Token, type TokenOptions, tokenise } from "./tokens.js";
