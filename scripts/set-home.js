// Tells the package where the project is at home: `node scripts/set-home.js https://host/owner/bracken`. package.json and
// CITATION.cff get the address, and the README absolute links, which its page on npm needs. Running it again with another
// address moves everything there.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { folder: { type: "string", default: "." } },
});
const home = positionals[0]?.replace(/\/+$/, "");
if (!/^https:\/\/\S+$/.test(home ?? "")) {
  process.stderr.write("usage: node scripts/set-home.js https://host/owner/bracken\n");
  process.exit(2);
}

function change(name, edit) {
  const path = join(values.folder, name);
  writeFileSync(path, edit(readFileSync(path, "utf8")));
}

let before = "";
change("package.json", (text) => {
  const manifest = JSON.parse(text);
  before = manifest.repository.url.replace(/^git\+|\.git$/g, "");
  manifest.repository.url = `git+${home}.git`;
  manifest.homepage = `${home}#readme`;
  manifest.bugs.url = `${home}/issues`;
  return `${JSON.stringify(manifest, null, 2)}\n`;
});
change("CITATION.cff", (text) => text.replaceAll(before, home));
change("README.md", (text) =>
  text
    .replaceAll(`](${before}/`, `](${home}/`)
    // Pictures must be the files themselves, not the pages that show them.
    .replace(/!\[([^\]]*)\]\((?![a-z]+:)([^)]+)\)/g, `![$1](${home}/raw/HEAD/$2)`)
    .replace(/\]\((?![a-z]+:|#)([^)]+)\)/g, `](${home}/blob/HEAD/$1)`),
);
