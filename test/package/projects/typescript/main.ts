// A program in TypeScript, compiled strictly, without the DOM library and without skipLibCheck.

import { InputError, loadParser, type Parse, type Parser, toPenn } from "bracken";
import { parsePenn, type Tree } from "bracken/trees";

async function treesOf(parser: Parser, text: string): Promise<Tree[]> {
  const { sentences } = await parser.parseText(text);
  return sentences.map(({ tree }: Parse) => tree);
}

const parser = await loadParser();
for (const tree of await treesOf(parser, "He left.")) console.log(toPenn(tree));
await parser.close();

try {
  parsePenn("((");
} catch (error) {
  if (!(error instanceof InputError)) throw error;
}
