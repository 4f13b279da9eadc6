// `npm run demo`: builds the page, serves it with the models as plain files on this machine alone, tells
// the address and opens a browser where there is one. Parsing is done by the browser.
//
// --models FOLDER   serve the models in another folder
// --port NUMBER     take this port; any free one unless said
// --no-build        serve what is built already
// --no-open         open no browser

import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { modelsIn, packagedModels } from "./list-models.js";
import { serveFiles } from "./static-server.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const { values } = parseArgs({
  options: {
    models: { type: "string" },
    port: { type: "string", default: "0" },
    "no-build": { type: "boolean", default: false },
    "no-open": { type: "boolean", default: false },
  },
});

function openBrowser(address) {
  const [command, ...rest] = {
    darwin: ["open", address],
    win32: ["cmd", "/c", "start", "", address],
  }[process.platform] ?? ["xdg-open", address];
  // Without a browser the address is enough.
  spawn(command, rest, { stdio: "ignore", detached: true })
    .on("error", () => {})
    .unref();
}

if (!values["no-build"]) {
  const { status } = spawnSync(process.execPath, [join(root, "scripts/build.js")], {
    cwd: root,
    stdio: "inherit",
  });
  if (status !== 0) process.exit(status ?? 1);
}

// The models of the repository are those in its folder and in its packages.
const models = values.models
  ? modelsIn(values.models)
  : { ...modelsIn(join(root, "models")), ...packagedModels(join(root, "packages")) };
const { address } = await serveFiles({ "/": join(root, "dist/web") }, models, Number(values.port));
process.stdout.write(`${address}\n`);
if (!values["no-open"]) openBrowser(address);
