/** Plain text, in which only quotes and parentheses are marked. */

import type { DocumentSource } from "./source.js";

export const text: DocumentSource = {
  name: "text",
  summary: "plain text: quotes and parentheses (--kinds quote,parenthesis), folders or tar.gz",
  extensions: [".txt", ".text", ".tar", ".tgz"],
  recognises: () => false,
  format: "text",
  blocks: ["prose"],
};
