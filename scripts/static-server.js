// A server of files for this machine alone: the built page, models, and what a caller adds. Browsers may keep the files,
// but ask whether they have changed.

import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, resolve, sep } from "node:path";
import { listModels } from "./list-models.js";

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

/**
 * Starts the server and gives its address.
 *
 * @param folders a folder for each beginning of an address, such as "/models/"; the longest that fits is taken
 * @param modelFolders the folders of models by name, which are listed and served under /models/
 */
export async function serveFiles(folders, modelFolders, port = 0) {
  const models = Object.entries(modelFolders).map(([name, folder]) => [`/models/${name}/`, folder]);
  const bases = [...Object.entries(folders), ...models].sort(([a], [b]) => b.length - a.length);
  const list = listModels(modelFolders);
  const server = createServer((request, response) => {
    try {
      answer(request, response, bases, list);
    } catch {
      // An address that cannot be decoded.
      response.writeHead(400, HEADERS).end();
    }
  });
  await new Promise((done) => server.listen(port, "127.0.0.1", done));
  return { server, address: `http://127.0.0.1:${server.address().port}/` };
}

function answer(request, response, bases, list) {
  const address = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
  if (address === "/v1/models") {
    response.writeHead(200, { ...HEADERS, "content-type": "application/json" }).end(list);
    return;
  }
  const file = fileOf(address, bases);
  if (!file || request.method !== "GET") {
    response.writeHead(file ? 405 : 404, HEADERS).end();
    return;
  }
  const { size, mtimeMs } = statSync(file);
  const headers = { ...HEADERS, etag: `"${size.toString(36)}-${mtimeMs.toString(36)}"` };
  if (request.headers["if-none-match"] === headers.etag) {
    response.writeHead(304, headers).end();
    return;
  }
  const type = TYPES[extname(file)] ?? "application/octet-stream";
  response.writeHead(200, { ...headers, "content-type": type, "content-length": size });
  createReadStream(file).pipe(response);
}

/** The file that an address names, or undefined: nothing outside the folders has an address. */
function fileOf(address, bases) {
  const [start, base] = bases.find(([beginning]) => address.startsWith(beginning)) ?? [];
  if (base === undefined) return undefined;
  const file = resolve(base, address === "/" ? "index.html" : address.slice(start.length));
  const isInside = file.startsWith(resolve(base) + sep);
  return isInside && statSync(file, { throwIfNoEntry: false })?.isFile() ? file : undefined;
}
