/** The site: its table of contents, a search that runs in the browser, and nothing from other hosts. */

import { SECTIONS } from "../contents.js";
import { HOME } from "../stage.js";

/** Anchors as viewers of the repository make them, so that a link to a section works in both. */
const slugify = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

const linkOf = (path) => `/${path.replace(/(index)?\.md$/, "")}`;

export default {
  title: "bracken",
  description:
    "A constituency parser that learnt English without a treebank, from the brackets people leave in text",
  lang: "en-GB",
  base: process.env.BRACKEN_SITE_BASE ?? "/",
  srcDir: "pages",
  outDir: "dist",
  cacheDir: ".cache",
  // The links of the finished site are checked, anchors and the library's reference included: see check-links.js.
  ignoreDeadLinks: true,
  markdown: { anchor: { slugify } },
  themeConfig: {
    nav: [
      { text: "Start", link: "/start/what-it-is" },
      { text: "Tutorials", link: "/tutorials/my-docs-to-my-parser" },
      { text: "Guides", link: "/guides/parsing" },
      { text: "Reference", link: "/reference/cli/" },
      { text: "Background", link: "/background/method" },
      { text: "Try it", link: "/page/index.html", target: "_self" },
    ],
    sidebar: SECTIONS.map(({ text, pages }) => ({
      text,
      collapsed: text !== "Start" && text !== "Tutorials",
      items: pages.map((page) => ({ text: page.text, link: linkOf(page.path) })),
    })),
    search: { provider: "local" },
    outline: [2, 3],
    externalLinkIcon: true,
    footer: { message: `MIT licence. <a href="${HOME}">Source</a>` },
  },
};
