// Makes a trained model the bundled one: its files without the training's, a card of its own, and a
// manifest to match.
// Run: npm run build && node scripts/bundle-model.js FOLDER CARD.md models/bracken-en

import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { writeManifest } from "../dist/model/save.js";
import { FILES } from "../dist/model/source.js";

const [folder, card, target] = process.argv.slice(2);
if (!target) {
  console.error("node scripts/bundle-model.js FOLDER CARD.md models/bracken-en");
  process.exit(2);
}
await mkdir(target, { recursive: true });
for (const name of Object.values(FILES)) {
  await copyFile(name === FILES.card ? card : join(folder, name), join(target, name));
}
await writeManifest(target);
