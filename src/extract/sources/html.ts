/** Web pages: a site's folder or archive. */

import type { DocumentSource } from "./source.js";

export const html: DocumentSource = {
  name: "html",
  summary: "HTML pages, folders or tar.gz",
  extensions: [".html", ".htm", ".xhtml", ".tar", ".tgz"],
  recognises: (head) => /^\s*(?:<!doctype html|<html[\s>])/i.test(head),
  format: "html",
  blocks: ["prose", "list"],
};
