// A program with worker threads of its own, each with a parser.

import { once } from "node:events";
import { Worker } from "node:worker_threads";

const workers = [0, 1].map(() => new Worker(new URL("worker.js", import.meta.url)));
const answers = workers.map((worker) => once(worker, "message"));
for (const worker of workers) worker.postMessage("He left.");
for (const [trees] of await Promise.all(answers)) {
  console.log(trees.join("\n"));
}
