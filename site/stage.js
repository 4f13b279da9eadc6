/**
 * Lays the documents out as the site has them. The files are plain Markdown that any viewer of the repository shows, with
 * links from file to file. Here links between pages are made to fit the site, links to code lead to the repository, and
 * pictures and schemas are copied beside the pages that use them.
 */

import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, extname, join, relative } from "node:path";
import { PAGES, ROOT } from "./contents.js";

const { repository } = JSON.parse(readFileSync(`${ROOT}package.json`, "utf8"));

/** Where the project is at home; package.json has it. */
export const HOME = repository.url.replace(/^git\+|\.git$/g, "");

/** Files that are shown or downloaded, and not read as code. */
const ASSETS = new Set([".png", ".svg", ".json"]);

export function write(folder, path, text) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

/** Writes all pages that are made from files into a folder. */
export function stageDocuments(folder) {
  for (const [file, path] of PAGES) {
    // A block that only tests read is not a language.
    const text = readFileSync(`${ROOT}${file}`, "utf8").replaceAll("```layers", "```text");
    write(
      folder,
      path,
      rewriteLinks(text, (target) => siteTarget(target, file, path, folder)),
    );
  }
  write(folder, "index.md", readFileSync(`${ROOT}site/home.md`, "utf8"));
  cpSync(`${ROOT}docs/start/overview.svg`, join(folder, "overview.svg"));
  cpSync(`${ROOT}site/hero.svg`, join(folder, "public/hero.svg"));
}

/** Changes the targets of links and pictures, except in code. */
export function rewriteLinks(text, change) {
  const parts = text.split(/(^```.*?^```$|`[^`\n]+`)/gms);
  return parts
    .map((part, index) =>
      index % 2 === 1
        ? part
        : part.replace(/\]\(([^)\s]+)\)/g, (_, target) => `](${change(target)})`),
    )
    .join("");
}

function siteTarget(target, file, path, folder) {
  if (/^[a-z]+:|^#/.test(target)) return target;
  const [link, anchor] = target.split("#");
  const linked = join(dirname(file), link);
  const suffix = anchor === undefined ? "" : `#${anchor}`;
  const page = PAGES.get(linked);
  if (page !== undefined) return between(path, page) + suffix;
  const isAsset = linked.startsWith("docs/") && ASSETS.has(extname(linked));
  if (!isAsset) return `${HOME}/blob/HEAD/${linked}${suffix}`;
  return between(path, stageAsset(linked, path, folder));
}

/** Pictures are bundled with the page that shows them; other files are served as they are. */
function stageAsset(linked, path, folder) {
  if (!existsSync(`${ROOT}${linked}`)) throw new Error(`there is no ${linked}`);
  const isPicture = /\.(png|svg)$/.test(linked);
  const name = linked.split("/").at(-1);
  const place = join(isPicture ? dirname(path) : "files", name);
  const copy = join(folder, isPicture ? place : join("public", place));
  mkdirSync(dirname(copy), { recursive: true });
  cpSync(`${ROOT}${linked}`, copy);
  return place;
}

function between(from, to) {
  const path = relative(dirname(from), to);
  return path.startsWith(".") ? path : `./${path}`;
}
