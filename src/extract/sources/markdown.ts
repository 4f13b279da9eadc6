/** Markdown, as documentation and static sites are written in it: a folder or archive. */

import type { DocumentSource } from "./source.js";

export const markdown: DocumentSource = {
  name: "markdown",
  summary: "Markdown and MDX, folders or tar.gz",
  extensions: [".md", ".markdown", ".mdx", ".tar", ".tgz"],
  recognises: () => false,
  format: "markdown",
  blocks: ["prose", "list"],
};
