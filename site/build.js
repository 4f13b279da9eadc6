/**
 * Builds the site into site/dist: the documents, the references of the command line, the library and the HTTP interface,
 * and the page itself with the models. Nothing is fetched. `--base /bracken/` is for a site that is not at the root of
 * its host.
 */

import { spawn } from "node:child_process";
import { cpSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { checkSite } from "./check-links.js";
import { stageCommands } from "./commands.js";
import { ROOT } from "./contents.js";
import { stageHttp } from "./http.js";
import { stageDocuments } from "./stage.js";

const { values } = parseArgs({ options: { base: { type: "string", default: "/" } } });
const site = join(ROOT, "site");
const [pages, out] = [join(site, "pages"), join(site, "dist")];

async function run(...args) {
  const child = spawn(process.execPath, args, {
    cwd: site,
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, BRACKEN_SITE_BASE: values.base },
  });
  const code = await new Promise((resolve) => child.on("close", resolve));
  if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}`);
}

const tool = (path) => fileURLToPath(new URL(path, import.meta.url));

if (!existsSync(`${ROOT}dist/web/index.html`)) {
  throw new Error("the site shows the built page: npm run build first");
}
for (const folder of [pages, out]) rmSync(folder, { recursive: true, force: true });
stageDocuments(pages);
await stageCommands(pages);
await stageHttp(pages);
const reference = join(site, "reference");
await Promise.all([
  run(tool("node_modules/vitepress/bin/vitepress.js"), "build", "."),
  run(tool("node_modules/typedoc/bin/typedoc"), "--out", reference),
]);
cpSync(reference, join(out, "reference/api"), { recursive: true });
cpSync(`${ROOT}dist/web`, join(out, "page"), { recursive: true });
cpSync(`${ROOT}models`, join(out, "page/models"), { recursive: true });
const problems = checkSite(out, values.base);
for (const problem of problems) process.stderr.write(`error: ${problem}\n`);
if (problems.length > 0) process.exitCode = 1;
else process.stdout.write(`${out}\n`);
