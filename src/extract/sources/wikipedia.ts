/**
 * Wikipedia and other wikis as Wikimedia publishes them: XML dumps of wikitext, and HTML dumps with one
 * article per line. Only articles are read, and by default no list items, which are names more often
 * than sentences.
 */

import type { DocumentSource } from "./source.js";

export const wikipedia: DocumentSource = {
  name: "wikipedia",
  summary: "MediaWiki XML dumps, Wikimedia HTML dumps (NDJSON, tar.gz)",
  extensions: [".xml", ".bz2", ".ndjson", ".tar", ".tgz"],
  recognises: (head) => /^\s*(?:<\?xml[^>]*>\s*)?<mediawiki[\s>]/.test(head),
  format: "page",
  blocks: ["prose"],
};
