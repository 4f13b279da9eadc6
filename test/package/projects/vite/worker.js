import { loadParserFromUrl } from "bracken/browser";
import { toPenn } from "bracken/trees";

const loading = loadParserFromUrl(new URL("/models/bracken-en/", self.location.href));
self.onmessage = async ({ data }) => {
  const parser = await loading;
  const { sentences } = await parser.parseText(data);
  postMessage(sentences.map(({ tree }) => toPenn(tree)).join("\n"));
};
