// Makes a trained model the bundled one: its files without the training's, a card of its own, and a
// manifest to match.
// Run: node scripts/bundle-model.js FOLDER CARD.md models/bracken-en

import { createHash } from "node:crypto";
import { copyFile, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

const [folder, card, target] = process.argv.slice(2);
if (!target) {
  console.error("node scripts/bundle-model.js FOLDER CARD.md models/bracken-en");
  process.exit(2);
}
const sources = {
  "config.json": join(folder, "config.json"),
  "model.safetensors": join(folder, "model.safetensors"),
  "tokenizer.json": join(folder, "tokenizer.json"),
  "README.md": card,
};
await mkdir(target, { recursive: true });
const files = {};
for (const [name, source] of Object.entries(sources)) {
  const bytes = await readFile(source);
  files[name] = { bytes: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") };
  await copyFile(source, join(target, `${name}.partial`));
  await rename(join(target, `${name}.partial`), join(target, name));
}
await writeFile(join(target, "manifest.json"), `${JSON.stringify({ files }, null, 2)}\n`);
