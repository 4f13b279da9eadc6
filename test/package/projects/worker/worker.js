import { once } from "node:events";
import { parentPort } from "node:worker_threads";
import { loadParser, toPenn } from "bracken";

const [text] = await once(parentPort, "message");
const parser = await loadParser(undefined, { workers: 0 });
const { sentences } = await parser.parseText(text);
parentPort.postMessage(sentences.map(({ tree }) => toPenn(tree)));
await parser.close();
