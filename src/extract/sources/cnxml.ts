/** Textbooks of OpenStax and Connexions: modules in CNXML, in folders or archives. */

import type { DocumentSource } from "./source.js";

export const cnxml: DocumentSource = {
  name: "cnxml",
  summary: "textbooks in CNXML (OpenStax), folders or archives",
  extensions: [".cnxml", ".tar", ".tgz"],
  recognises: (head) =>
    /^\s*(?:<\?xml[^>]*>\s*)?<document\s[^>]*"http:\/\/cnx\.rice\.edu\/cnxml/.test(head),
  format: "cnxml",
  blocks: ["prose", "list"],
  kinds: ["link", "term", "emphasis"],
};
