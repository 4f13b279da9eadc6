// An ES module: a sentence in, a tree out.

import { loadParser, toPenn } from "bracken";

const parser = await loadParser();
const { sentences } = await parser.parseText("He left.");
for (const { tree } of sentences) console.log(toPenn(tree));
await parser.close();
