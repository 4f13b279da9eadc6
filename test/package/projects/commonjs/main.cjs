// CommonJS: `require` gives the same library.

const { loadParser, toPenn } = require("bracken");
const { parsePenn } = require("bracken/trees");

async function main() {
  if (typeof parsePenn !== "function") throw new Error("bracken/trees lacks parsePenn");
  const parser = await loadParser();
  const { sentences } = await parser.parseText("He left.");
  for (const { tree } of sentences) console.log(toPenn(tree));
  await parser.close();
}

main();
