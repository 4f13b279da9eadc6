/**
 * Reads every page of the built site and says what is wrong with it: links to files or anchors that are not there, and
 * anything that a browser would fetch from another host.
 */

import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { Parser } from "htmlparser2";

/** Attributes whose targets are fetched when the page is shown. */
const FETCHED = { script: "src", img: "src", iframe: "src", source: "src", link: "href" };

/** Reads what a page links to and which anchors it has. */
function readPage(html) {
  const [ids, links, fetched] = [new Set(), [], []];
  const parser = new Parser({
    onopentag(name, attributes) {
      if (attributes.id) ids.add(attributes.id);
      if (name === "a" && attributes.name) ids.add(attributes.name);
      const target = attributes[FETCHED[name]];
      if (target && !(name === "link" && attributes.rel === "canonical")) fetched.push(target);
      if (name === "a" && attributes.href) links.push(attributes.href);
    },
  });
  parser.end(html);
  return { ids, links, fetched };
}

/** @returns {string[]} one line for each thing that is wrong. */
export function checkSite(folder, base = "/") {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const files = new Set(paths.filter((path) => statSync(join(folder, path)).isFile()));
  const pages = new Map(
    [...files]
      .filter((path) => path.endsWith(".html"))
      .map((path) => [path, readPage(readFileSync(join(folder, path), "utf8"))]),
  );
  const problems = [];
  for (const [path, { links, fetched }] of pages) {
    for (const target of [...links, ...fetched]) {
      const problem = problemOf(target, path, { files, pages, base });
      if (problem) problems.push(`${path}: ${target}: ${problem}`);
    }
    for (const target of fetched) {
      if (/^(?:[a-z]+:)?\/\//.test(target)) problems.push(`${path}: fetches ${target}`);
    }
  }
  for (const path of files) {
    if (!path.endsWith(".css")) continue;
    const css = readFileSync(join(folder, path), "utf8");
    for (const [fetch] of css.matchAll(/(?:url\(["']?|@import ["'])https?:[^)"']+/g)) {
      problems.push(`${path}: fetches ${fetch}`);
    }
  }
  return problems;
}

function problemOf(target, from, { files, pages, base }) {
  if (/^(?:[a-z]+:|\/\/)/.test(target)) return undefined;
  const [link, anchor] = target.split("#");
  const [address] = link.split("?");
  const file = address === "" ? from : findFile(decodeURI(address), from, files, base);
  if (file === undefined) return "there is no such file";
  if (!anchor || !pages.has(file)) return undefined;
  // The page keeps its state in the fragment.
  if (file.startsWith("page/")) return undefined;
  return pages.get(file).ids.has(decodeURIComponent(anchor))
    ? undefined
    : "there is no such anchor";
}

function findFile(address, from, files, base) {
  const path = address.startsWith("/")
    ? address.startsWith(base)
      ? address.slice(base.length)
      : undefined
    : join(dirname(from), address);
  if (path === undefined) return undefined;
  const clean = path.replace(/^\.?\/?/, "");
  const tries = [clean, `${clean}.html`, join(clean, "index.html")];
  return tries.find((each) => files.has(each));
}
