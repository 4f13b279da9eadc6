/** Markdown of documentation and static sites: a folder or archive. */

import type { DocumentSource } from "./source.js";

export const markdown: DocumentSource = {
  name: "markdown",
  summary: "Markdown and MDX, folders or archives",
  extensions: [".md", ".markdown", ".mdx", ".tar", ".tgz"],
  recognises: () => false,
  format: "markdown",
  blocks: ["prose", "list"],
};
