// `npm run demo`: builds the page, serves it with the models as plain files on this machine alone, tells
// the address and opens a browser where there is one. Parsing is done by the browser.
//
// --models FOLDER   serve the models in another folder
// --port NUMBER     take this port; any free one unless said
// --no-build        serve what is built already
// --no-open         open no browser

import { spawn, spawnSync } from "node:child_process";
import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { listModels } from "./list-models.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const { values } = parseArgs({
  options: {
    models: { type: "string", default: join(root, "models") },
    port: { type: "string", default: "0" },
    "no-build": { type: "boolean", default: false },
    "no-open": { type: "boolean", default: false },
  },
});
const page = join(root, "dist/web");
const models = resolve(values.models);

const TYPES = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".json": "application/json",
  ".mjs": "text/javascript",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

// Isolated pages may use threads.
const HEADERS = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
  "cache-control": "no-cache",
};

/** The file that an address names, or undefined: nothing outside the two folders has an address. */
function fileOf(address) {
  const [base, rest] = address.startsWith("/models/")
    ? [models, address.slice("/models/".length)]
    : [page, address === "/" ? "index.html" : address.slice(1)];
  const file = resolve(base, rest);
  const isInside = file.startsWith(base + sep);
  return isInside && statSync(file, { throwIfNoEntry: false })?.isFile() ? file : undefined;
}

function answer(request, response) {
  const address = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
  if (address === "/v1/models") {
    response
      .writeHead(200, { ...HEADERS, "content-type": "application/json" })
      .end(listModels(models));
    return;
  }
  const file = fileOf(address);
  if (!file || request.method !== "GET") {
    response.writeHead(file ? 405 : 404, HEADERS).end();
    return;
  }
  const type = TYPES[extname(file)] ?? "application/octet-stream";
  const length = statSync(file).size;
  response.writeHead(200, { ...HEADERS, "content-type": type, "content-length": length });
  createReadStream(file).pipe(response);
}

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

const server = createServer((request, response) => {
  try {
    answer(request, response);
  } catch {
    // An address that cannot be decoded.
    response.writeHead(400, HEADERS).end();
  }
});
server.listen(Number(values.port), "127.0.0.1", () => {
  const address = `http://127.0.0.1:${server.address().port}/`;
  process.stdout.write(`${address}\n`);
  if (!values["no-open"]) openBrowser(address);
});
