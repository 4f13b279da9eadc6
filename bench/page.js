/**
 * What the page costs in a browser, from a server of files on this machine.
 *
 *   npm run build && npm run bench:page -- [rounds]
 *
 * First with empty caches: bytes, requests, first paint and the first tree with the model that the page takes first.
 * Then several times with warm caches: the time to the first tree, beside the time that onnxruntime-web alone takes
 * from a warm cache to start and to run a graph of one node, in the same browser, with as many threads.
 */

import { fileURLToPath } from "node:url";
import { launchBrowser } from "../scripts/launch-browser.js";
import { modelsIn } from "../scripts/list-models.js";
import { serveFiles } from "../scripts/static-server.js";

const rounds = Number(process.argv[2] ?? 7);
if (!(rounds > 0)) {
  console.error("npm run bench:page -- [rounds]");
  process.exit(2);
}

const folder = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const { server, address } = await serveFiles(
  { "/": folder("dist/web"), "/ort/": folder("node_modules/onnxruntime-web/dist") },
  modelsIn(folder("models")),
);
const browser = await launchBrowser();
const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });

const cold = await visit();
console.log(`with empty caches: ${cold.requests} requests, ${megabytes(cold.bytes)} MB`);
console.log(`  before the model and its runtime: ${kilobytes(cold.shellBytes)} kB`);
console.log(`  first paint ${cold.paint} ms, first tree ${cold.tree} ms`);

const [trees, starts] = [[], []];
for (let round = 0; round < rounds; round++) {
  trees.push((await visit()).tree);
  starts.push(await runtimeAlone());
}
const [tree, start] = [median(trees), median(starts)];
console.log(`with warm caches, median of ${rounds}:`);
console.log(
  `  first tree ${tree} ms; onnxruntime-web alone ${start} ms; ratio ${(tree / start).toFixed(2)}`,
);
await browser.close();
server.close();

/** Opens the page and waits for its first tree. */
async function visit() {
  const page = await context.newPage();
  const sizes = [];
  const count = (request) => sizes.push(request.sizes().then((size) => [request.url(), size]));
  context.on("requestfinished", count);
  await page.addInitScript(() => {
    const watch = () => {
      if (document.querySelector(".sentence [role=tree]")) window.treeAt = performance.now();
      else requestAnimationFrame(watch);
    };
    watch();
  });
  await page.goto(address);
  const tree = await page.waitForFunction(() => window.treeAt, null, { timeout: 300_000 });
  const at = Math.round(await tree.jsonValue());
  const paint = await page.evaluate(
    () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Number.NaN,
  );
  context.off("requestfinished", count);
  const found = await Promise.all(sizes);
  await page.close();
  const sum = (all) => all.reduce((total, [, size]) => total + size.responseBodySize, 0);
  const isShell = ([url]) => !/\/(models|runtime)\//.test(url);
  return {
    tree: at,
    paint: Math.round(paint),
    requests: found.length,
    bytes: sum(found),
    shellBytes: sum(found.filter(isShell)),
  };
}

/** From an empty page to the first result of a graph of one node, in a worker as the page has it. */
async function runtimeAlone() {
  const page = await context.newPage();
  await page.goto(`${address}v1/models`);
  const time = await page.evaluate(startRuntime, {
    script: `${address}ort/ort.wasm.min.mjs`,
    runtime: `${address}runtime/`,
    graph: [...oneNode()],
  });
  await page.close();
  return Math.round(time);
}

/** Runs in the browser. */
async function startRuntime({ script, runtime, graph }) {
  const source = `
    const begun = performance.now();
    const ort = await import(${JSON.stringify(script)});
    ort.env.wasm.wasmPaths = ${JSON.stringify(runtime)};
    ort.env.wasm.numThreads = Math.min(4, navigator.hardwareConcurrency);
    const session = await ort.InferenceSession.create(new Uint8Array(${JSON.stringify(graph)}));
    await session.run({ x: new ort.Tensor("float32", [1], [1]) });
    postMessage(performance.now() - begun);`;
  const begun = performance.now();
  const worker = new Worker(URL.createObjectURL(new Blob([source], { type: "text/javascript" })), {
    type: "module",
  });
  await new Promise((resolve, reject) => {
    worker.onmessage = resolve;
    worker.onerror = ({ message }) => reject(new Error(message || "the worker failed"));
  });
  const time = performance.now() - begun;
  worker.terminate();
  return time;
}

/** An ONNX model that gives back its input: y = Identity(x), one number. */
function oneNode() {
  const field = (number, bytes) => [(number << 3) | 2, bytes.length, ...bytes];
  const text = (number, value) => field(number, [...Buffer.from(value)]);
  const varint = (number, value) => [number << 3, value];
  const value = (name) => {
    const shape = field(2, field(1, varint(1, 1)));
    return [...text(1, name), ...field(2, field(1, [...varint(1, 1), ...shape]))];
  };
  const node = [...text(1, "x"), ...text(2, "y"), ...text(4, "Identity")];
  const graph = [
    ...field(1, node),
    ...text(2, "g"),
    ...field(11, value("x")),
    ...field(12, value("y")),
  ];
  return [...varint(1, 8), ...field(7, graph), ...field(8, varint(2, 13))];
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

function megabytes(bytes) {
  return (bytes / 1e6).toFixed(1);
}

function kilobytes(bytes) {
  return Math.round(bytes / 1e3);
}
