/** Plain text: paragraphs are separated by blank lines. Its only marks are its own quotes and parentheses. */

import { type MarkedText, MarkedTextBuilder } from "./marked.js";

export function readPlainText(text: string): MarkedText {
  const builder = new MarkedTextBuilder();
  for (const paragraph of text.split(/\r?\n(?:[^\S\n]*\r?\n)+/)) {
    builder.begin("prose");
    builder.append(paragraph);
  }
  return builder.finish();
}
