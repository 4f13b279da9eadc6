/** Web pages: a site's folder or archive, or a file of articles one after the other. */

import type { DocumentSource } from "./source.js";

export const html: DocumentSource = {
  name: "html",
  summary: "HTML pages, folders or archives",
  extensions: [".html", ".htm", ".xhtml", ".tar", ".tgz"],
  recognises: (head) => /^\s*(?:<!doctype html|<html[\s>]|<article[\s>])/i.test(head),
  format: "html",
  blocks: ["prose", "list"],
};
