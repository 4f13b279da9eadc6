/** Pages of a MediaWiki as text files, one page each, in folders or archives. */

import type { DocumentSource } from "./source.js";

export const wikitext: DocumentSource = {
  name: "wikitext",
  summary: "MediaWiki text files, folders or archives",
  extensions: [".mediawiki", ".wiki", ".wikitext", ".txt", ".tar", ".tgz"],
  recognises: () => false,
  format: "wikitext",
  blocks: ["prose", "list"],
};
