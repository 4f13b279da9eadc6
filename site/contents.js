/**
 * What the site has and where: its sections, their pages in order, and the file of the repository that each page is made
 * from. Pages without a file here are generated: the command line, the HTTP interface, the models.
 */

import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../", import.meta.url));

const page = (text, file, path) => ({ text, file, path });
const guide = (text, name) => page(text, `docs/${name}.md`, `guides/${name}.md`);
const start = (text, name) => page(text, `docs/start/${name}.md`, `start/${name}.md`);
const tutorial = (text, name) => page(text, `docs/tutorials/${name}.md`, `tutorials/${name}.md`);
const background = (text, name) =>
  page(text, `docs/background/${name}.md`, `background/${name}.md`);

const card = (name, folder) => page(name, `${folder}/README.md`, `models/${name}.md`);

/** Each model has its card as a page, whether it is bundled or a package of its own. */
const models = [
  ...readdirSync(`${ROOT}models`).map((name) => card(name, `models/${name}`)),
  ...readdirSync(`${ROOT}packages`).map((name) => card(name, `packages/${name}/model`)),
].sort((one, other) => one.text.localeCompare(other.text));

export const SECTIONS = [
  {
    text: "Start",
    pages: [
      start("What bracken is", "what-it-is"),
      start("Install", "install"),
      start("Your first tree", "first-tree"),
      start("Your first noun phrases", "first-noun-phrases"),
      start("In the browser", "in-the-browser"),
    ],
  },
  {
    text: "Tutorials",
    pages: [
      tutorial("My docs to my parser", "my-docs-to-my-parser"),
      tutorial("Noun phrases of a corpus", "noun-phrases-of-a-corpus"),
      tutorial("Score your own parser", "score-your-own-parser"),
      tutorial("Express, Next.js and a queue", "a-server-of-your-own"),
      tutorial("Reproduce the paper's tables", "reproduce-the-paper"),
    ],
  },
  {
    text: "Guides",
    pages: [
      guide("Installing", "install"),
      guide("Parsing", "parsing"),
      guide("Names for phrases", "labels"),
      guide("Trees", "trees"),
      guide("The page", "page"),
      guide("Parsing in the browser", "browser"),
      guide("The service", "service"),
      guide("Runs over many machines", "scale"),
      guide("Your own domain", "own-domain"),
      guide("Brackets from answers", "answers"),
      guide("Brackets from links", "links"),
      guide("Training", "training"),
      guide("Evaluation", "evaluation"),
      guide("Sentences and words", "text"),
      guide("Languages", "languages"),
      guide("Charts", "chart"),
      guide("Engine", "engine"),
      guide("Dependencies", "dependencies"),
    ],
  },
  {
    text: "Reference",
    pages: [
      page("Command line", undefined, "reference/cli/index.md"),
      page("Library", "docs/reference/library.md", "reference/library.md"),
      page("Data: Bracketings", "docs/reference/bracketings.md", "reference/bracketings.md"),
      page("HTTP interface", undefined, "reference/http.md"),
    ],
  },
  {
    text: "Background",
    pages: [
      background("The method", "method"),
      background("Learnt, and put in by hand", "by-hand"),
      background("How numbers compare", "numbers"),
      page("Results", "RESULTS.md", "background/results.md"),
      page("Experiments", "docs/experiments.md", "guides/experiments.md"),
    ],
  },
  { text: "Models", pages: models },
  {
    text: "Project",
    pages: [
      page("Questions", "docs/faq.md", "project/faq.md"),
      page("How to cite", "docs/cite.md", "project/cite.md"),
      page("Architecture", "ARCHITECTURE.md", "project/architecture.md"),
      page("Contributing", "CONTRIBUTING.md", "project/contributing.md"),
      page("Changes", "CHANGELOG.md", "project/changes.md"),
      page("Security", "SECURITY.md", "project/security.md"),
    ],
  },
];

/** The pages that have a file, by that file. */
export const PAGES = new Map(
  SECTIONS.flatMap(({ pages }) => pages)
    .filter(({ file }) => file !== undefined)
    .map(({ file, path }) => [file, path]),
);
