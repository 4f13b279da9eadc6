// The models in a folder, as a server of files tells the page of them at v1/models: their names, languages and sizes.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

function readJson(file) {
  return JSON.parse(readFileSync(file, "utf8"));
}

export function listModels(folder) {
  const names = readdirSync(folder).filter((name) =>
    existsSync(join(folder, name, "manifest.json")),
  );
  const models = names.map((name) => describe(name, join(folder, name)));
  return JSON.stringify({ files: true, models });
}

function describe(name, folder) {
  const { files } = readJson(join(folder, "manifest.json"));
  const bytes = Object.values(files).reduce((sum, file) => sum + file.bytes, 0);
  const { bracken } = readJson(join(folder, "config.json"));
  const languages = [bracken?.language ?? []].flat();
  return { name, bytes, ...(languages.length > 0 ? { language: languages[0], languages } : {}) };
}
